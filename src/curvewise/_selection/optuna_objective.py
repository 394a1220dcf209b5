"""`CurveObjective`: trials of an Optuna study are validated against the best trial so far.

Rules:

1. *Pairing.* Folds and nested training subsets are the same for all trials, and follow from the
   data, ``cv`` and ``random_state`` alone. So trials can be compared fold by fold, in other
   threads, in other processes and when a study is resumed.
2. *Everything is in the study.* A trial leaves its losses by anchor and fold in its user
   attributes, together with a digest of the data, the folds and the metric. The objective itself
   remembers nothing: what a trial has to beat, and what earlier trials cost, is read from the
   study when the trial begins. Trials with another digest, or without one, do not count.
3. *One search per trial*, with one contender and the best complete (and feasible) trial as the
   leader. The policy is told of the earlier trials: how many there are, and what the last ones
   lost and took. Otherwise a `Race` would take each trial for a whole search, of which ``price``
   is the worth, and drop trials that are worth finishing. With one long-lived search instead,
   processes would not know of each other, and threads would have to carry out others' trials.
4. *Ends.* COMPLETED gives the score. PRUNED raises ``TrialPruned`` with the explanation. So does
   STOPPED (a limit): samplers then avoid what cannot finish. FAILED gives NaN, with which Optuna
   marks the trial as failed, logs it and goes on; an exception would end the study.
5. *Intermediate values*: after the i-th evaluation (from 0), step i is the mean score at its
   anchor. The study's own pruner would compare values of different anchors; it is asked only if
   wanted.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn import config_context, get_config
from sklearn.utils import check_random_state

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._selection.candidates import check_estimator
from curvewise._selection.experiment import Experiment
from curvewise._selection.optuna_trials import (
    best_of,
    check_direction,
    comparable_trials,
    conclude,
    curve_of,
    digest_of,
)
from curvewise.core._outcome import Outcome
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._loop import run
from curvewise.executors._protocol import Executor

if TYPE_CHECKING:
    from optuna.trial import BaseTrial
else:
    # Annotations are read at run time, too; a missing optuna is said to be missing there.
    from curvewise._selection.optuna_trials import BaseTrial

# The policy is told what this many of the latest trials lost and took.
N_RECENT = 50


class CurveObjective:
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
    'Trial ... pruned at 120 rows after 1 fold (...): 0.6667 against 0.9...'
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
        if not callable(define):
            raise InvalidParameterError(
                f"define must be a function that takes a trial and returns an estimator, "
                f"got {define!r}."
            )
        if isinstance(policy, type) or not hasattr(policy or Race(), "decide"):
            raise InvalidParameterError(f"policy must be a policy such as Race(), got {policy!r}.")
        self.define = define
        self.policy = policy
        self.limits = Limits(
            timeout_per_candidate=timeout_per_candidate,
            timeout_per_fit=timeout_per_fit,
            memory_limit=memory_limit,
        )
        self.study_pruner = study_pruner
        # What follows from the data waits for the first estimator.
        self._make_experiment = partial(
            Experiment,
            X=X,
            y=y,
            cv=list(cv) if isinstance(cv, Iterator) else cv,
            scoring=scoring,
            groups=groups,
            params=params,
            test_cap=test_cap,
            random_state=_fixed(random_state),
        )
        # scikit-learn's settings belong to a thread, and trials may run in others.
        self._settings = get_config()
        self._experiment: Experiment | None = None
        self._digest = ""
        self._begin()

    def __call__(self, trial: BaseTrial) -> float:
        """Validate the estimator of a trial; its score, NaN if it failed."""
        study = getattr(trial, "study", None)
        check_direction(study)
        with config_context(**self._settings):
            estimator = self.define(trial)
            check_estimator(estimator, "What define returns")
            experiment = self._prepare(estimator)
        earlier = comparable_trials(study, self._digest)
        name = f"Trial {trial.number}"
        search = experiment.search(
            [name],
            policy=self.policy,
            limits=self.limits,
            best_score=best_of(earlier, experiment.scoring.scale),
            earlier=[curve_of(trial) for trial in earlier[-N_RECENT:]],
            one_of=trial.number + 1,
        )
        report = TrialReport(trial, asks_pruner=self.study_pruner)
        with self._executor(experiment) as executor:
            ending = run(search, executor, candidates=lambda _: estimator, listeners=[report])
        if ending is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        return conclude(trial, search.results[name], self._digest)

    curve = staticmethod(curve_of)

    def close(self) -> None:
        """End the worker processes, if there are any; later trials would start new ones."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_idle")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()

    def _begin(self) -> None:
        """Make what no other process can have."""
        self._lock = Lock()
        self._idle: list[Executor] = []

    def _prepare(self, estimator: Any) -> Experiment:
        """Put folds, metric and evaluation together, once, when the first estimator is known."""
        with self._lock:
            if self._experiment is None:
                experiment = self._make_experiment(estimator)
                self._digest = digest_of(experiment)
                self._experiment = experiment
            return self._experiment

    @contextmanager
    def _executor(self, experiment: Experiment) -> Iterator[Executor]:
        """Lend an executor to one trial at a time."""
        with self._lock:
            executor = self._idle.pop() if self._idle else None
        if executor is None:
            executor = make_executor(experiment.evaluate, limits=self.limits)
        try:
            yield executor
        except BaseException:
            executor.close()
            raise
        with self._lock:
            self._idle.append(executor)


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


def _fixed(random_state: Any) -> int:
    """Turn chance into a number, so that copies in other processes have the same folds."""
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
