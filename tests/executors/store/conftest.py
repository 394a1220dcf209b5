"""Where a store of a test lies."""

import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.db"
