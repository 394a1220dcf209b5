"""The fit on all rows, as a task like every other: in a worker, under its limits.

An executor carries candidates out by giving them to the `Evaluator`. In the place of a candidate it
may be given a `FinalFit`: then all rows are fitted, nothing is scored, and what comes back is an
`Observation` that carries the fitted estimator.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Self

import cloudpickle
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from curvewise._evaluation.learners import learner_of
from curvewise._evaluation.metadata import for_fit
from curvewise._evaluation.rows import copied
from curvewise._evaluation.shared_steps import FIRST_STEP
from curvewise.core._outcome import Observation, Task

# The fold of the task that stands for all rows.
ALL_ROWS = -1


@dataclass(frozen=True, slots=True)
class FittedOnAll(Observation):
    """What a final fit gave: the fitted estimator, pickled; nothing if it cannot be pickled."""

    pickled: bytes | None = None

    def __post_init__(self) -> None:
        if not (self.pickled is None or isinstance(self.pickled, bytes)):
            raise TypeError("a fitted estimator travels as bytes")

    @classmethod
    def of(cls, task: Task, estimator: Any, *, seconds: float) -> Self:
        """Make it ready to travel."""
        try:
            pickled = cloudpickle.dumps(estimator)
        except Exception:
            pickled = None
        return cls(task, 0.0, seconds=seconds, pickled=pickled)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalFit:
    """A candidate that is to be fitted on all rows.

    Parameters
    ----------
    candidate
        The unfitted estimator.
    params
        What ``fit`` takes besides.
    found
        What its fits have found for its own parameters: set, not looked for again.
    preprocess
        The transformer that all candidates shared; None if there was none, ``"first step"`` if it
        is part of the candidate.
    n_threads
        How many threads numerical libraries may use; None for no bound.
    """

    candidate: Any
    params: Mapping[str, Any] = field(default_factory=dict)
    found: Mapping[str, int] = field(default_factory=dict)
    preprocess: Any = None
    n_threads: int | None = None

    def prepared(self) -> Any:
        """Give the estimator that is to be fitted, with what was found."""
        estimator = clone(self.candidate)
        if self.found:
            learner_of(estimator).set_params(**self.found)
        return estimator

    def carry_out(self, estimator: Any, X: Any, y: Any) -> tuple[Any, float]:
        """Fit after the pre-processing that was shared; give all of it, and the seconds it took."""
        # A learner that works in place reaches neither the user's data nor who is fitted next.
        X, target = copied(X), () if y is None else (copied(y),)
        whole = estimator
        # Left to themselves, learners take a thread for each core, on a busy machine at many times
        # the cost of one: a boosted forest took a minute for what a worker did in three seconds.
        limited = nullcontext() if self.n_threads is None else threadpool_limits(self.n_threads)
        begun = perf_counter()
        with limited:
            if self.preprocess is not None and self.preprocess != FIRST_STEP:
                shared = clone(self.preprocess)
                X = shared.fit_transform(X, *target)
                whole = Pipeline([("preprocess", shared), ("model", estimator)])
            estimator.fit(X, *target, **for_fit(estimator, self.params))
        return whole, perf_counter() - begun
