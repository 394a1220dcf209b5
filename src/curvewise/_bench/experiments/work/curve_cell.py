"""One cell of an experiment on curves: the whole learning curve of each learner of a portfolio."""

from __future__ import annotations

from typing import Any

from curvewise._bench.doubled_rows.paper_portfolio import paper_portfolio
from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.group import search_among
from curvewise.automl._tables.table import Table
from curvewise.executors._resource_limits import Limits


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
