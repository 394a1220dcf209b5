"""One cell of an experiment on curves: the whole learning curve of each learner of a portfolio."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from curvewise._bench.advice.paper_portfolio import paper_portfolio
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.ledger import Cell, Ledger
from curvewise._bench.experiments.work.group import fits_key, make_experiment, split
from curvewise._bench.experiments.work.shared_fits import SharingExecutor
from curvewise.automl._tables.table import Table
from curvewise.core._policies.policy_text import parse_policy
from curvewise.executors._factory import make_executor
from curvewise.executors._loop import run
from curvewise.executors._resource_limits import Limits


def curves_cell(ledger: Ledger, plan: Plan, cell: Cell, table: Table) -> dict[str, Any]:
    """Carry out a cell; give the mean loss of each learner by anchor."""
    method, settings = plan.method(cell.method), plan.settings
    portfolio = paper_portfolio(cell.seed)
    names, learners = list(portfolio), list(portfolio.values())
    share = settings.train_share
    splitter = split(method.splits, method.folds, table.y, train_share=share, seed=cell.seed)
    experiment = make_experiment(table, learners[0], splitter, seed=cell.seed)
    limits = Limits(timeout_per_fit=settings.timeout, memory_limit=settings.memory)
    search = experiment.search(
        range(len(learners)),  # type: ignore[arg-type]
        policy=parse_policy(method.policy),
        limits=limits,
    )
    executor = SharingExecutor(
        lambda: make_executor(experiment.evaluate, limits=limits),
        ledger.fits(fits_key(experiment, settings, cell.seed, of=f"portfolio {cell.seed}")),
    )
    with closing(executor):
        run(search, executor, candidates=dict(enumerate(learners)))
    curves = {
        name: [[anchor, result.curve.mean(anchor)] for anchor in result.curve.anchors]
        for name, result in zip(names, search.results.values(), strict=True)
    }
    return {
        "curves": {name: points for name, points in curves.items() if points},
        "target": experiment.folds.target,
        "seconds": executor.bill.seconds,
        "fits": executor.bill.n_fits,
        "rows": executor.bill.n_rows,
        "n_rows": table.n_rows,
    }
