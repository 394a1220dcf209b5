"""One data set, its folds and its metrics: everything that candidates have in common.

`validate`, `compare` and `CurveSearchCV` differ in what they ask; how it is carried out is the same
and stands here: folds, metrics and evaluation are put together, a search is run on the executor
that can keep its limits, and what came of it is handed back.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.utils import get_tags

from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.identity import identity
from curvewise._evaluation.scorers import Scoring, resolve_scoring
from curvewise._selection.candidates import Candidates, predicts_classes
from curvewise._text import said_by
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Stop
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Raised
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError
from curvewise.executors import LiveRun, RunStore
from curvewise.executors._execution import Execution, make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._loop import run
from curvewise.executors._past_run import read_again
from curvewise.executors._protocol import Executor
from curvewise.executors._store.fingerprint import fingerprint

# For so many pairs of fold and anchor the rows that all candidates share are kept, at the most.
MOST_PREPARED = 12


class Experiment:
    """Folds, metrics and evaluation (further arguments are `Evaluator`'s) on one data set."""

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        scoring: Any = None,
        decide_by: str | None = None,
        groups: Any = None,
        split_params: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        random_state: Any = None,
        **evaluation: Any,
    ) -> None:
        self.X, self.y, self.params = X, y, dict(params or {})
        self.scoring: Scoring = resolve_scoring(scoring, decide_by=decide_by, estimator=estimator)
        _check_target(estimator, y)
        self._warn_of_weights(estimator)
        split_params = {"groups": groups, **(split_params or {})}
        self.folds = Folds(
            X,
            y,
            cv=5 if cv is None else cv,
            groups=split_params.pop("groups"),
            classifier=predicts_classes(estimator),
            random_state=random_state,
            params=split_params,
        )
        self.evaluate = Evaluator(
            X,
            y,
            folds=self.folds,
            scoring=self.scoring,
            params=params,
            n_prepared=min(MOST_PREPARED, len(self.folds) + 2),
            weigh_scores=True,
            **evaluation,
        )

    def _warn_of_weights(self, estimator: Any) -> None:
        """Warn if the weights that are fitted with cannot be scored with."""
        if (
            self.params.get("sample_weight") is not None
            and not get_config()["enable_metadata_routing"]
            and not self.scoring.takes_weights(estimator)
        ):
            warnings.warn(
                f"The scoring {list(self.scoring.scorers)} does not support sample_weight: scores "
                "are not weighted, fits are.",
                stacklevel=4,
            )

    def search(
        self,
        names: Iterable[str],
        *,
        limits: Limits,
        best_score: ValidationResult | float | None = None,
        **terms: Any,
    ) -> Search:
        """Make a search over named candidates; the terms are those of `Search`."""
        best_loss: ValidationResult | float | None = None
        if isinstance(best_score, ValidationResult):
            self._check_comparable(best_score)
            best_loss = best_score
        elif best_score is not None:
            score = real_number("best_score", best_score)
            if score > self.scoring.scale.best:
                metric = self.scoring.decide_by or next(iter(self.scoring.scorers))
                raise InvalidParameterError(
                    f"best_score={score:g} cannot be: the best score that {metric} can "
                    f"have is {self.scoring.scale.best:g}."
                )
            best_loss = self.scoring.scale.loss(score)
        search = Search(
            names,
            schedule=self.folds.target,
            n_folds=len(self.folds),
            scale=self.scoring.scale,
            best_loss=best_loss,
            limit=limits.per_candidate,
            **terms,
        )
        self.evaluate.follow(search.policy)
        return search

    def _check_comparable(self, earlier: ValidationResult) -> None:
        """Refuse to compare results of other folds or of another metric."""
        if earlier.status is not Status.COMPLETED:
            raise InvalidParameterError(
                f"best_score must be a result with a score, got one that was "
                f"{earlier.status.value}."
            )
        target = self.folds.target
        same = earlier.folds in ("", self.folds.digest())
        if not same or not earlier.curve.n(target):
            raise InvalidParameterError(
                "best_score must be a result on the same folds of the same data, got one on others."
            )
        measured = earlier.curve.cells(target)[0].scores or self.scoring.scorers
        if earlier.scale != self.scoring.scale or not {*self.scoring.scorers} & {*measured}:
            raise InvalidParameterError(
                f"best_score must be a result of the same metric, got one of {list(measured)} for "
                f"{list(self.scoring.scorers)}."
            )

    def executor(self, *, execution: Execution, limits: Limits) -> Executor:
        """Give who carries tasks out, to be closed after its use."""
        return make_executor(self.evaluate, execution=execution, limits=limits)

    def run(
        self,
        search: Search,
        estimators: Callable[[Any], Any],
        executor: Executor,
        *,
        execution: Execution,
        limits: Limits,
        record: LiveRun | None = None,
        listeners: Sequence[Listener] = (),
        raise_errors: bool = False,
        **budget: Any,
    ) -> Ending:
        """Carry a search out; with ``raise_errors`` what a learner raises goes through.

        When a budget began, and what is to be left of it, is said as to `curvewise.executors.run`.
        """
        self.evaluate.raise_errors = raise_errors and not executor.promises.isolation
        try:
            return run(
                search,
                executor,
                candidates=estimators,
                record=record,
                listeners=listeners,
                time_budget=limits.time_budget,
                window=execution.window,
                **budget,
            )
        except Raised as raised:
            raise raised.error from None

    def read_again(
        self,
        search: Search,
        estimators: Callable[[Any], Any],
        record: LiveRun,
        *,
        listeners: Sequence[Listener],
    ) -> Ending:
        """Take a search that has ended from its run."""
        try:
            return read_again(search, record, estimators, listeners=listeners)
        except Raised as raised:
            raise raised.error from None

    def results_of(
        self,
        candidates: Candidates,
        *,
        execution: Execution,
        limits: Limits,
        listeners: Sequence[Listener] = (),
        **terms: Any,
    ) -> list[ValidationResult]:
        """Search among known candidates (the terms are `search`'s), and give all their results."""
        search = self.search(candidates.names, limits=limits, **terms)
        how: dict[str, Any] = {"execution": execution, "limits": limits}
        with closing(self.executor(**how)) as executor:
            ending = self.run(search, candidates.__getitem__, executor, listeners=listeners, **how)
        if ending is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        return collect(search, candidates.names, folds=self.folds)

    def open_run(
        self,
        store: RunStore,
        *,
        name: str | None,
        policy: Policy | None,
        describe: Callable[[Any], Mapping[str, Any]] | None,
        limits: Limits | None = None,
    ) -> LiveRun:
        """Begin or go on with the run of a store."""
        policy = policy or Race()

        def described(estimator: Any) -> Mapping[str, Any]:
            who = said_by(lambda: identity(estimator), estimator)
            return {"identity": who, **(describe(estimator) if describe else {})}

        return store.begin(
            {"policy": policy, **self.evaluate.describe()},
            fingerprint(self.X, self.y, metadata=self.params),
            schedule=policy.schedule(self.folds.target),
            n_folds=len(self.folds),
            scale=self.scoring.scale,
            n_rows=self.folds.n_rows,
            name=name,
            describe=described,
            limits=limits,
        )


def collect(search: Search, names: Iterable[Candidate], *, folds: Folds) -> list[ValidationResult]:
    """Give one result per candidate, also for those whose turn never came."""
    never = ValidationResult(
        "",
        Status.STOPPED,
        np.nan,
        Interval(-np.inf, np.inf),
        LearningCurve(),
        (Stop("the search ended before its turn", np.nan),),
        (),
        search.portfolio.scale,
    )
    results, digest = search.results, folds.digest()
    return [replace(results.get(name, never), candidate=name, folds=digest) for name in names]


def _check_target(estimator: Any, y: Any) -> None:
    """Refuse a target that is missing, or on which all candidates would be the same."""
    if not hasattr(estimator, "__sklearn_tags__"):
        return
    tags = get_tags(estimator)
    if y is None:
        if tags.target_tags.required:
            kind = type(estimator).__name__
            raise InvalidParameterError(
                f"{kind} requires y to be passed, but the target y is None."
            )
        return
    predicts = {"classifier": "a single class", "regressor": "a single value"}
    values = np.asarray(y)
    if tags.estimator_type in predicts and values.ndim == 1 and len(values) > 1:
        first = values[0]
        if np.all(values == first):
            what = predicts[tags.estimator_type]
            raise InvalidParameterError(f"y has {what}, {first}: there is nothing to learn.")
