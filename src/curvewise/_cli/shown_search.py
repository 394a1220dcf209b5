"""A search over pipelines, with something to look at: what `select` and `advise` share."""

from __future__ import annotations

import warnings
from typing import Any

from rich.console import Console

from curvewise._cli.live_display import Lines, Panel
from curvewise.automl._estimators import (
    CurveAutoML,
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
)
from curvewise.automl._tables import Table, profile

# The largest seed that numpy takes.
LARGEST_SEED = 2**32 - 1


def make_model(task: str, **options: Any) -> CurveAutoML:
    """Make the estimator for a task."""
    kind = CurveAutoMLClassifier if task == "classification" else CurveAutoMLRegressor
    return kind(**options)


def show_table(table: Table, console: Console) -> None:
    """Print what was read, and what was made of it."""
    n_rows, n_columns = table.X.shape
    lines = [
        f"{table.name}: {n_rows:,} rows, {n_columns:,} columns; {table.task} of {table.target!r}",
        *(f"Note: {note}" for note in table.notes),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def fit(
    model: CurveAutoML, table: Table, console: Console, *, quiet: bool, budget: float | None = None
) -> None:
    """Search, with a live display in a terminal and plain lines elsewhere."""
    if not quiet:
        kind = Panel if console.is_terminal else Lines
        model.add_listener(kind(console, n_candidates=model.n_candidates, seconds=budget))
    model.note_for_readers({"data": profile(table), "source": table.source})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(table.X, table.y)
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            console.print(f"Note: {text}", markup=False, highlight=False, soft_wrap=True)
