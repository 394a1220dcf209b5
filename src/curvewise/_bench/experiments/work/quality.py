"""How good a choice is: Monte-Carlo cross-validation with many repeats (paper, Sec. V-A).

Its splits are drawn for it alone: a method that validates on random splits would otherwise be
judged on the very rows that it chose by. It is made in the cell's own process, one thread, and
shared: methods that chose the same pipeline have the same quality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from curvewise._bench.experiments.experiment_plan import Settings
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.group import fits_key, make_experiment, split
from curvewise.automl._tables.table import Table
from curvewise.core._outcome import Observation, Task
from curvewise.errors import NoResultError
from curvewise.executors._workers.worker_loop import limited_memory

# Any number: what is drawn for quality comes from a stream of its own.
STREAM = 2023


def measure(
    ledger: Ledger, table: Table, candidate: Any, number: int, settings: Settings, seed: int
) -> dict[str, Any]:
    """Measure the quality of a candidate."""
    n = settings.quality_repeats
    splitter = split(
        "shuffle", n, table.y, train_share=settings.train_share, random_state=own_stream(seed)
    )
    experiment = make_experiment(table, candidate, splitter, random_state=seed)
    fits = ledger.fits(fits_key(experiment, settings, seed))
    losses = []
    for fold in range(n):
        task = Task(number, experiment.folds.target, fold)
        outcome = fits.known(task)
        if outcome is None:
            with limited_memory(settings.memory_bytes):
                made = experiment.evaluate(task, candidate)
            outcome = fits.record(made)
        if isinstance(outcome, Observation):
            losses.append(outcome.loss)
    return summarise(losses, n)


def own_stream(seed: int) -> int:
    """Give a seed for quality that is not one of the seeds of the methods' splits."""
    return int(np.random.SeedSequence([STREAM, seed]).generate_state(1)[0])


def summarise(losses: list[float], n_splits: int) -> dict[str, Any]:
    """Average the error rates of the splits that succeeded."""
    if not losses:
        raise NoResultError(f"The choice failed on all {n_splits} splits that measure its quality.")
    return {
        "quality_spread": float(np.std(losses, ddof=1)) if len(losses) > 1 else None,
        "quality_n_splits": n_splits,
        "quality_n_failed": n_splits - len(losses),
        "error": math.fsum(losses) / len(losses),
    }
