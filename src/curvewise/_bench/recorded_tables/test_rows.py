"""Rows that a recording sets aside: they tell what a candidate is worth, and no policy sees them.

They are part of every fold's test part, behind the fold's own rows, so that a candidate predicts
both at once; what it lost on either is told apart afterwards. No fold trains on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

from curvewise._evaluation.rows import Indices, take
from curvewise._text import plain_repr
from curvewise.automl._tables.table import Table
from curvewise.errors import InvalidParameterError

# By default a fifth of the rows, and no more than this.
SHARE = 1 / 5
MOST = 5_000


def default_test_rows(table: Table) -> int:
    """Say how many rows a table sets aside; none in the order of time, where the last are folds."""
    return 0 if table.time is not None else min(MOST, int(SHARE * table.n_rows))


def choose_test_rows(table: Table, n_rows: int, *, random_state: int) -> Indices:
    """Choose rows by chance: classes in proportion, groups whole (then about so many)."""
    if table.time is not None:
        raise InvalidParameterError(
            "Rows in the order of time cannot be set aside as test rows: leave out --test-rows."
        )
    if n_rows > table.n_rows // 2:
        raise InvalidParameterError(
            f"At most half of the {table.n_rows:,} rows can be test rows, got {n_rows:,}."
        )
    if table.groups is not None:
        share = n_rows / table.n_rows
        splitter: Any = GroupShuffleSplit(1, test_size=share, random_state=random_state)
    elif table.task == "classification" and _divisible(table.y, n_rows):
        splitter = StratifiedShuffleSplit(1, test_size=n_rows, random_state=random_state)
    else:
        splitter = ShuffleSplit(1, test_size=n_rows, random_state=random_state)
    [(_, chosen)] = splitter.split(np.zeros(table.n_rows), table.y, table.groups)
    return np.sort(chosen)


def _divisible(y: Any, n_rows: int) -> bool:
    """Whether each class has rows for both parts."""
    counts = np.unique(np.asarray(y).astype(str), return_counts=True)[1]
    return bool(counts.min() >= 2) and len(counts) <= min(n_rows, counts.sum() - n_rows)


class BesideTestRows:
    """A splitter of the other rows, whose test parts have the test rows behind their own."""

    def __init__(self, splitter: Any, test_rows: Indices) -> None:
        self.splitter, self.test_rows = splitter, test_rows

    def __repr__(self) -> str:
        return f"{plain_repr(self.splitter)} beside {len(self.test_rows)} test rows"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Give the number of folds."""
        return int(self.splitter.get_n_splits(X, y, groups))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        """Give training and test rows by fold."""
        others = np.setdiff1d(np.arange(len(X)), self.test_rows)
        given = [None if each is None else take(each, others) for each in (X, y, groups)]
        for train, test in self.splitter.split(*given):
            yield others[train], np.concatenate([others[test], self.test_rows])
