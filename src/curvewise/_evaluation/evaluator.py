"""One task on real data: clone, fit, score.

`Evaluator` is what an executor calls. It holds the data, the folds and the metrics, can be pickled,
and gives an `Observation` or a `Failure`; the model only of a `FinalFit`, on all rows. It also
carries out `PermutedColumns`, which say what each column is worth.

Rules:

1. At the target a candidate gets the scores that scikit-learn's ``cross_validate`` gives it.
2. Whatever a learner raises is a `Failure` with its traceback, even ``sys.exit`` and what is no
   `Exception`; a shortage of memory has its own reason. An interrupt from the keyboard goes
   through, also if it is the learner that raises it: nobody can tell.
3. A deciding score that is not a finite number is a `Failure`.
4. scikit-learn's settings are those of the place where the evaluator was made, also in a worker.
5. What a learner finds for its own parameters while it is fitted (``found_params_``) is told: the
   final fit can use it.
6. What a candidate predicts for the test rows at the target is handed over with its scores where
   that is wanted; it was predicted to score it, and costs no further seconds of its own. So is, at
   every anchor, what each test row loses.
7. Seconds: fitting and scoring have their own, the rest of a task (taking rows, cloning, training
   scores) counts in the total only. Shared pre-processing counts nowhere.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from time import perf_counter
from typing import Any, Literal

import numpy as np
from sklearn import config_context, get_config
from sklearn.base import clone
from sklearn.utils import get_tags

from curvewise._evaluation.final_fit import FinalFit, FittedOnAll
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.given_types import Estimator
from curvewise._evaluation.heard_predictions import Heard, classes_of
from curvewise._evaluation.identity import identity
from curvewise._evaluation.learners import found_params
from curvewise._evaluation.metadata import Metadata
from curvewise._evaluation.permuted_columns import MOST_TEST_ROWS, PermutedColumns, telling_first
from curvewise._evaluation.row_losses import KeepRows, row_losses
from curvewise._evaluation.rows import (
    Indices,
    as_rows,
    is_square,
    n_rows,
    take,
    take_pairs,
)
from curvewise._evaluation.scorers import Scores, Scoring
from curvewise._evaluation.shared_steps import Preparation, Prepared
from curvewise._text import plain_repr
from curvewise.core._checks import whole_number
from curvewise.core._outcome import Failure, Observation, Outcome, Raised, Reason, Task
from curvewise.core._policy import Policy, TestPart, demands_of
from curvewise.errors import InvalidParameterError

Clock = Callable[[], float]


class Evaluator:
    """Fits and scores candidates as tasks say.

    Parameters
    ----------
    X
        The data: an array, a data frame of pandas or polars, a sparse matrix, a list.
    y
        What is to be predicted, or None.
    folds
        Which rows a task trains and is scored on.
    scoring
        The metrics.
    params
        What ``fit`` takes besides, such as sample weights; with metadata routing also what the
        scorers take. Values with an entry per row are cut to the rows of the task.
    preprocess
        A transformer that all candidates share, or ``"first step"``: candidates are pipelines, and
        those with the same first step share it. It sees X and y, and no metadata.
    n_prepared
        For how many pairs of fold and anchor the pre-processed rows are kept.
    test_cap
        At inner anchors score no more than this many test rows, the same for all candidates.
    train_scores
        Whether to measure on the training rows as well.
    weigh_scores
        Whether scorers get the sample weights too, if they can take them.

    Attributes
    ----------
    test_part
        What is scored at inner anchors: ``"fold"`` for the fold's test part, ``"rest"`` for all of
        its rows that are not trained on. ``"fold"`` at first; see `follow`.
    keep_predictions
        Whether what is predicted for test rows at the target is handed over. False at first.
    keep_row_losses
        Whether what test rows lose is handed over, where that is known: of ``"all"`` of them, of a
        ``"sample"`` or of ``"none"``, as at first; see `follow`.
    clock
        What tells the seconds, by default of a watch; see `measure_by`.
    raise_errors
        Whether what a learner raises at the target goes through, as `Raised`; only where the
        evaluator runs in the user's own process. False at first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from curvewise._evaluation.scorers import resolve_scoring
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    >>> evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring("accuracy"))
    >>> outcome = evaluate(Task("tree", anchor=120, fold=0), DecisionTreeClassifier(random_state=0))
    >>> outcome.scores, outcome.n_test
    ({'accuracy': 0.966...}, 30)
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        folds: Folds,
        scoring: Scoring,
        params: Mapping[str, Any] | None = None,
        preprocess: Estimator | Literal["first step"] | None = None,
        n_prepared: int = 8,
        test_cap: int | None = None,
        train_scores: bool = False,
        weigh_scores: bool = False,
    ) -> None:
        for name, data in (("X", X), ("y", y)):
            if data is not None and n_rows(data) != folds.n_rows:
                raise InvalidParameterError(
                    f"{name} must have as many rows as the folds were made for, "
                    f"got {n_rows(data)} for {folds.n_rows}."
                )
        if test_cap is not None:
            whole_number("test_cap", test_cap, at_least=1)
        self.X = as_rows(X)
        self.y = as_rows(y)
        self.folds = folds
        self.scoring = scoring
        self.test_cap = test_cap
        self.train_scores = train_scores
        self.test_part: TestPart = "fold"
        self.raise_errors = False
        self.keep_predictions = False
        self.keep_row_losses: KeepRows = "none"
        self.clock: Clock = perf_counter
        self._classes = classes_of(y)
        self._square = is_square(self.X)
        self._metadata = Metadata(
            params,
            folds.n_rows,
            scoring=scoring,
            splitter=folds.splitter,
            weigh_scores=weigh_scores,
        )
        self._preparation = None
        if preprocess is not None:
            self._preparation = Preparation(
                preprocess, n_kept=n_prepared, train_scores=train_scores
            )
        self._settings = get_config()

    def __call__(self, task: Task, candidate: Any) -> Outcome:
        """Fit and score a candidate (an unfitted estimator) as the task says."""
        if isinstance(candidate, FinalFit):
            return self._fit_on_all(task, candidate)
        if isinstance(candidate, PermutedColumns):
            return self._permute(task, candidate)
        started = self.clock()
        inner = task.anchor < self.folds.target
        capped = self.test_cap if inner else None
        outside = task.anchor if inner and self.test_part == "rest" else None
        train = self.folds.train(task.fold, task.anchor)
        # Deviates: 16. In the paper the test part is always the rest.
        test = self.folds.test(task.fold, at_most=capped, outside=outside)
        try:
            with config_context(**self._settings):
                return self._evaluate(task, candidate, train, test, started)
        except (KeyboardInterrupt, Raised):
            raise
        except BaseException as error:
            fatal = not isinstance(error, MemoryError) and task.anchor >= self.folds.target
            if self.raise_errors and fatal:
                raise Raised(error) from error
            return Failure.raised(task, error, seconds=self.clock() - started)

    def _fit_on_all(self, task: Task, wanted: FinalFit) -> Outcome:
        """Fit a candidate on all rows, and hand it over."""
        started = perf_counter()
        try:
            with config_context(**self._settings):
                estimator, seconds = wanted.carry_out(wanted.prepared(), self.X, self.y)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Failure.raised(task, error, seconds=perf_counter() - started)
        return FittedOnAll.of(task, estimator, seconds=seconds)

    def _permute(self, task: Task, wanted: PermutedColumns) -> Outcome:
        """Fit a candidate on a fold, and score its test rows with columns shuffled."""
        started = perf_counter()
        train = self.folds.train(task.fold, task.anchor)
        test = self.folds.test(task.fold, at_most=MOST_TEST_ROWS)
        try:
            with config_context(**self._settings):
                shared, candidate = self._split(wanted.candidate)
                route = self._metadata.route(candidate)
                params = self._metadata.take(route.fit, train) if route.fit else {}
                X, y = take(self.X, train), take(self.y, train)
                order = telling_first(X, y, until=started + wanted.seconds / 4)
                model = wanted.fitted(shared, candidate, X, y, params)

                def score(rows: Any) -> float:
                    scores = self._score(model, rows, test, route.score).values
                    return scores[self.scoring.deciding(scores)]

                return wanted.measure(task, take(self.X, test), score, order, started)
        except (Exception, SystemExit) as error:
            return Failure.raised(task, error, seconds=perf_counter() - started)

    def score_weights(self, candidate: Estimator) -> np.ndarray[Any, Any] | None:
        """Give how much each row counts where a candidate is scored; None if all count alike.

        Parameters
        ----------
        candidate
            The unfitted estimator: with metadata routing it may ask for weights or not.
        """
        name = self._metadata.route(self._split(candidate)[1]).score.get("sample_weight")
        if name is None:
            return None
        names = {"sample_weight": name}
        weights = self._metadata.take(names, np.arange(self.folds.n_rows))["sample_weight"]
        return np.asarray(weights, dtype=np.float64)

    def _split(self, candidate: Any) -> tuple[Any, Any]:
        """Give the pre-processing that a candidate shares, None if there is none, and the rest."""
        preparation = self._preparation
        return (None, candidate) if preparation is None else preparation.split(candidate)

    def follow(self, policy: Policy | None) -> None:
        """Measure what a policy asks for: its test part, training scores, losses by row.

        Parameters
        ----------
        policy
            What will decide; None asks for nothing.
        """
        asked = demands_of(policy)
        self.test_part = asked.test_part
        self.train_scores = self.train_scores or asked.train_scores
        if asked.row_losses and self.keep_row_losses == "none":
            self.keep_row_losses = "sample"
        if self._preparation is not None and asked.train_scores:
            self._preparation.keep_training_rows()

    def measure_by(self, clock: Clock) -> None:
        """Measure the seconds of evaluations by another clock, such as the processor's.

        Parameters
        ----------
        clock
            Gives the time now; a function that can be pickled.
        """
        self.clock = clock
        if self._preparation is not None:
            self._preparation.clock = clock

    def _evaluate(
        self, task: Task, candidate: Any, train: Indices, test: Indices, started: float
    ) -> Outcome:
        shared, candidate = self._split(candidate)
        route = self._metadata.route(candidate)
        fit_params = self._metadata.take(route.fit, train) if route.fit else {}
        estimator = clone(candidate)
        y_train = take(self.y, train)
        prepared = None
        if shared is not None:
            prepared = self._prepared(shared, task, train, y_train, test)
        pairs = self._square and prepared is None and _wants_pairs(candidate)
        X_train = self._rows(train, train, pairs=pairs) if prepared is None else prepared.train
        fit_seconds = self._fit(estimator, X_train, y_train, fit_params)
        X_test = self._rows(test, train, pairs=pairs) if prepared is None else prepared.test
        score_started = self.clock()
        heard = self._hearing(task, estimator, X_test)
        with heard or nullcontext():
            scores = self._score(estimator, X_test, test, route.score, by_row=True)
        score_seconds = self.clock() - score_started
        train_scores = None
        if self.train_scores:
            X_train = X_train if prepared is None else prepared.train_again
            train_scores = self._score(estimator, X_train, train, route.score).values
        seconds = self.clock() - started
        if prepared is not None:
            # Shared by all candidates, so it is not charged to the one that comes first.
            seconds = max(0.0, seconds - prepared.seconds)
        return self._outcome(
            task,
            scores,
            seconds=seconds,
            n_test=len(test),
            fit_seconds=fit_seconds,
            score_seconds=score_seconds,
            train_scores=train_scores,
            found=found_params(estimator),
            predictions=None if heard is None else heard.predictions(self._classes),
            row_losses=row_losses(scores.rows, self.scoring.scale, self.keep_row_losses),
        )

    def _fit(self, estimator: Any, X: Any, y: Any, params: Mapping[str, Any]) -> float:
        """Fit an estimator; give the seconds that it took."""
        started = self.clock()
        estimator.fit(X, *(() if y is None else (y,)), **params)
        return self.clock() - started

    def _keeps_predictions(self, task: Task) -> bool:
        return self.keep_predictions and task.anchor >= self.folds.target

    def _hearing(self, task: Task, estimator: Any, X_test: Any) -> Heard | None:
        """Give who hears what is predicted, if something of it is to be kept (rule 6)."""
        return Heard(estimator, X_test) if self._keeps_predictions(task) else None

    def _score(
        self, estimator: Any, X: Any, rows: Indices, names: Any, *, by_row: bool = False
    ) -> Scores:
        """Measure a fitted estimator on rows that have been taken already."""
        params = self._metadata.take(names, rows) if names else {}
        return self.scoring.score(estimator, X, take(self.y, rows), params, by_row=by_row)

    def _outcome(self, task: Task, scores: Scores, *, seconds: float, **facts: Any) -> Outcome:
        """Make an observation of scores, or a failure if the deciding one is no number (rule 3)."""
        name = self.scoring.deciding(scores.values)
        score = scores.values[name]
        if not math.isfinite(score):
            return _no_score(task, name, scores, seconds)
        if scores.errors:
            names = ", ".join(map(repr, scores.errors))
            warnings.warn(
                f"Metrics that failed count as NaN: {names}.", RuntimeWarning, stacklevel=1
            )
        loss = self.scoring.scale.loss(score)
        return Observation(
            task, loss, seconds=seconds, noise=scores.noise, scores=scores.values, **facts
        )

    def describe(self) -> dict[str, Any]:
        """Say what the outcomes depend on besides the data and the candidate, as plain values.

        A run store that is begun with it refuses to go on with other folds or metrics.
        """
        preparation = self._preparation
        return {
            "splitter": plain_repr(self.folds.splitter),
            "seed": self.folds.seed,
            "folds": self.folds.digest(),
            "metrics": {name: identity(scorer) for name, scorer in self.scoring.scorers.items()},
            "train_scores": self.train_scores,
            "decide_by": self.scoring.decide_by,
            "test_cap": self.test_cap,
            "preprocess": None if preparation is None else identity(preparation.shared),
        }

    def _rows(self, rows: Indices, train: Indices, *, pairs: bool) -> Any:
        """Take rows of X; of a kernel or distance matrix also the columns of the training rows."""
        return take_pairs(self.X, rows, train) if pairs else take(self.X, rows)

    def _prepared(
        self, shared: Any, task: Task, train: Indices, y_train: Any, test: Indices
    ) -> Prepared:
        """Pre-process the rows of a task, unless it has been done."""
        preparation: Any = self._preparation
        where = (shared, task.fold, task.anchor)
        prepared = preparation.find(*where)
        if prepared is None:
            pairs = self._square and _wants_pairs(shared)
            X_train = self._rows(train, train, pairs=pairs)
            X_test = self._rows(test, train, pairs=pairs)
            prepared = preparation.prepare(*where, X_train, y_train, X_test)
        return prepared


def _wants_pairs(estimator: Any) -> bool:
    """Whether an estimator takes a kernel or distance matrix in the place of X."""
    return bool(get_tags(estimator).input_tags.pairwise)


def _no_score(task: Task, name: str, scores: Scores, seconds: float) -> Failure:
    """Say why the deciding metric gave no number."""
    if name not in scores.errors:
        score = scores.values[name]
        return Failure(task, Reason.ERROR, f"the score {name!r} is {score}", seconds)
    # scikit-learn gives the traceback of a scorer as text only; its last line begins with the type.
    where = scores.errors[name].strip()
    what = where.splitlines()[-1]
    error = what.partition(":")[0].rpartition(".")[2]
    reason = Reason.MEMORY if error.endswith("MemoryError") else Reason.ERROR
    return Failure(task, reason, f"{what}\n{where}", seconds, error)
