"""What all methods of a group share: the candidates, the splits, the key of their fits."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline

from curvewise._bench.experiments.experiment_plan import Settings
from curvewise._selection.experiment import Experiment
from curvewise.automl._space import default_space
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables.table import Table
from curvewise.executors._store.fingerprint import fingerprint


def draw(settings: Settings, seed: int) -> list[Pipeline]:
    """Draw the sequence of pipelines of a seed; a longer one begins with the same.

    Examples
    --------
    >>> few, many = draw(Settings(candidates=2), 0), draw(Settings(candidates=4), 0)
    >>> [repr(one) for one in few] == [repr(one) for one in many[:2]]
    True
    """
    space = default_space("classification", only_possible=settings.only_possible)
    if settings.leave_out:
        space = space.without(*settings.leave_out)
    rng = np.random.RandomState(seed)
    return [space.sample(rng) for _ in range(settings.candidates)]


def split(kind: str, n: int, y: Any, *, train_share: float, seed: int) -> Any:
    """Make a splitter: stratified folds, or random splits that keep class proportions if possible.

    Examples
    --------
    >>> split("shuffle", 5, ["a", "a", "b", "b"], train_share=0.5, seed=0)
    StratifiedShuffleSplit(n_splits=5, random_state=0, test_size=None, train_size=0.5)
    """
    if kind == "kfold":
        return StratifiedKFold(n, shuffle=True, random_state=seed)
    _, counts = np.unique(np.asarray(y).astype(str), return_counts=True)
    smallest_part = min(train_share, 1 - train_share) * len(y)
    stratified = counts.min() >= 2 and smallest_part >= len(counts)
    splitter = StratifiedShuffleSplit if stratified else ShuffleSplit
    return splitter(n, train_size=train_share, random_state=seed)


def make_experiment(
    table: Table, candidate: Any, splitter: Any, *, seed: int, prepare: bool = True
) -> Experiment:
    """Put data, folds and metric together: accuracy, as an error rate inside."""
    return Experiment(
        candidate,
        table.X,
        table.y,
        cv=splitter,
        scoring="accuracy",
        preprocess=TablePreparation() if prepare else None,
        random_state=seed,
    )


def fits_key(experiment: Experiment, settings: Settings, seed: int, *, of: str = "") -> str:
    """Name what a fit depends on besides its candidate's number, anchor and fold."""
    parts = (
        fingerprint(experiment.X, experiment.y),
        experiment.folds.digest(),
        str(experiment.folds.seed),
        of or f"{seed} {settings.only_possible} {sorted(settings.leave_out)}",
    )
    return blake2b("|".join(parts).encode(), digest_size=12).hexdigest()
