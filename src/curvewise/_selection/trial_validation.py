"""Trials of another tool's search: candidates that come one at a time.

Whoever proposes them (Optuna, SMAC, naiveautoml), the rules are the same:

1. *Pairing.* Folds and nested training subsets are the same for all trials, and follow from the
   data, ``cv`` and ``random_state`` alone. So trials can be compared fold by fold, in other
   threads, in other processes and when a run is resumed.
2. *One search per trial*, with one contender and the best complete trial as the leader. The policy
   is told of the earlier trials: how many there are, and what the last ones lost and took.
   Otherwise a `Race` would take each trial for a whole search, of which ``price`` is the worth,
   and drop trials that are worth finishing. With one long-lived search instead, processes would
   not know of each other, and threads would have to carry out others' trials.
3. *Copies.* Tools carry trials out in threads, in copies of this process and in others. Worker
   processes belong to the process that started them: a copy starts its own.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from threading import Lock
from typing import Any, Self

import numpy as np
from sklearn import config_context, get_config
from sklearn.utils import check_random_state

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._selection.candidates import check_estimator
from curvewise._selection.experiment import Experiment
from curvewise._selection.trial_records import TrialRecord, digest_of
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Task
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._loop import run
from curvewise.executors._protocol import Executor

# The policy is told what this many of the latest trials lost and took.
N_RECENT = 50


class TrialValidation:
    """Folds, metric, rules and workers that all trials on one data set share."""

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        scoring: ScoringGiven,
        cv: FoldsGiven,
        policy: Policy | None,
        limits: Limits,
        random_state: Seed,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        test_cap: int | None = None,
    ) -> None:
        check_policy(policy)
        self.policy = policy
        self.limits = limits
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
            random_state=fixed_seed(random_state),
        )
        # scikit-learn's settings belong to a thread, and trials may run in others.
        self._settings = get_config()
        self._experiment: Experiment | None = None
        self._digest = ""
        self._begin()

    @property
    def settings(self) -> Any:
        """scikit-learn's settings of the thread that made this, as a context."""
        return config_context(**self._settings)

    def prepare(self, estimator: Estimator, name: str) -> str:
        """Put folds and metric together for the first estimator; give the digest of all of them."""
        check_estimator(estimator, name)
        with self._lock:
            if self._experiment is None:
                with self.settings:
                    experiment = self._make_experiment(estimator)
                self._digest = digest_of(experiment)
                self._experiment = experiment
            return self._digest

    @property
    def experiment(self) -> Experiment:
        """What the first estimator made; there must have been one."""
        if self._experiment is None:
            raise RuntimeError("No estimator has been prepared.")
        return self._experiment

    @property
    def scale(self) -> Scale:
        """How losses become scores."""
        return self.experiment.scoring.scale

    def validate(
        self,
        name: str,
        estimator: Estimator,
        *,
        best: TrialRecord | None,
        earlier: Sequence[TrialRecord],
        one_of: int,
        listeners: Sequence[Listener] = (),
    ) -> ValidationResult:
        """Validate one trial of ``one_of`` so far, against the best of the earlier ones."""
        experiment = self.experiment
        search = experiment.search(
            [name],
            policy=self.policy,
            limits=self.limits,
            best_score=None if best is None else best.as_result(self.scale),
            earlier=list(map(numbered_curve, earlier[-N_RECENT:], count())),
            one_of=one_of,
        )
        with self._executor(experiment) as executor:
            ending = run(search, executor, candidates=lambda _: estimator, listeners=listeners)
        if ending is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        return search.results[name]

    def close(self) -> None:
        """End the worker processes, if there are any; later trials would start new ones."""
        self._leave_to_others()
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_idle", "_others", "_process")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()

    def _begin(self) -> None:
        """Make what no other process can have."""
        self._lock = Lock()
        self._idle: list[Executor] = []
        self._others: list[Executor] = []
        self._process = os.getpid()

    def _leave_to_others(self) -> None:
        """Begin anew in a fork: the workers that it has inherited are those of its parent."""
        if self._process != os.getpid():
            inherited = self._idle
            self._begin()
            # Kept, so that nobody closes them here.
            self._others = inherited

    @contextmanager
    def _executor(self, experiment: Experiment) -> Iterator[Executor]:
        """Lend an executor to one trial at a time."""
        self._leave_to_others()
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


class EndsWorkers:
    """A context manager that ends the worker processes of its trials."""

    _trials: TrialValidation | None

    def close(self) -> None:
        """End the worker processes, if there are any; later trials would start new ones."""
        if self._trials is not None:
            self._trials.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def numbered_curve(record: TrialRecord, number: int) -> LearningCurve:
    """Give the curve of a trial under a name of its own: trials may well be called the same."""
    task = Task(f"earlier {number}", 0, 0)
    return LearningCurve(
        replace(cell, task=task._replace(anchor=cell.task.anchor, fold=cell.task.fold))
        for cell in record.curve
    )


def check_policy(policy: Policy | None) -> None:
    """Refuse what is no policy."""
    if isinstance(policy, type) or not hasattr(policy or Race(), "decide"):
        raise InvalidParameterError(f"policy must be a policy such as Race(), got {policy!r}.")


def check_define(define: Any, takes: str) -> None:
    """Refuse what cannot make estimators."""
    if not callable(define):
        raise InvalidParameterError(
            f"define must be a function that takes a {takes} and returns an estimator, "
            f"got {define!r}."
        )


def fixed_seed(random_state: Any) -> int:
    """Turn chance into a number, so that copies in other processes have the same folds."""
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
