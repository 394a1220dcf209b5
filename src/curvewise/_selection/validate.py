"""`validate`: one estimator along its learning curve, perhaps against a score to beat."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import FitFailedWarning
from sklearn.utils import indexable

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._selection.candidates import check_estimator, gather
from curvewise._selection.experiment import Experiment
from curvewise._selection.known_candidates import validate_known
from curvewise._selection.validated_estimator import ValidatedEstimator
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.executors._execution import Execution
from curvewise.executors._limits import Limits
from curvewise.executors._workers.worker_loop import Fresh

# Who validates against a score has validated others before: a race must not take the one candidate
# for a whole search, for which a larger loss would be acceptable.
ONE_OF = 20


def validate(
    estimator: Estimator,
    X: Any,
    y: Any = None,
    *,
    scoring: ScoringGiven = None,
    cv: FoldsGiven = None,
    policy: Policy | None = None,
    best_score: float | ValidationResult | None = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    timeout_per_candidate: float | None = None,
    timeout_per_fit: float | None = None,
    memory_limit: int | str | None = None,
    dask: str | None = None,
    fresh_workers: Fresh | None = None,
    test_cap: int | None = None,
    return_train_score: bool = False,
    random_state: Seed = None,
) -> ValidatedEstimator:
    """Validate one estimator, and stop early if it cannot beat what is there already.

    Without a score to beat this is scikit-learn's ``cross_validate``: the result's score is the
    mean of the same folds.

    Parameters
    ----------
    estimator
        Unfitted; it is cloned for every fit.
    X, y
        The data: arrays, data frames of pandas or polars, sparse matrices, lists.
    cv
        A number of folds, any splitter of scikit-learn, or pairs of training and test rows; 5
        folds by default.
    best_score
        What has to be beaten: a score, or the result of an earlier candidate on the same folds,
        which is compared fold by fold and needs far fewer fits.
    scoring
        A metric or several, as scikit-learn's users write them; the first decides. By default the
        estimator's own score.
    policy
        The rules; by default a `Race`. `WholeCurve` gives a whole curve.
    groups
        The group of each row, for splitters that keep groups together.
    params
        What ``fit`` takes besides, such as sample weights.
    n_jobs
        How many fits at once; -1 for as many as there are cores, None for what a context of joblib
        asks for, else one.
    timeout_per_candidate
        Seconds for all fits together; who exceeds them is STOPPED with a partial result.
    timeout_per_fit
        Seconds for each fit.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``.
    dask
        The address of a Dask scheduler, or ``"local"``.
    fresh_workers
        After which fits a worker process is replaced: ``"unknown"`` for code of others than
        well-known packages, ``"always"``, ``"never"``; None for unknown where workers are forked
        (Linux), else never.
    test_cap
        At inner anchors score no more than this many test rows.
    return_train_score
        Whether to measure on the training rows as well.
    random_state
        The seed of the training subsets. Splitters have their own.

    Returns
    -------
    ValidatedEstimator
        The score, its interval, the curve, and how it ended: completed, pruned, stopped or failed;
        and its ``report()``, ``advise()`` and ``leaderboard()``.

    Raises
    ------
    InvalidParameterError
        If parameters or data make no sense.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = validate(DecisionTreeClassifier(random_state=0), X, y)
    >>> print(tree.explain())
    DecisionTreeClassifier completed: 0.9174 on 5 folds of 455 rows
    >>> dummy = validate(DummyClassifier(), X, y, best_score=tree)
    >>> dummy.status, dummy.score, len(dummy.curve)
    (<Status.PRUNED: 'pruned'>, nan, 1)
    """
    check_estimator(estimator, "estimator")
    X, y, groups = indexable(X, y, groups)
    experiment = Experiment(
        estimator,
        X,
        y,
        cv=cv,
        scoring=scoring,
        groups=groups,
        params=params,
        test_cap=test_cap,
        train_scores=return_train_score,
        random_state=random_state,
    )
    limits = Limits(
        timeout_per_candidate=timeout_per_candidate,
        timeout_per_fit=timeout_per_fit,
        memory_limit=memory_limit,
    )
    (found,), memory = validate_known(
        experiment,
        gather([estimator]),
        execution=Execution(n_jobs=n_jobs, dask=dask, fresh_workers=fresh_workers),
        limits=limits,
        scoring=scoring,
        seed=random_state,
        policy=policy,
        best_score=best_score,
        one_of=ONE_OF,
    )
    result = ValidatedEstimator.of(found, memory)
    if result.status is Status.FAILED:
        warnings.warn(result.explain(), FitFailedWarning, stacklevel=2)
    return result
