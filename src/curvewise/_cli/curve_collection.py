"""The curves that advice needs, from a table: a search, and whole curves of its best candidates."""

from __future__ import annotations

import warnings
from typing import Any

from rich.console import Console

from curvewise._cli.shown_search import fit, make_model, show_table
from curvewise.automl._tables import Table
from curvewise.automl._whole_curves import whole_curves
from curvewise.core._result import ValidationResult


def collect_curves(
    table: Table, *, n_best: int, quiet: bool, **options: Any
) -> list[ValidationResult]:
    """Find the best candidates, and evaluate them at the target, at half of it and so on."""
    console = Console(stderr=True)
    if not quiet:
        show_table(table, console)
    model = make_model(table.task, **options)
    fit(model, table, console, quiet=quiet, budget=options.get("time_budget"))
    if not quiet:
        best = model.search_.results_[model.search_.best_index_].candidate
        line = f"Best: {best}. Now whole curves, of the best {n_best}."
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    with warnings.catch_warnings():
        # What fails now has failed before, and was told.
        warnings.simplefilter("ignore")
        return whole_curves(model.search_, table.X, table.y, n_best=n_best)
