import sqlite3
from pathlib import Path

import pytest

from curvewise._sqlite import explained


def test_a_bug_of_our_own_is_not_explained_away():
    with (
        pytest.raises(sqlite3.DatabaseError, match="of our own"),
        explained(Path("run.db")),
    ):
        raise sqlite3.DatabaseError("a bug of our own")
