"""What all methods of a group share: candidates, splits, fits and their key, quality.

The quality of a choice is a Monte-Carlo cross-validation with many repeats (paper, Sec. V-A). Its
splits are drawn for it alone: a method that validates on random splits would otherwise be judged
on the very rows that it chose by. It is made in the cell's own process, one thread, and shared:
methods that chose the same pipeline have the same quality.
"""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline

from curvewise._bench.contestant import Contestant
from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.experiment_plan import Plan, Settings
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.sequences import build, read_sequence
from curvewise._bench.experiments.work.shared_fits import Bill, SharingExecutor
from curvewise._selection.experiment import Experiment
from curvewise.automl._space.default_spaces import paper_space
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables.table import Table
from curvewise.core._outcome import Observation, Task
from curvewise.core._search import Search
from curvewise.errors import CurvewiseError, NoResultError
from curvewise.executors._execution import make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending
from curvewise.executors._loop import run
from curvewise.executors._store.fingerprint import fingerprint
from curvewise.executors._workers.memory import limited_memory

# Any number: what is drawn for quality comes from a stream of its own.
STREAM = 2023


@dataclass(frozen=True, slots=True)
class SharedSearch:
    """A search that has ended, what it is charged with, and how long it took to decide."""

    search: Search
    bill: Bill
    deciding_seconds: float
    target: int


def draw(settings: Settings, seed: int) -> list[Pipeline]:
    """Draw the sequence of pipelines of a seed, or read it; a longer one begins with the same."""
    if settings.sequences:
        return build(read_sequence(settings.sequences[seed])[: settings.candidates], seed)
    space = paper_space(
        "classification",
        kernels=settings.kernels,  # type: ignore[arg-type]
        only_possible=settings.only_possible,
    )
    if settings.leave_out:
        space = space.without(*settings.leave_out)
    rng = np.random.RandomState(seed)
    return [space.sample(rng) for _ in range(settings.candidates)]


def split(kind: str, n: int, y: Any, *, train_share: float, random_state: int) -> Any:
    """Make a splitter: stratified folds, or random splits, stratified if that is possible."""
    if kind == "kfold":
        return StratifiedKFold(n, shuffle=True, random_state=random_state)
    _, counts = np.unique(np.asarray(y).astype(str), return_counts=True)
    smallest_part = min(train_share, 1 - train_share) * len(y)
    stratified = counts.min() >= 2 and smallest_part >= len(counts)
    splitter = StratifiedShuffleSplit if stratified else ShuffleSplit
    return splitter(n, train_size=train_share, random_state=random_state)


def make_experiment(
    table: Table, candidate: Any, splitter: Any, *, random_state: int
) -> Experiment:
    """Put data, folds and metric together: accuracy, as an error rate inside."""
    return Experiment(
        candidate,
        table.X,
        table.y,
        cv=splitter,
        scoring="accuracy",
        preprocess=TablePreparation(),
        random_state=random_state,
    )


def search_among(
    ledger: Ledger,
    plan: Plan,
    cell: Cell,
    table: Table,
    candidates: list[Any],
    limits: Limits,
    *,
    of: str = "",
) -> SharedSearch:
    """Search with a cell's method among candidates, by their numbers; fits are shared."""
    method, settings = plan.method(cell.method), plan.settings
    splitter = split(
        method.splits,
        method.folds,
        table.y,
        train_share=settings.train_share,
        random_state=cell.seed,
    )
    experiment = make_experiment(table, candidates[0], splitter, random_state=cell.seed)
    contestant = Contestant.parse(method.policy)
    numbers = list(range(len(candidates)))
    search = experiment.search(
        iter(numbers) if contestant.streaming else numbers,  # type: ignore[arg-type]
        policy=contestant.policy,
        limits=limits,
    )
    executor = SharingExecutor(
        lambda: make_executor(experiment.evaluate, limits=limits),
        ledger.fits(fits_key(experiment, settings, cell.seed, of=of)),
    )
    with closing(executor):
        begun = perf_counter()
        ending = run(search, executor, candidates=dict(enumerate(candidates)))
        deciding = perf_counter() - begun - executor.away_seconds
    if ending is not Ending.FINISHED:
        raise CurvewiseError(f"The search was {ending.value}.")
    return SharedSearch(search, executor.bill, deciding, experiment.folds.target)


def fits_key(experiment: Experiment, settings: Settings, seed: int, *, of: str = "") -> str:
    """Name what a fit depends on besides its candidate's number, anchor and fold."""
    drawn: tuple[Any, ...] = (seed, settings.sequences_digest)
    if not settings.sequences:
        drawn = (seed, settings.kernels, settings.only_possible, sorted(settings.leave_out))
    parts = (
        fingerprint(experiment.X, experiment.y),
        experiment.folds.digest(),
        str(experiment.folds.seed),
        *([] if experiment.evaluate.test_part == "fold" else [experiment.evaluate.test_part]),
        of or " ".join(map(str, drawn)),
    )
    return blake2b("|".join(parts).encode(), digest_size=12).hexdigest()


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
