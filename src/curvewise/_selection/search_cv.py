"""`CurveSearchCV`: a drop-in for scikit-learn's searches, in a fraction of the time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.model_selection import GridSearchCV
from sklearn.utils import indexable

from curvewise._evaluation.given_types import (
    CandidatesGiven,
    Estimator,
    FoldsGiven,
    ScoringGiven,
    Seed,
    SpaceGiven,
)
from curvewise._interrupts import interrupts_wait
from curvewise._selection.announcement import announced
from curvewise._selection.candidates import Candidates, gather
from curvewise._selection.cv_results import metric_names, tabulate
from curvewise._selection.experiment import Experiment, collect
from curvewise._selection.kept_predictions import Keep
from curvewise._selection.refit import Refit
from curvewise._selection.remembered_run import Remembered
from curvewise._selection.search_choice import SearchChoice
from curvewise._selection.search_contract import (
    Delegation,
    check_parameters,
    check_refit_metric,
    forget_fit,
    route,
)
from curvewise._selection.search_listeners import Tasks
from curvewise._selection.search_run import SearchExtras, carry_out, experiment_for
from curvewise._selection.search_short_ways import SearchShortWays
from curvewise.core._policy import Policy
from curvewise.core._search import Search
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._workers.worker_loop import Fresh


class CurveSearchCV(
    SearchShortWays,
    SearchChoice,
    Delegation,
    CallbackSupportMixin,
    MetaEstimatorMixin,
    BaseEstimator,
):
    """Find the best of many candidates, along their learning curves and on common folds.

    Used like ``GridSearchCV`` and ``RandomizedSearchCV``, and with the same folds: the candidate
    that is chosen has its exact cross-validation score. Candidates that cannot win, or are not
    worth their price, are pruned on the way.

    Parameters
    ----------
    estimator
        What is searched over, together with a space. Without one, the candidates themselves: a
        list or a dictionary of estimators, a callable that is given a random state and gives an
        estimator, again and again, or a `Proposer`, which is told how its proposals went.
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
        a callable that is given ``cv_results_`` and gives the index of the best. ``"simplest"``
        takes the cheapest to predict with of those that are as good, within the noise of the folds.
    n_jobs
        How many fits at once, each in its own process; -1 for as many as there are cores. None for
        what a context of joblib asks for (``with joblib.parallel_config(...)``), else one.
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
    fresh_workers
        After whom a worker process is replaced, so that nothing a candidate did there reaches the
        next: ``"unknown"`` for candidates with code of others than well-known packages,
        ``"always"``, ``"never"``; None for unknown where workers are forked (Linux), else never.
    store
        A file in which the run is kept: a search that was interrupted goes on from there. Needs a
        number as ``random_state``.
    run
        The name of the run in that file, if it holds several.
    deterministic
        Whether decisions must be the same for any number of workers and on any machine; costs some
        waiting.
    preprocess
        A transformer that all candidates share: it is fitted once per fold and anchor, not once per
        candidate. ``best_estimator_`` is then a pipeline of it and the best candidate. Or
        ``"first step"``, if candidates are pipelines: those with the same first step share it.
    test_cap
        At inner anchors score no more than this many test rows.
    return_train_score
        Whether to measure on the training rows as well.
    keep_predictions
        Whether to keep what candidates predict for the folds' test rows: ``"none"``, ``"best"`` (of
        those that get all their folds, or lead) or ``"all"``.
    learning_curve
        Whether the best, and its closest rivals while there is time, get their learning curve after
        the search: at half of the training rows, a quarter and so on, in at most a twentieth of the
        seconds that the fits of the search took. It changes nothing about the choice.
    importance
        Whether it is measured after the search what each column is worth to the best: by shuffling
        it in test rows of the folds, in at most a twentieth of the seconds that the fits of the
        search took, or 1.5 seconds if that is more. It changes nothing about the choice.
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
    curve_seconds_
        With ``learning_curve``: what the fits for learning curves took after the search.
    candidates_
        The unfitted estimators of those that were looked at, by name.
    leaders_
        Who led, since when, and at what cost.
    ending_
        How the search ended, a `curvewise.executors.Ending`: finished, out of time, interrupted.
    cv_results_
        The table that scikit-learn's searches give, with columns for what is known only here:
        status, reason, anchor, n_folds, bound, estimate, training_rows, seconds.
    oof_predictions_
        With ``keep_predictions``: an `OutOfFold` by candidate, in the order of the rows.
    honest_score_
        What the choice is expected to score on new rows, a `HonestScore`: ``best_score_`` without
        the luck of the best of many, for a model that is fitted on all rows, with an interval.
        With ``keep_predictions`` it is computed from the rows, else from the folds' scores. Not if
        ``refit`` is a callable.
    importances_
        With ``importance``: a dictionary per column, the most important first: ``column``,
        ``importance`` (by how much the score is lower when it is shuffled), ``low`` and ``high`` of
        its 95% interval, ``n_repeats``.
    refit_reason_
        With ``refit="simplest"``: which candidate was taken, and why.
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

    _extras = SearchExtras()

    def __init__(
        self,
        estimator: CandidatesGiven,
        space: SpaceGiven = None,
        *,
        n_iter: int | None = None,
        scoring: ScoringGiven = None,
        cv: FoldsGiven = None,
        policy: Policy | None = None,
        refit: bool | str | Callable[[Mapping[str, Any]], int] = True,
        n_jobs: int | None = None,
        time_budget: float | None = None,
        timeout_per_candidate: float | None = None,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        dask: str | None = None,
        fresh_workers: Fresh | None = None,
        store: str | Path | None = None,
        run: str | None = None,
        deterministic: bool = False,
        preprocess: Estimator | Literal["first step"] | None = None,
        test_cap: int | None = None,
        return_train_score: bool = False,
        keep_predictions: Keep = "none",
        learning_curve: bool = False,
        importance: bool = False,
        error_score: float | str = math.nan,
        verbose: int = 0,
        random_state: Seed = None,
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
        self.fresh_workers = fresh_workers
        self.store = store
        self.run = run
        self.deterministic = deterministic
        self.preprocess = preprocess
        self.test_cap = test_cap
        self.return_train_score = return_train_score
        self.keep_predictions = keep_predictions
        self.learning_curve = learning_curve
        self.importance = importance
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

        Raises
        ------
        InvalidParameterError
            If parameters or data make no sense; nothing was run then.
        NoResultError
            If no candidate gave a result.
        """
        listeners = self._extras.listeners if self._extras.announces else ()
        # All of it here, not in a method: warnings name the caller's file by their stack level.
        with announced(self, X, y, listeners=listeners), ExitStack() as opened:
            check_parameters(self)
            forget_fit(self)
            X, y = indexable(X, y)
            candidates = gather(
                self.estimator,
                self.space,
                n_iter=self.n_iter,
                endless=self.time_budget is not None,
                random_state=self.random_state,
            )
            self._first = candidates.first()
            routes = route(self, params)
            experiment = experiment_for(self, self._first, X, y, routes)
            weights = {name: params[name] for name in ("sample_weight",) if name in params}
            tasks = Tasks(self, X, y, weights, n_candidates=candidates.n_known)
            # Whoever interrupts twice has the answer, without its fit.
            with interrupts_wait(nth=2):
                carried = carry_out(
                    self, experiment, candidates, opened, extras=self._extras, listeners=[tasks]
                )
                with interrupts_wait():
                    search, keeper = carried.search, carried.keeper
                    self.ending_, self.leaders_ = carried.ending, carried.leaders
                    self._keep(experiment, candidates, search)
                    self._remembered = Remembered.of(
                        experiment,
                        search.policy,
                        told=carried.told,
                        notes=carried.notes.kept,
                        ending=carried.ending,
                    )
                    if self.ending_ is Ending.INTERRUPTED and not self._goes_on():
                        raise KeyboardInterrupt
                    self._choose(search, fitted_with=sorted(routes.refit))
                    if keeper is not None:
                        self.oof_predictions_ = keeper.of(self._best_known(search))
            refit = Refit.after(
                carried,
                given=self,
                experiment=experiment,
                candidates=candidates,
                params=routes.refit,
                extras=self._extras,
                tasks=tasks,
            )
            if self.refit:
                self._refit(refit)
            self._add_what_comes_after(refit)
            tasks.end_fit()
        return self

    def add_listener(self, listener: Listener) -> Self:
        """Add a listener, which is called while the search runs.

        Parameters
        ----------
        listener
            Hears of every decision and every outcome, and may stop the search. A clone has none.
        """
        listeners = (*self._extras.listeners, listener)
        return self.equip(replace(self._extras, listeners=listeners))

    def equip(self, extras: SearchExtras) -> Self:
        """Give the search what is none of its parameters; for those who build on it.

        Parameters
        ----------
        extras
            Listeners, notes for the readers of its store, and how it ends. A clone has none.
        """
        self._extras = extras
        return self

    def _keep(self, experiment: Experiment, candidates: Candidates, search: Search) -> None:
        """Keep what is known now, whatever comes next."""
        names: Any = candidates.names if candidates.known else search.results
        self.results_ = collect(search, names, folds=experiment.folds)
        self.curves_ = [result.curve for result in self.results_]
        self.candidates_ = {name: candidates[name] for name in search.results}
        self.n_splits_ = len(experiment.folds)
        metrics, self._deciding, scorer, several = metric_names(
            self.curves_, experiment.scoring, self.scoring
        )
        if callable(self.scoring) and several and metrics:
            check_refit_metric(self.refit, metrics)
        self.scorer_, self.multimetric_ = scorer, several
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

    def _goes_on(self) -> bool:
        """Whether an interrupted search takes the best so far."""
        scored = any(not math.isnan(result.score) for result in self.results_)
        return self._extras.survives_interrupt and scored


# Tools that look for searches of scikit-learn find this one, too: it has all that they have.
_register: Any = GridSearchCV.__base__
_register.register(CurveSearchCV)
