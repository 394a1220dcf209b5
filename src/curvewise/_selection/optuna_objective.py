"""`CurveObjective`: trials of an Optuna study are validated against the best trial so far.

Rules, beside those of `TrialValidation`:

1. *Everything is in the study.* A trial leaves its losses by anchor and fold in its user
   attributes. The objective itself remembers nothing: what a trial has to beat, and what earlier
   trials cost, is read from the study when the trial begins. Trials with another digest, or
   without one, do not count, and infeasible ones need not be beaten.
2. *Ends.* COMPLETED gives the score. PRUNED raises ``TrialPruned`` with the explanation. So does
   STOPPED (a limit): samplers then avoid what cannot finish. FAILED gives NaN, with which Optuna
   marks the trial as failed, logs it and goes on; an exception would end the study.
3. *Intermediate values*: after the i-th evaluation (from 0), step i is the mean score at its
   anchor. The study's own pruner would compare values of different anchors; it is asked only if
   wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._selection.optuna_trials import (
    best_of,
    check_direction,
    comparable_trials,
    conclude,
    curve_of,
    record_of,
    trial_name,
)
from curvewise._selection.trial_validation import (
    N_RECENT,
    EndsWorkers,
    TrialValidation,
    check_define,
)
from curvewise.core._outcome import Outcome
from curvewise.core._policy import Policy
from curvewise.core._search import Search
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Listener

if TYPE_CHECKING:
    from optuna.trial import BaseTrial
else:
    # Annotations are read at run time, too; a missing optuna is said to be missing there.
    from curvewise._selection.optuna_trials import BaseTrial


class CurveObjective(EndsWorkers):
    """An objective for Optuna that stops validating a trial when it cannot win.

    Parameters
    ----------
    define
        Takes a trial and gives an unfitted estimator.
    X, y
        The data: arrays, data frames of pandas or polars, sparse matrices, lists; y may be None.
    cv
        A number of folds, any splitter of scikit-learn, or pairs of training and test rows; 5
        folds by default. A splitter that shuffles needs its own ``random_state``, or processes
        have different folds and do not compare their trials.
    scoring
        A metric or several, as scikit-learn's users write them; the first decides. By default the
        estimator's own score.
    policy
        The rules; by default a `Race`.
    groups
        The group of each row, for splitters that keep groups together.
    params
        What ``fit`` takes besides, such as sample weights.
    timeout_per_candidate
        Seconds for all fits of a trial together.
    timeout_per_fit
        Seconds for each fit.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``. With any of these limits, fits are
        carried out in a worker process for each thread that the study uses.
    test_cap
        At inner anchors score no more than this many test rows.
    study_pruner
        Whether the study's own pruner is asked as well, after each evaluation.
    random_state
        The seed of the training subsets. Give a number where a study is resumed or shared.

    Notes
    -----
    The study must maximise one value. ``study.optimize(objective, n_jobs=...)`` runs trials in
    threads; processes may share a study through its storage.

    User attributes of each trial: ``curvewise_status`` ("completed", "pruned", "stopped",
    "failed"), ``curvewise_explanation``, ``curvewise_anchor`` (the most rows it was trained on),
    ``curvewise_training_rows`` and ``curvewise_seconds`` (of all its fits together),
    ``curvewise_record``, from which `curve` makes its learning curve, and ``curvewise_traceback``
    if it failed.

    With limits, close the objective, or use it as a context manager.

    Examples
    --------
    >>> import optuna
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def define(trial):
    ...     depth = trial.suggest_int("max_depth", 1, 3)
    ...     return DecisionTreeClassifier(max_depth=depth, random_state=0)
    >>> objective = CurveObjective(define, *load_iris(return_X_y=True), random_state=0)
    >>> sampler = optuna.samplers.GridSampler({"max_depth": [1, 2, 3]}, seed=0)
    >>> study = optuna.create_study(direction="maximize", sampler=sampler)
    >>> study.optimize(objective)
    >>> study.best_params, round(study.best_value, 4)
    ({'max_depth': 3}, 0.96)
    >>> (stump,) = [trial for trial in study.trials if trial.params["max_depth"] == 1]
    >>> stump.user_attrs["curvewise_explanation"]
    'Trial ... pruned at 120 rows after 1 fold (...): 0.6667, to beat 0.9...'
    """

    def __init__(
        self,
        define: Callable[[BaseTrial], Estimator],
        X: Any,
        y: Any = None,
        *,
        scoring: ScoringGiven = None,
        cv: FoldsGiven = None,
        policy: Policy | None = None,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        timeout_per_candidate: float | None = None,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        test_cap: int | None = None,
        study_pruner: bool = False,
        random_state: Seed = None,
    ) -> None:
        check_define(define, "trial")
        self.define = define
        self.study_pruner = study_pruner
        self._trials: TrialValidation = TrialValidation(
            X,
            y,
            scoring=scoring,
            cv=cv,
            policy=policy,
            limits=Limits(
                timeout_per_candidate=timeout_per_candidate,
                timeout_per_fit=timeout_per_fit,
                memory_limit=memory_limit,
            ),
            random_state=random_state,
            groups=groups,
            params=params,
            test_cap=test_cap,
        )

    def __call__(self, trial: BaseTrial) -> float:
        """Validate the estimator of a trial; its score, NaN if it failed."""
        study = getattr(trial, "study", None)
        check_direction(study)
        with self._trials.settings:
            estimator = self.define(trial)
        digest = self._trials.prepare(estimator, "What define returns")
        earlier = comparable_trials(study, digest)
        result = self._trials.validate(
            trial_name(trial),
            estimator,
            best=best_of(earlier),
            earlier=[record_of(other) for other in earlier[-N_RECENT:]],
            one_of=trial.number + 1,
            listeners=[TrialReport(trial, asks_pruner=self.study_pruner)],
        )
        return conclude(trial, result, digest)

    curve = staticmethod(curve_of)


class TrialReport(Listener):
    """Reports the means of a trial as they come, and asks the study's pruner if it should."""

    def __init__(self, trial: BaseTrial, *, asks_pruner: bool) -> None:
        self._trial = trial
        self._asks_pruner = asks_pruner
        self._n_reported = 0

    def started(self, search: Search) -> None:
        """Begin to report."""
        self._search = search

    def told(self, outcome: Outcome) -> None:
        """Report the mean score at an anchor (rule 5)."""
        portfolio, task = self._search.portfolio, outcome.task
        curve = portfolio.contenders[task.candidate].curve
        if curve.at(task.anchor, task.fold) is None:
            return
        self._trial.report(portfolio.scale.score(curve.mean(task.anchor)), step=self._n_reported)
        self._n_reported += 1
        if self._asks_pruner and not self._search.done and self._trial.should_prune():
            self._search.stop("the study's pruner")
