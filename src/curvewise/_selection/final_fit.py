"""The best candidate, fitted on all data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from time import perf_counter
from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from curvewise._selection.callbacks import Tasks


class FinalFit(NamedTuple):
    """The fitted estimator, and the seconds that fitting it took."""

    estimator: Any
    seconds: float


def fit_on_all(
    candidate: Any,
    X: Any,
    y: Any,
    *,
    params: Mapping[str, Any],
    preprocess: Any,
    tasks: Tasks,
    n_threads: int | None = None,
) -> FinalFit:
    """Fit a candidate after the pre-processing that it shared; callbacks are told."""
    best = estimator = clone(candidate)
    target = () if y is None else (y,)
    # Left to themselves, learners take a thread for each core, on a busy machine at many times the
    # cost of one: a boosted forest took a minute for what a worker did in three seconds.
    limited = nullcontext() if n_threads is None else threadpool_limits(n_threads)
    begun = perf_counter()
    with limited:
        if preprocess is not None:
            preprocess = clone(preprocess)
            X = preprocess.fit_transform(X, *target)
            estimator = Pipeline([("preprocess", preprocess), ("model", best)])
        tasks.refit(best, lambda: best.fit(X, *target, **params))
    return FinalFit(estimator, perf_counter() - begun)
