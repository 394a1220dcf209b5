"""`CurveSearchCV`: a drop-in for scikit-learn's searches, in a fraction of the time."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from copy import deepcopy
from time import perf_counter
from typing import Any, Self

from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags, indexable
from sklearn.utils.validation import check_is_fitted

from curvewise._evaluation.identity import identity
from curvewise._selection.best_candidate import check_results, choose
from curvewise._selection.callbacks import CallbackSupportMixin, Tasks, with_callbacks
from curvewise._selection.candidates import Candidates, candidates_at_hand, gather, prototype
from curvewise._selection.cv_results import tabulate
from curvewise._selection.delegation import Delegation, check_refit
from curvewise._selection.experiment import Execution, Experiment, collect
from curvewise._selection.listeners import Onlooker, Recorder, Watch
from curvewise._selection.metadata_routing import make_router, route, score_params
from curvewise._selection.terminal_progress import Bar
from curvewise.core._checks import real_number
from curvewise.core._limits import TimeLimit
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError
from curvewise.executors._loop import Ending
from curvewise.executors._store import LiveRun, RunStatus


class CurveSearchCV(Delegation, CallbackSupportMixin, MetaEstimatorMixin, BaseEstimator):
    """Find the best of many candidates, along their learning curves and on common folds.

    Used like ``GridSearchCV`` and ``RandomizedSearchCV``, and with the same folds: the candidate
    that is chosen has its exact cross-validation score. Candidates that cannot win, or are not
    worth their price, are pruned on the way.

    Parameters
    ----------
    estimator
        What is searched over, together with a space. Without one, the candidates themselves: a
        list or a dictionary of estimators, or a callable that is given a random state and gives an
        estimator, again and again.
    space
        A grid (a dictionary of lists), distributions, or a list of such.
    n_iter
        How many settings to draw. By default a grid is tried as a whole; of distributions 10 are
        drawn, or as many as there is time for within ``time_budget``.
    scoring
        A metric or several, as for scikit-learn's searches. With several, the one that ``refit``
        names decides, else the first.
    cv
        A number of folds, any splitter, or pairs of training and test rows; 5 folds by default.
    policy
        The rules; by default a `Race`. `KFoldCV` makes this ``GridSearchCV``.
    refit
        Whether the best candidate is fitted on all data; with several metrics the name of one; or
        a callable that is given ``cv_results_`` and gives the index of the best.
    n_jobs
        How many fits at once, each in its own process; -1 for as many as there are cores.
    time_budget
        Seconds for the whole search, without the start of worker processes and without the refit.
        Candidates then enter one by one, so that there is a complete one as soon as possible.
    timeout_per_candidate
        Seconds for all fits of a candidate together; who cannot finish within them is stopped.
    timeout_per_fit
        Seconds for each fit.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``.
    dask
        The address of a Dask scheduler, or ``"local"``.
    store
        A file in which the run is kept: a search that was interrupted goes on from there. Needs a
        number as ``random_state``.
    run_name
        The name of the run in that file, if it holds several.
    deterministic
        Whether decisions must be the same for any number of workers and on any machine; costs some
        waiting.
    preprocess
        A transformer that all candidates share: it is fitted once per fold and anchor, not once per
        candidate. ``best_estimator_`` is then a pipeline of it and the best candidate.
    test_cap
        At inner anchors score no more than this many test rows.
    return_train_score
        Whether to measure on the training rows as well.
    error_score
        What a failed fit counts as in ``cv_results_``; ``"raise"`` ends the search with an error.
    verbose
        1 shows a bar, 2 also how each candidate ended.
    random_state
        The seed of what is drawn and of the training subsets. Splitters have their own.

    Attributes
    ----------
    results_
        One `ValidationResult` per candidate, in their order.
    curves_
        Their learning curves.
    leaders_
        Who led, since when, and at what cost.
    cv_results_
        The table that scikit-learn's searches give, with columns for what is known only here:
        status, reason, anchor, n_folds, bound, estimate, training_rows, seconds.
    best_estimator_, best_index_, best_params_, best_score_, refit_time_, scorer_, n_splits_, \
multimetric_
        As in scikit-learn's searches. ``best_params_`` of ready candidates is their name.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> search = CurveSearchCV(SVC(), {"C": [0.001, 0.1, 1, 10]}, cv=5).fit(X, y)
    >>> search.best_params_, float(round(search.best_score_, 4))
    ({'C': 10}, 0.98)
    >>> search.cv_results_["status"][0], bool(search.cv_results_["n_folds"][0] < 5)
    ('pruned', True)
    """

    def __init__(
        self,
        estimator: Any,
        space: Any = None,
        *,
        n_iter: int | None = None,
        scoring: Any = None,
        cv: Any = None,
        policy: Any = None,
        refit: Any = True,
        n_jobs: int | None = None,
        time_budget: float | None = None,
        timeout_per_candidate: float | None = None,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        dask: str | None = None,
        store: Any = None,
        run_name: str | None = None,
        deterministic: bool = False,
        preprocess: Any = None,
        test_cap: int | None = None,
        return_train_score: bool = False,
        error_score: float | str = math.nan,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.space = space
        self.n_iter = n_iter
        self.scoring = scoring
        self.cv = cv
        self.policy = policy
        self.refit = refit
        self.n_jobs = n_jobs
        self.time_budget = time_budget
        self.timeout_per_candidate = timeout_per_candidate
        self.timeout_per_fit = timeout_per_fit
        self.memory_limit = memory_limit
        self.dask = dask
        self.store = store
        self.run_name = run_name
        self.deterministic = deterministic
        self.preprocess = preprocess
        self.test_cap = test_cap
        self.return_train_score = return_train_score
        self.error_score = error_score
        self.verbose = verbose
        self.random_state = random_state

    @with_callbacks
    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Search, and fit the best candidate on all data.

        Parameters
        ----------
        X, y
            The data: arrays, data frames of pandas or polars, sparse matrices, lists.
        **params
            What fitting, scoring and splitting take besides: ``sample_weight``, ``groups``, or,
            with metadata routing, whatever was asked for.
        """
        self._check_parameters()
        self._forget()
        X, y = indexable(X, y)
        candidates = gather(
            self.estimator,
            self.space,
            n_iter=self.n_iter,
            endless=self.time_budget is not None,
            random_state=self.random_state,
        )
        self._first = candidates.first()
        # An iterator gives its folds once.
        cv = list(self.cv) if isinstance(self.cv, Iterator) else self.cv
        routes = route(self, params)
        self._fitted_with = sorted(routes.refit)
        experiment = Experiment(
            self._first,
            X,
            y,
            cv=cv,
            scoring=self.scoring,
            decide_by=self.refit if isinstance(self.refit, str) and self._several else None,
            split_params=routes.split,
            params=routes.evaluate,
            preprocess=self.preprocess,
            test_cap=self.test_cap,
            train_scores=self.return_train_score,
            random_state=self.random_state,
        )
        weights = {name: params[name] for name in ("sample_weight",) if name in params}
        tasks = Tasks(self, X, y, weights)
        search, ending = self._search(experiment, candidates, tasks)
        self._keep(experiment, candidates, search)
        if ending is Ending.INTERRUPTED:
            self._interrupted()
        self._choose(search)
        if self.refit:
            self._refit(candidates, X, y, routes.refit, tasks)
        tasks.end_fit()
        return self

    def score(self, X: Any, y: Any = None, **params: Any) -> float:
        """Score the best estimator, with the metric of the search.

        Parameters
        ----------
        X, y
            Data that it has not seen.
        **params
            What the scorer asked for; needs metadata routing.
        """
        check_refit(self, "score")
        check_is_fitted(self)
        scorer: Any = self.scorer_
        if isinstance(scorer, Mapping):
            scorer = scorer[self.refit]
        score = scorer(self.best_estimator_, X, y, **score_params(self, params))
        return score[self.refit] if isinstance(score, Mapping) else score

    def get_metadata_routing(self) -> Any:
        """Say who may be given metadata: the candidates, the splitter and the scorers."""
        candidate = self._prototype()
        return make_router(self, candidate, cv=self.cv, scoring=self.scoring)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        candidate = self._prototype()
        if candidate is not None:
            own = get_tags(candidate)
            listed = candidates_at_hand(self.estimator) or [candidate]
            tags.estimator_type = own.estimator_type
            tags.classifier_tags = deepcopy(own.classifier_tags)
            tags.regressor_tags = deepcopy(own.regressor_tags)
            tags.target_tags = deepcopy(own.target_tags)
            tags.input_tags.pairwise = own.input_tags.pairwise
            tags.input_tags.sparse = all(get_tags(one).input_tags.sparse for one in listed)
            tags.array_api_support = own.array_api_support
        return tags

    @property
    def _several(self) -> bool:
        """Whether there may be several metrics; a callable tells only when it is called."""
        return self.scoring is not None and not isinstance(self.scoring, str)

    def _prototype(self) -> Any:
        """Give an estimator that stands for all candidates; of a sampler, the first drawn one."""
        known = prototype(self.estimator)
        return getattr(self, "_first", None) if known is None else known

    def _forget(self) -> None:
        """Forget an earlier fit, so that nothing of it is taken for this one's."""
        for name in [name for name in vars(self) if name.endswith("_") and name[0] != "_"]:
            delattr(self, name)

    def _check_parameters(self) -> None:
        """Refuse what cannot work before anything is run."""
        error_score: Any = self.error_score
        if error_score != "raise" and not isinstance(error_score, numbers.Real):
            raise InvalidParameterError(
                f"error_score must be a number or 'raise', got {error_score!r}."
            )
        if not (isinstance(self.refit, bool | str) or callable(self.refit)):
            raise InvalidParameterError(
                "refit must be True, False, the name of a metric or a callable, "
                f"got {self.refit!r}."
            )
        if isinstance(self.scoring, list | tuple | set | Mapping):
            self._check_refit_metric(self.scoring)
        if self.time_budget is not None:
            real_number("time_budget", self.time_budget, above=0)
        if self.run_name is not None and self.store is None:
            raise InvalidParameterError("run_name names a run in a store: give a file as store.")
        if self.store is not None and not isinstance(self.random_state, numbers.Integral):
            raise InvalidParameterError(
                "A search that can go on from a store needs a number as random_state, "
                f"got {self.random_state!r}."
            )

    def _check_refit_metric(self, metrics: Any) -> None:
        if self.refit is False or callable(self.refit) or self.refit in metrics:
            return
        raise InvalidParameterError(
            "For multi-metric scoring, the parameter refit must be set to a scorer key or a "
            "callable to refit an estimator with the best parameter setting on the whole data, or "
            f"to False; {self.refit!r} was passed, and the metrics are {list(metrics)}."
        )

    def watch_with(self, onlooker: Onlooker) -> Self:
        """Let somebody look on while the search runs.

        Parameters
        ----------
        onlooker
            Hears of every decision and every outcome; may ask to stop.
        """
        self._onlookers = [*getattr(self, "_onlookers", ()), onlooker]
        return self

    def _describe(self, estimator: Any) -> Mapping[str, Any]:
        """Say what a store should know about a candidate besides; for subclasses."""
        return {}

    def _interrupted(self) -> None:
        """End the fit after Ctrl-C, with all results kept; subclasses may go on."""
        raise KeyboardInterrupt

    def _note(self, run: LiveRun) -> None:
        """Write down what readers of a store should know; for subclasses."""

    def _search(
        self, experiment: Experiment, candidates: Candidates, tasks: Tasks
    ) -> tuple[Search, Ending]:
        """Carry the search out, with all who look on."""
        execution = Execution(
            n_jobs=self.n_jobs,
            dask=self.dask,
            memory_limit=self.memory_limit,
            time_budget=self.time_budget,
            deterministic=self.deterministic,
            store=self.store,
            run_name=self.run_name,
        )
        onlookers = [tasks, *getattr(self, "_onlookers", ())]
        if self.verbose:
            onlookers.append(Bar(verbose=self.verbose))
        with ExitStack() as stack:
            record = None
            if self.store is not None:
                record = experiment.open_run(execution, self.policy, stack)
                onlookers.append(Recorder(record))
                self._note(record)
            watch = Watch(onlookers, raise_failures=self.error_score == "raise")
            names = candidates.names
            n_candidates = len(names) if isinstance(names, list) else None
            if self.time_budget is not None:
                # One by one: each is compared with a complete leader, and there is one in time.
                names = iter(names)
            search = experiment.search(
                names,
                policy=self.policy,
                limit=TimeLimit(self.timeout_per_candidate, self.timeout_per_fit),
                count_rows=self.deterministic,
                observer=watch.decided,
            )
            watch.begin(search, n_candidates)
            stack.callback(watch.end)
            ending = experiment.run(
                search,
                candidates.__getitem__,
                execution,
                record=record,
                describe=lambda name: {
                    "identity": identity(candidates[name]),
                    **self._describe(candidates[name]),
                },
                raise_errors=self.error_score == "raise",
                on_outcome=watch.told,
            )
            if record is not None:
                finished = ending is Ending.FINISHED
                record.finish(RunStatus.FINISHED if finished else RunStatus.INTERRUPTED)
        self.leaders_ = watch.leaders
        return search, ending

    def _keep(self, experiment: Experiment, candidates: Candidates, search: Search) -> None:
        """Keep what is known now, whatever comes next."""
        names: Any = candidates.names if candidates.known else search.results
        scoring = experiment.scoring
        self.results_ = collect(search, names, folds=experiment.folds)
        self.curves_ = [result.curve for result in self.results_]
        self.n_splits_ = len(experiment.folds)
        measured = next((o.scores for curve in self.curves_ for o in curve if o.scores), {})
        self.multimetric_ = self._several and (
            not callable(self.scoring) or list(measured) != ["score"]
        )
        metrics = {name: name if self.multimetric_ else "score" for name in measured}
        if callable(self.scoring) and self.multimetric_ and measured:
            self._check_refit_metric(measured)
        self.scorer_: Any = scoring.scorers
        if not self._several or callable(self.scoring):
            (self.scorer_,) = scoring.scorers.values()
        self._deciding = metrics[scoring.deciding(measured)] if metrics else "score"
        error_score = self.error_score
        self.cv_results_ = tabulate(
            self.results_,
            [candidates.params(result.candidate) for result in self.results_],
            target=experiment.folds.target,
            n_folds=self.n_splits_,
            metrics=metrics,
            train_scores=self.return_train_score,
            error_score=math.nan if error_score == "raise" else float(error_score),
        )

    def _choose(self, search: Search) -> None:
        """Find the best candidate; an error if there is none."""
        best = check_results(
            self.results_,
            search.best,
            time_budget=self.time_budget,
            params=self._fitted_with,
        )
        if self.multimetric_ and not self.refit:
            return
        choice = choose(
            self.results_,
            self.cv_results_,
            self._deciding,
            best=best,
            choose_by=self.refit if callable(self.refit) else None,
        )
        self.best_index_ = choice.place
        self.best_params_ = self.cv_results_["params"][choice.place]
        if choice.score is not None:
            self.best_score_ = choice.score

    def _refit(
        self, candidates: Candidates, X: Any, y: Any, params: Mapping[str, Any], tasks: Tasks
    ) -> None:
        """Fit the best candidate on all data."""
        name = self.results_[self.best_index_].candidate
        best = self.best_estimator_ = clone(candidates[name])
        target = () if y is None else (y,)
        begun = perf_counter()
        if self.preprocess is not None:
            preprocess = clone(self.preprocess)
            X = preprocess.fit_transform(X, *target)
            self.best_estimator_ = Pipeline([("preprocess", preprocess), ("model", best)])
        tasks.refit(best, lambda: best.fit(X, *target, **params))
        self.refit_time_ = perf_counter() - begun
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
