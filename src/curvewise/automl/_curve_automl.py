"""From a raw table to the best pipeline: what the classifier and the regressor have in common.

Pipelines are drawn from a search space and validated along their learning curves. What all of them
need, numbers without gaps, is learnt once per fold and anchor, on its training rows only.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import cleandoc
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Self

from numpy.random import RandomState
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from curvewise._evaluation.given_types import Estimator, FoldsGiven, Metric, Seed
from curvewise._evaluation.rows import n_rows
from curvewise._selection.announcement import announced
from curvewise._selection.compare import Comparison
from curvewise._selection.kept_predictions import Keep
from curvewise._selection.label_metrics import MetricGiven
from curvewise._selection.proposer import Proposer
from curvewise._selection.refit import Refit
from curvewise._selection.search_contract import forget_fit
from curvewise._selection.search_short_ways import SearchShortWays
from curvewise.automl._beside_search import BesideSearch
from curvewise.automl._budget import timing
from curvewise.automl._default_model import evaluate_default
from curvewise.automl._enough import Enough
from curvewise.automl._ensemble import judge_taken, take_ensemble
from curvewise.automl._judged_predictions import JudgedPredictions
from curvewise.automl._model_notes import note_model
from curvewise.automl._pipeline_search import equipped
from curvewise.automl._search_settings import make_search
from curvewise.automl._space.search_space import SearchSpace
from curvewise.core._policy import Policy, competes_partially
from curvewise.executors._listener import Ending
from curvewise.executors._workers.worker_loop import Fresh

# As in the paper: five minutes for a pipeline.
TIMEOUT_SECONDS = 300.0


class CurveAutoML(BesideSearch, SearchShortWays):
    """What the classifier and the regressor have in common.

    Parameters
    ----------
    n_iter
        How many pipelines are tried. By default as many as there is time for; without a
        ``time_budget``, until the later half of them has hardly brought anything, at most 300.
    time_budget
        Seconds for everything, the final fit included: what that will take is foreseen and set
        aside. The fits of one pipeline take at most 0.4 of it per job. None for no limit.
    space
        What pipelines are drawn from: ``"today"``, learners of today that begin with a portfolio;
        ``"paper"``, the space of the paper, without pipelines that cannot work; a `SearchSpace`, a
        file that describes one, or any callable that is given a random state and gives an
        estimator. By default that of today.
    leave_out
        Names of algorithms that are not to be drawn, such as ``"SVC"``; none by default.
    proposer
        Who proposes pipelines from the space: ``"portfolio-evolving"``, a short list of good ones
        first and then changes of the best so far; ``"portfolio"``, then random draws;
        ``"portfolio-optuna"``, then what Optuna's sampler suggests; ``"random"`` and ``"optuna"``
        without the list; or a `Proposer` of your own, which brings its own pipelines. By default
        the first.
    scoring
        A scorer of scikit-learn by name, or a callable; by default accuracy for classes and R² for
        numbers.
    cv
        The folds. None for five shuffled ones, from ``random_state``, that keep the shares of
        classes, and groups whole if ``fit`` is given some; a number means scikit-learn's own, which
        are not shuffled; or a splitter, for rows in the order of time.
    policy
        The rules by which pipelines are pruned; by default a `Race`.
    n_jobs
        How many fits at once, each in its own process; -1 for as many as there are cores. None for
        what a context of joblib asks for (``with joblib.parallel_config(...)``), else one.
    timeout_per_candidate
        Seconds for all fits of a pipeline together; who cannot finish within them is stopped. As in
        the paper 300 by default; None for no limit.
    timeout_per_fit
        Seconds for each fit; no limit by default.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``; no limit by default.
    dask
        The address of a Dask scheduler, or ``"local"``; by default this machine without Dask.
    fresh_workers
        After whom a worker process is replaced, so that nothing a pipeline did there reaches the
        next: ``"unknown"`` for pipelines with code of others than well-known packages,
        ``"always"``, ``"never"``; None for unknown where workers are forked (Linux), else never.
    store
        A file in which the run is kept: a search that was interrupted goes on from there. Needs a
        number as ``random_state``. By default nothing is kept.
    run
        The name of the run in that file, if it holds several.
    deterministic
        Whether decisions must be the same for any number of workers and on any machine; costs some
        waiting.
    test_cap
        At inner anchors score no more than this many test rows; by default all.
    keep_predictions
        Whether to keep what pipelines predict for the folds' test rows: ``"best"``, those of
        pipelines that get all their folds, or lead; ``"all"``; ``"none"``.
    ensemble
        Whether several of the best pipelines are to predict together, if that is better than the
        best alone; needs ``keep_predictions``. By default the best alone.
    calibrate
        Whether probabilities are to be calibrated with what the out-of-fold predictions recommend,
        if that makes them more reliable; see ``reliability_``. By default they stay as they are.
    tune_threshold
        For two classes: a metric for which the threshold of the positive class is tuned on the
        out-of-fold predictions, if that is better than the default. A scorer of scikit-learn that
        judges predicted classes, by name, such as ``"f1"`` or ``"balanced_accuracy"``, or a
        function ``(y_true, y_pred)``. By default the threshold stays as it is.
    pos_label
        The positive class, for ``tune_threshold``. By default 1, True, or the last in sorted order;
        metrics of one class, such as ``"f1"``, need it if the classes are text.
    refit
        Who is fitted on all rows: ``"best"``, or ``"simplest"``, the cheapest to predict with of
        those that are as good as the best, within the noise of the folds. A race then ends with
        three pipelines that have all their folds. By default the best.
    learning_curve
        Whether the best pipeline, and its closest rivals while there is time, get their learning
        curve after the search: at half of the training rows, a quarter and so on, in at most a
        twentieth of the seconds that the fits of the search took, and within the time budget. It
        changes nothing about the choice.
    default_model
        Whether a default model is evaluated beside the best pipeline, after the search and on its
        folds, to see what the search has brought: scikit-learn's histogram gradient boosting. It
        takes at most a twentieth of the time budget. By default not.
    importance
        Whether it is measured after the search what each column is worth to the best pipeline: by
        shuffling it in test rows of the folds, in at most a twentieth of the seconds that the fits
        of the search took, or 1.5 seconds if that is more, and within the time budget.
    verbose
        1 shows a bar, 2 also how each candidate ended; by default nothing is shown.
    random_state
        The seed of what is drawn, of the folds and of the training subsets.

    Attributes
    ----------
    best_estimator_
        The best pipeline, with its pre-processing, fitted on all rows.
    best_score_
        Its cross-validation score.
    honest_score_
        What ``best_estimator_`` is expected to score on new rows, a `HonestScore`: ``best_score_``
        without the luck of the best of many, for a model that is fitted on all rows, with an
        interval. It speaks of ``scoring``, as ``best_score_`` does, without a tuned threshold.
    ensemble_
        With ``ensemble=True``, if one was better: its ``weights`` by candidate, its ``score`` on
        rows that these were not chosen on, ``single_score`` of the best alone, and
        ``prediction_cost``. ``best_estimator_`` and ``best_score_`` are its own then.
    threshold_
        With ``tune_threshold``: the ``threshold``, whether it was ``tuned`` or is the
        ``default_threshold``, ``score`` on folds that it was not chosen on, and ``default_score``.
        ``best_estimator_`` predicts with it then; ``best_score_`` stays what it is.
    reliability_
        Of a classifier with probabilities: ``bins`` of predicted and observed shares, ``log_loss``,
        ``brier``, ``calibration_error``, the method of calibration that is ``recommended``, and
        whether the model was ``calibrated`` with it.
    default_model_
        With ``default_model``: its ``score``, and the ``gain`` of the best pipeline against it with
        ``low`` and ``high`` of its interval, on ``n_folds`` folds; the ``reason`` if there is none.
    importances_
        With ``importance``: a dictionary per column, the most important first: ``column``,
        ``importance`` (by how much the score of the best pipeline is lower when the column is
        shuffled), ``low`` and ``high`` of its 95% interval, ``n_repeats``.
    scores_by_
        If `describe_rows` has named a column to score ``by``: a dictionary per level with
        ``level``, ``n_rows``, ``score`` on out-of-fold predictions, ``low`` and ``high``.
    leaderboard_
        A dictionary per candidate, the best first: ``rank`` (``rank_estimated`` if it was not
        completed), ``candidate``, ``score``, ``low`` and ``high`` of its interval on
        ``n_folds`` folds, ``difference`` to the best on common folds, ``chance`` to be better than
        it, ``status``, ``training_rows``, ``seconds``, ``reason``; see `Comparison.table`.
    oof_predictions_
        What pipelines predicted out of fold, an `OutOfFold` by candidate, in the order of the rows;
        not with ``keep_predictions="none"``.
    search_
        The fitted `CurveSearchCV` with everything else.
    n_features_in_, feature_names_in_
        The columns that were fitted; their names if they have any.
    """

    task: str

    def __init_subclass__(cls) -> None:
        """Show the sections on parameters and attributes, which are written once, there as well."""
        super().__init_subclass__()
        # From Python 3.13 on docstrings have no indentation.
        _, _, sections = cleandoc(CurveAutoML.__doc__ or "").partition("\n\n")
        head, examples, tail = cleandoc(cls.__doc__ or "").partition("Examples\n")
        if examples and "Parameters" not in head:
            cls.__doc__ = f"{head}{sections}\n\n{examples}{tail}"

    def __init__(
        self,
        *,
        n_iter: int | None = None,
        time_budget: float | None = None,
        space: SearchSpace | str | Path | Callable[[RandomState], Estimator] | None = None,
        leave_out: str | Sequence[str] = (),
        proposer: str | Proposer | None = None,
        scoring: Metric | None = None,
        cv: FoldsGiven = None,
        policy: Policy | None = None,
        n_jobs: int | None = None,
        timeout_per_candidate: float | None = TIMEOUT_SECONDS,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        dask: str | None = None,
        fresh_workers: Fresh | None = None,
        store: str | Path | None = None,
        run: str | None = None,
        deterministic: bool = False,
        test_cap: int | None = None,
        keep_predictions: Keep = "best",
        ensemble: bool = False,
        calibrate: bool = False,
        tune_threshold: MetricGiven | None = None,
        pos_label: float | str | None = None,
        refit: Literal["best", "simplest"] = "best",
        learning_curve: bool = True,
        default_model: bool = False,
        importance: bool = True,
        verbose: int = 0,
        random_state: Seed = None,
    ) -> None:
        self.n_iter = n_iter
        self.time_budget = time_budget
        self.space = space
        self.leave_out = leave_out
        self.proposer = proposer
        self.scoring = scoring
        self.cv = cv
        self.policy = policy
        self.n_jobs = n_jobs
        self.timeout_per_candidate = timeout_per_candidate
        self.timeout_per_fit = timeout_per_fit
        self.memory_limit = memory_limit
        self.dask = dask
        self.fresh_workers = fresh_workers
        self.store = store
        self.run = run
        self.deterministic = deterministic
        self.test_cap = test_cap
        self.keep_predictions = keep_predictions
        self.ensemble = ensemble
        self.calibrate = calibrate
        self.tune_threshold = tune_threshold
        self.pos_label = pos_label
        self.refit = refit
        self.learning_curve = learning_curve
        self.default_model = default_model
        self.importance = importance
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Search, and fit the best pipeline on all rows.

        After Ctrl-C the best pipeline so far is taken, with a warning. Once it is fitted on all
        rows it stays, however often that is interrupted.

        Parameters
        ----------
        X
            A raw table: a data frame or an array, with gaps, categories and dates.
        y
            What is to be predicted.
        **params
            ``groups``, one for each row, which stay together in folds; ``sample_weight``, how much
            each row counts when pipelines are fitted and scored. Learners that know no weights are
            not searched then. Thresholds, calibration and pictures of the model count every row
            the same.

        Raises
        ------
        InvalidParameterError
            If a parameter makes no sense.
        NoResultError
            If no pipeline gave a result.
        """
        with announced(self, X, y, listeners=getattr(self, "_listeners", ())):
            self._search_and_fit(X, y, params)
        return self

    def _search_and_fit(self, X: Any, y: Any, params: Mapping[str, Any]) -> None:
        self._rows.check(X)
        judged = JudgedPredictions(self, y)
        begun, afterwards = getattr(self, "_clock", (monotonic(), 0.0))
        search = make_search(self, y, **params)
        forget_fit(self)
        self.search_ = search
        ending = [Enough()] if self.n_iter is None and self.time_budget is None else []
        equipped(
            search,
            listeners=(*getattr(self, "_listeners", ()), *ending),
            notes={"task": self.task, **getattr(self, "_notes", {})},
            afterwards=self._afterwards(judged, X),
            lastly=[partial(judge_taken, self), judged.note_code],
            **timing(self, n_rows(y), begun=begun, afterwards=afterwards),
        )
        try:
            search.fit(X, y, **params)
        except KeyboardInterrupt:
            if not hasattr(search, "best_estimator_"):
                raise
            # While something was measured that is nice to have, or workers were ended.
            warnings.warn(
                "Interrupted: the model is there, but not all that comes after the final fit.",
                stacklevel=3,
            )
        finally:
            # What was found is there even if nothing could be fitted on all rows.
            if hasattr(search, "best_index_"):
                self.best_score_ = search.best_score_
                compete = competes_partially(search.policy)
                self.leaderboard_ = Comparison(search.results_, partial_results=compete).table
        self.best_estimator_ = search.best_estimator_
        if hasattr(self, "ensemble_"):
            self.best_estimator_ = self.ensemble_.estimator
            self.best_score_ = self.ensemble_.score
        judged.give()
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self.best_estimator_, name):
                setattr(self, name, getattr(self.best_estimator_, name))
        for name in ("oof_predictions_", "importances_"):
            if hasattr(search, name):
                setattr(self, name, getattr(search, name))
        if search.ending_ is Ending.INTERRUPTED:
            warnings.warn(
                "The search was interrupted: the best pipeline so far was taken.", stacklevel=3
            )

    def predict(self, X: Any) -> Any:
        """Predict with the best pipeline.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def score(self, X: Any, y: Any) -> float:
        """Score the best pipeline, with the metric of the search.

        Parameters
        ----------
        X, y
            Data that it has not seen.
        """
        check_is_fitted(self)
        return float(self.search_.scorer_(self.best_estimator_, X, y))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _afterwards(self, judged: JudgedPredictions, X: Any) -> list[Callable[[Refit], None]]:
        """List what comes after the final fit."""
        ensemble = [partial(take_ensemble, self)] if self.ensemble else []
        default = [partial(evaluate_default, self)] if self.default_model else []
        return [*ensemble, judged, *default, partial(note_model, self, X)]
