"""From a raw table to the best pipeline: `CurveAutoMLClassifier` and `CurveAutoMLRegressor`.

Pipelines are drawn from a search space and validated along their learning curves. What all of them
need, numbers without gaps, is learnt once per fold and anchor, on its training rows only.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from curvewise._selection.search_cv import CurveSearchCV
from curvewise.automl._pipeline_search import equipped
from curvewise.automl._space import SearchSpace, default_space, load_space
from curvewise.automl._splits import shuffled
from curvewise.automl._table_preparation import TablePreparation
from curvewise.core._ranks import rank
from curvewise.errors import InvalidParameterError
from curvewise.executors._listener import Ending, Listener

# As in the paper: five minutes for a pipeline.
TIMEOUT_SECONDS = 300.0


class CurveAutoML(BaseEstimator):
    """What the classifier and the regressor have in common.

    Parameters
    ----------
    n_candidates
        How many pipelines are drawn; None for as many as there is time for.
    time_budget
        Seconds for the whole search, without the final fit; None for no limit.
    space
        What pipelines are drawn from: a `SearchSpace`, a file that describes one, or any callable
        that is given a random state and gives an estimator. By default the paper's space.
    leave_out
        Names of algorithms that are not to be drawn.
    cv
        How many folds, shuffled; or a splitter, for rows in the order of time or in groups.
    scoring, policy, n_jobs, timeout_per_candidate, timeout_per_fit, memory_limit, dask, store, \
run, deterministic, test_cap, verbose, random_state
        As for `CurveSearchCV`.
    """

    task: str

    def __init__(
        self,
        *,
        n_candidates: int | None = 100,
        time_budget: float | None = None,
        space: Any = None,
        leave_out: Any = (),
        scoring: Any = None,
        cv: Any = None,
        policy: Any = None,
        n_jobs: int | None = None,
        timeout_per_candidate: float | None = TIMEOUT_SECONDS,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        dask: str | None = None,
        store: Any = None,
        run: str | None = None,
        deterministic: bool = False,
        test_cap: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_candidates = n_candidates
        self.time_budget = time_budget
        self.space = space
        self.leave_out = leave_out
        self.scoring = scoring
        self.cv = cv
        self.policy = policy
        self.n_jobs = n_jobs
        self.timeout_per_candidate = timeout_per_candidate
        self.timeout_per_fit = timeout_per_fit
        self.memory_limit = memory_limit
        self.dask = dask
        self.store = store
        self.run = run
        self.deterministic = deterministic
        self.test_cap = test_cap
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Search, and fit the best pipeline on all rows.

        After Ctrl-C the best pipeline so far is taken.

        Parameters
        ----------
        X
            A raw table: a data frame or an array, with gaps, categories and dates.
        y
            What is to be predicted.
        **params
            ``groups`` for splitters that keep groups together.
        """
        if self.n_candidates is None and self.time_budget is None:
            raise InvalidParameterError(
                "n_candidates and time_budget cannot both be None: the search would never end."
            )
        notes = {"task": self.task, **getattr(self, "_notes", {})}
        search = self.search_ = self._make_search()
        equipped(search, listeners=getattr(self, "_listeners", ()), notes=notes)
        search.fit(X, y, **params)
        self.best_pipeline_ = search.best_estimator_
        self.best_score_ = search.best_score_
        self.leaderboard_ = leaderboard(search)
        if search.ending_ is Ending.INTERRUPTED:
            warnings.warn(
                "The search was interrupted: the best pipeline so far was taken.", stacklevel=2
            )
        if hasattr(self.best_pipeline_, "classes_"):
            self.classes_ = self.best_pipeline_.classes_
        self.n_features_in_ = X.shape[1] if hasattr(X, "shape") else len(X[0])
        if hasattr(X, "columns"):
            self.feature_names_in_ = search.feature_names_in_
        return self

    def add_listener(self, listener: Listener) -> Self:
        """Let somebody hear of what happens while the search runs.

        Parameters
        ----------
        listener
            Hears of every decision and every outcome, and may stop the search.
        """
        self._listeners = [*getattr(self, "_listeners", ()), listener]
        return self

    def note_for_readers(self, notes: Mapping[str, Any]) -> Self:
        """Write something down for readers of the store.

        Parameters
        ----------
        notes
            Values that JSON can express, by key.
        """
        self._notes = dict(notes)
        return self

    def predict(self, X: Any) -> Any:
        """Predict with the best pipeline.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        check_is_fitted(self)
        return self.best_pipeline_.predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _make_search(self) -> CurveSearchCV:
        return CurveSearchCV(
            self._chosen_space(),
            n_iter=self.n_candidates,
            scoring=self.scoring,
            cv=shuffled(self.cv, self.task, self.random_state),
            policy=self.policy,
            n_jobs=self.n_jobs,
            time_budget=self.time_budget,
            timeout_per_candidate=self.timeout_per_candidate,
            timeout_per_fit=self.timeout_per_fit,
            memory_limit=self.memory_limit,
            dask=self.dask,
            store=self.store,
            run=self.run,
            deterministic=self.deterministic,
            preprocess=TablePreparation(),
            test_cap=self.test_cap,
            verbose=self.verbose,
            random_state=self.random_state,
        )

    def _chosen_space(self) -> Any:
        space = self.space
        if space is None:
            space = default_space(self.task, only_possible=True)
        if not callable(space):
            space = load_space(space)
        if isinstance(space, SearchSpace):
            self._check_learners(space)
        if not self.leave_out:
            return space
        if not isinstance(space, SearchSpace):
            raise InvalidParameterError("leave_out works with a SearchSpace only.")
        names = [self.leave_out] if isinstance(self.leave_out, str) else self.leave_out
        return space.without(*names)

    def _check_learners(self, space: SearchSpace) -> None:
        """Refuse learners of the other kind before each of them fails."""
        kinds = {"classification": ClassifierMixin, "regression": RegressorMixin}
        own = kinds.pop(self.task)
        ((other, foreign),) = kinds.items()
        for component in space.slots[-1].components:
            if issubclass(component.load(), foreign) and not issubclass(component.load(), own):
                raise InvalidParameterError(
                    f"{component.name} is for {other}, and the task is {self.task}."
                )


class CurveAutoMLClassifier(ClassifierMixin, CurveAutoML):
    """Find the best pipeline that predicts classes.

    Parameters
    ----------
    n_candidates, time_budget, space, leave_out, scoring, cv, policy, n_jobs, \
timeout_per_candidate, timeout_per_fit, memory_limit, dask, store, run, deterministic, \
test_cap, verbose, random_state
        As for `CurveAutoML`.

    Attributes
    ----------
    best_pipeline_
        The winner, with its pre-processing, fitted on all rows.
    best_score_
        Its cross-validation score.
    leaderboard_
        A row per candidate, the best first.
    search_
        The fitted `CurveSearchCV` with everything else.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> automl = CurveAutoMLClassifier(
    ...     n_candidates=5, timeout_per_candidate=None, random_state=9
    ... ).fit(X, y)
    >>> len(automl.leaderboard_), automl.predict(X.head(1)).tolist()
    (5, [0])
    """

    task = "classification"

    @available_if(lambda self: hasattr(self.best_pipeline_, "predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Predict class probabilities with the best pipeline, if it can.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        return self.best_pipeline_.predict_proba(X)

    @available_if(lambda self: hasattr(self.best_pipeline_, "decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Compute the decision function of the best pipeline, if it has one.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        return self.best_pipeline_.decision_function(X)


class CurveAutoMLRegressor(RegressorMixin, CurveAutoML):
    """Find the best pipeline that predicts numbers.

    Parameters
    ----------
    n_candidates, time_budget, space, leave_out, scoring, cv, policy, n_jobs, \
timeout_per_candidate, timeout_per_fit, memory_limit, dask, store, run, deterministic, \
test_cap, verbose, random_state
        As for `CurveAutoML`.

    Attributes
    ----------
    best_pipeline_, best_score_, leaderboard_, search_
        As for `CurveAutoMLClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> automl = CurveAutoMLRegressor(
    ...     n_candidates=5, timeout_per_candidate=None, random_state=11
    ... ).fit(X, y)
    >>> automl.predict(X).shape
    (442,)
    """

    task = "regression"


def leaderboard(search: CurveSearchCV) -> list[dict[str, Any]]:
    """Give a row per candidate, the best first: completed, stopped, pruned, failed."""
    return [
        {
            "candidate": result.candidate,
            "score": result.score,
            "low": result.scale.score(result.interval.high),
            "high": result.scale.score(result.interval.low),
            "status": result.status.value,
            "reason": result.explain(),
            "training_rows": result.training_rows,
            "seconds": result.seconds,
        }
        for result in sorted(search.results_, key=lambda each: rank(each, each.curve))
    ]
