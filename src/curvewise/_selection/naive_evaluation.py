"""`CurveEvaluation`: pipelines of naiveautoml are validated against the best one so far.

How naiveautoml 0.1.6 evaluates (its `EvaluationPool`): it calls ``evaluation_fun(pipeline, X, y,
scorings)`` and takes scores by name and a report. Some pipelines are evaluated in a fork of the
process, with a time limit by pynisher. Afterwards it calls ``update(pipeline, scores)`` in this
process, as the evaluation may have been done by a copy. Rules, beside those of `TrialValidation`:

1. *Memory.* The evaluation remembers its trials. What a copy found out comes back with the scores,
   which carry their record, and is taken in by ``update``. Nothing counts twice.
2. *Data.* They come with each call. Other data or metrics begin anew; trials on the same data, the
   same folds and the same metric count again.
3. *Ends.* COMPLETED gives the scores, PRUNED gives NaN: a pipeline without a score is never chosen.
   STOPPED raises what naiveautoml takes for a time-out, FAILED what the learner raised, as text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import hamming_loss, make_scorer

from curvewise._evaluation.given_types import Estimator, FoldsGiven, Seed
from curvewise._evaluation.identity import identity
from curvewise._selection.trial_records import TrialMemory, TrialRecord, best_of
from curvewise._selection.trial_validation import (
    EndsWorkers,
    TrialValidation,
    check_policy,
    fixed_seed,
)
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Observation, Reason, Task
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._run_time import predict_seconds
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._limits import Limits

# Seconds are foreseen from fits on these parts of the training rows.
PARTS = (32, 8)
# Metrics that naiveautoml names for several labels and that scikit-learn has no scorer for.
OWN_METRICS = {"neg_hamming_loss": make_scorer(hamming_loss, greater_is_better=False)}


class CurveEvaluation(EndsWorkers):
    """An evaluation for naiveautoml that stops validating a pipeline when it cannot win.

    Parameters
    ----------
    cv
        A number of folds, any splitter of scikit-learn, or pairs of training and test rows; 5
        folds by default.
    policy
        The rules; by default a `Race`.
    timeout_per_candidate
        Seconds for all fits of a pipeline together.
    timeout_per_fit
        Seconds for each fit.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``. With any of these limits, fits are
        carried out in a worker process.
    test_cap
        At inner anchors score no more than this many test rows.
    random_state
        The seed of the training subsets.

    Notes
    -----
    Give it to ``NaiveAutoML(evaluation_fun=...)``, with ``timeout_candidate=None`` if it keeps
    the limits: it can keep them for every pipeline.

    The metric of naiveautoml's ``scoring`` decides; those of ``passive_scorings`` are measured. A
    pipeline that is pruned has the score NaN. The column ``evaluation_report`` of its ``history``
    has the `ValidationResult` of each pipeline that was completed or pruned.

    With limits, close the evaluation, or use it as a context manager.

    Examples
    --------
    Called as naiveautoml calls it:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.metrics import get_scorer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> evaluation = CurveEvaluation(random_state=0)
    >>> scorings = [{"name": "accuracy", "fun": get_scorer("accuracy")}]
    >>> scores, report = evaluation(GaussianNB(), X, y, scorings)
    >>> round(scores["accuracy"], 4)
    0.9533
    >>> scores, report = evaluation(DummyClassifier(), X, y, scorings)
    >>> scores
    {'accuracy': nan}
    >>> print(report.explain())
    DummyClassifier pruned at 120 rows after 1 fold (...): 0.3333, to beat 0.9...
    """

    def __init__(
        self,
        *,
        cv: FoldsGiven = None,
        policy: Policy | None = None,
        timeout_per_candidate: float | None = None,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        test_cap: int | None = None,
        random_state: Seed = None,
    ) -> None:
        check_policy(policy)
        self.limits = Limits(
            timeout_per_candidate=timeout_per_candidate,
            timeout_per_fit=timeout_per_fit,
            memory_limit=memory_limit,
        )
        self._terms: dict[str, Any] = {
            "cv": cv,
            "policy": policy,
            "limits": self.limits,
            "test_cap": test_cap,
            "random_state": fixed_seed(random_state),
        }
        self._memory = TrialMemory()
        self._trials: TrialValidation | None = None
        self._data: tuple[Any, Any] = (None, None)
        self._scoring: Mapping[str, Any] | None = None

    def __call__(
        self, pipeline: Estimator, X: Any, y: Any, scorings: Sequence[Mapping[str, Any]]
    ) -> tuple[dict[str, float], ValidationResult]:
        """Validate a pipeline; its scores by name, NaN if it was pruned, and the result.

        Parameters
        ----------
        pipeline
            An unfitted estimator.
        X, y
            The data.
        scorings
            Metrics with their ``name`` and their scorer ``fun``; the first decides.

        Raises
        ------
        NoResultError
            If the pipeline failed; the message ends with what it raised.
        TimeoutError
            If it met a time limit: pynisher's ``WallTimeoutException`` if there is one, which
            naiveautoml notes as a time-out.
        MemoryError
            If it met the memory limit.
        """
        scoring = metrics_of(scorings)
        trials = self._on(X, y, scoring)
        digest = trials.prepare(pipeline, "pipeline")
        earlier = self._memory.comparable(digest)
        result = trials.validate(
            name_of(pipeline),
            pipeline,
            best=best_of(earlier),
            earlier=earlier,
            one_of=len(earlier) + 1,
        )
        key = identity(pipeline)
        record = TrialRecord(str(result.candidate), result.status, digest, result.curve)
        self._memory.take(key, record)
        raise_for(result)
        return TrialScores(scores_of(result, list(scoring)), key, record), result

    def update(self, pipeline: Estimator, scores: Mapping[str, float]) -> None:
        """Take in what a copy of this evaluation found out about a pipeline.

        Parameters
        ----------
        pipeline
            The one that was evaluated.
        scores
            What the evaluation gave.
        """
        if isinstance(scores, TrialScores):
            self._memory.take(scores.key, scores.record)

    def estimate_runtime(self, pipeline: Estimator, X: Any, y: Any) -> float:
        """Foresee the seconds of all folds of a pipeline, at the most those that it may take.

        It is fitted on a thirty-second and on an eighth of the training rows.

        Parameters
        ----------
        pipeline
            An unfitted estimator.
        X, y
            The data.
        """
        trials = self._on(X, y, self._scoring)
        trials.prepare(pipeline, "pipeline")
        experiment = trials.experiment
        target = experiment.folds.target
        tasks = [Task("", max(2, target // part), 0) for part in PARTS]
        outcomes = [experiment.evaluate(task, pipeline) for task in tasks]
        curve = LearningCurve(each for each in outcomes if isinstance(each, Observation))
        # Who fails on so few rows will say so when it is evaluated.
        per_fold = predict_seconds(curve, target) or 0.0
        seconds = per_fold * len(experiment.folds)
        return min(seconds, self.limits.timeout_per_candidate or math.inf)

    def _on(self, X: Any, y: Any, scoring: Mapping[str, Any] | None) -> TrialValidation:
        """Give what trials on these data share, and make it if they are others than before."""
        same_data = self._data[0] is X and self._data[1] is y
        if self._trials is None or not same_data or self._scoring != scoring:
            self.close()
            self._trials = TrialValidation(X, y, scoring=scoring, **self._terms)
            self._data, self._scoring = (X, y), scoring
        return self._trials


class TrialScores(dict[str, float]):
    """Scores by name that carry the record of their trial from process to process."""

    def __init__(self, scores: Mapping[str, float], key: str, record: TrialRecord) -> None:
        super().__init__(scores)
        self.key = key
        self.record = record

    def __reduce__(self) -> tuple[Any, ...]:
        return TrialScores, (dict(self), self.key, self.record)


def metrics_of(scorings: Any) -> dict[str, Any]:
    """Read naiveautoml's list of metrics; the first decides."""
    listed = [scorings] if isinstance(scorings, Mapping) else scorings
    try:
        # With several labels naiveautoml gives names without scorers.
        metrics = {
            each["name"]: each.get("fun") or OWN_METRICS.get(each["name"], each["name"])
            for each in listed
        }
    except (AttributeError, KeyError, TypeError):
        metrics = {}
    if not metrics:
        raise InvalidParameterError(
            "scorings must be metrics such as [{'name': 'accuracy', 'fun': "
            f"get_scorer('accuracy')}}], got {scorings!r}."
        )
    return metrics


def scores_of(result: ValidationResult, metrics: Sequence[str]) -> dict[str, float]:
    """Average every metric over the folds at the target; NaN for a pipeline that was pruned."""
    if result.status is not Status.COMPLETED:
        return dict.fromkeys(metrics, math.nan)
    cells = result.curve.cells(result.curve.anchors[-1])
    measured = [cell.scores or {} for cell in cells]
    means = {name: float(np.mean([each[name] for each in measured])) for name in metrics[1:]}
    return {metrics[0]: result.score, **means}


def raise_for(result: ValidationResult) -> None:
    """Raise what naiveautoml has to know of a pipeline that did not come to its end."""
    if result.status is Status.FAILED:
        raise NoResultError(f"{result.explain()}\n{result.failures[-1].message}")
    if result.status is Status.STOPPED:
        if any(failure.reason is Reason.MEMORY for failure in result.failures):
            raise MemoryError(result.explain())
        raise timeout_error()(result.explain())


def timeout_error() -> type[Exception]:
    """Give the error by which naiveautoml knows a time-out."""
    try:
        from pynisher import WallTimeoutException
    except ImportError:
        return TimeoutError
    return WallTimeoutException


def name_of(pipeline: Any) -> str:
    """Name a pipeline by its steps."""
    steps = getattr(pipeline, "steps", None) or [("", pipeline)]
    return " → ".join(type(step).__name__ for _, step in steps)
