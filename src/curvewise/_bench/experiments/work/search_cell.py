"""A cell's work: a random search with one way of validation and its choice's quality, or curves.

The run time of a method is the seconds of all fits that it asked for, as they were recorded, and
the time that it took to decide. Imputing and binarising a fold's rows is the same for all and
charged to nobody.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from curvewise._bench.doubled_rows.paper_portfolio import paper_portfolio
from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.experiment_plan import Method, Plan
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.group import draw, measure, search_among
from curvewise._selection.best_candidate import commonest
from curvewise.automl._space.description import describe
from curvewise.automl._tables.table import Table
from curvewise.core._outcome import Candidate
from curvewise.core._portfolio import Status
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._limits import Limits


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
        **quality,
    }


def _choice(search: Search) -> int:
    best = search.best
    if best is None:
        reason, _ = commonest(search.results.values())
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


def curves_cell(ledger: Ledger, plan: Plan, cell: Cell, table: Table) -> dict[str, Any]:
    """Carry out a cell; give the mean loss of each learner by anchor."""
    settings, portfolio = plan.settings, paper_portfolio(cell.seed)
    limits = Limits(timeout_per_fit=settings.timeout, memory_limit=settings.memory)
    learners, of = list(portfolio.values()), f"portfolio {cell.seed}"
    searched = search_among(ledger, plan, cell, table, learners, limits, of=of)
    curves = {
        name: [[anchor, result.curve.mean(anchor)] for anchor in result.curve.anchors]
        for name, result in zip(portfolio, searched.search.results.values(), strict=True)
    }
    return {
        "curves": {name: points for name, points in curves.items() if points},
        "target": searched.target,
        "seconds": searched.bill.seconds,
        "fits": searched.bill.n_fits,
        "rows": searched.bill.n_rows,
        "n_rows": table.n_rows,
    }
