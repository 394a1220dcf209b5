"""One cell of a search: a random search with one method of validation, and its choice's quality.

The run time of a method is the seconds of all fits that it asked for, as they were recorded, and
the time that it took to decide. Imputing and binarising a fold's rows is the same for all and
charged to nobody.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.experiment_plan import Method, Plan
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.group import draw, search_among
from curvewise._bench.experiments.work.quality import measure
from curvewise._selection.best_candidate import commonest_reason
from curvewise.automl._space import describe
from curvewise.automl._tables.table import Table
from curvewise.core._outcome import Candidate
from curvewise.core._portfolio import Status
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._resource_limits import Limits


def search_cell(ledger: Ledger, plan: Plan, cell: Cell, table: Table) -> dict[str, Any]:
    """Carry out a cell; give its result as plain values."""
    method, settings = plan.method(cell.method), plan.settings
    candidates = draw(settings, cell.seed)
    limits = Limits(
        timeout_per_candidate=settings.timeout,
        memory_limit=settings.memory,
        foresee=method.foresee,
    )
    searched = search_among(ledger, plan, cell, table, candidates, limits)
    search, bill, deciding = searched.search, searched.bill, searched.deciding_seconds
    choice = _choice(search)
    quality = measure(ledger, table, candidates[choice], choice, settings, cell.seed)
    return {
        **_facts(search, choice, method),
        "pipeline": describe(candidates[choice])["text"],
        "seconds": bill.seconds + deciding,
        "deciding_seconds": deciding,
        "fits": bill.n_fits,
        "rows": bill.n_rows,
        "fits_made": bill.n_made,
        "timeouts": bill.n_timeouts,
        "stopped_seconds": bill.seconds_of(_stopped(search)),
        "n_rows": table.n_rows,
        "n_columns": len(table.X.columns),
        **{f"quality_{key}": value for key, value in asdict(quality).items() if key != "error"},
        "error": quality.error,
    }


def _choice(search: Search) -> int:
    best = search.best
    if best is None:
        reason = commonest_reason(search.results.values())
        raise NoResultError(f"No candidate gave a result; the commonest reason, {reason}")
    return int(best.candidate)  # type: ignore[call-overload]


def _stopped(search: Search) -> set[Candidate]:
    """The candidates that ran out of time, or could not have finished within it."""
    return {
        candidate for candidate, result in search.results.items() if result.status is Status.STOPPED
    }


def _facts(search: Search, choice: int, method: Method) -> dict[str, Any]:
    results = search.results
    ended = Counter(result.status.value for result in results.values())
    loss = results[choice].loss
    return {
        "choice": choice,
        "partial": results[choice].status.value != "completed",
        "validated_error": loss if loss == loss else None,
        "folds": method.folds,
        "ended": dict(ended),
    }
