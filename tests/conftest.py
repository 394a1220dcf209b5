"""Settings that all tests share."""

import pytest
from hypothesis import settings

# Time is not what these tests are about, and the machines they run on are shared.
settings.register_profile("curvewise", deadline=None)
settings.load_profile("curvewise")


@pytest.fixture(autouse=True)
def _no_models_of_ones_own(monkeypatch):
    """Remember no saved model, so that all need trust; tests of that memory set a folder."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
