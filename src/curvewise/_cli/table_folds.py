"""The folds of a table: shuffled rows, whole groups, or the order of time, as its columns say."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection import TimeSeriesSplit

from curvewise.automl._pipeline_search import shuffled_folds
from curvewise.automl._tables.table import Table
from curvewise.errors import InvalidParameterError


def folds_for(table: Table, *, n_folds: int, random_state: int) -> Any:
    """Give the splitter for a table; its groups are given to the search besides."""
    if table.time is not None:
        if table.n_rows <= n_folds:
            raise InvalidParameterError(
                f"There are {table.n_rows} rows in the order of time, too few for {n_folds} folds."
            )
        return TimeSeriesSplit(n_folds)
    if table.groups is not None:
        n_groups = table.groups.nunique()
        if n_groups < n_folds:
            raise InvalidParameterError(
                f"There are {n_groups} groups in {str(table.groups.name)!r}, and {n_folds} folds "
                f"need as many: take at most {n_groups} folds."
            )
    grouped = table.groups is not None
    return shuffled_folds(table.task, n_folds=n_folds, random_state=random_state, grouped=grouped)
