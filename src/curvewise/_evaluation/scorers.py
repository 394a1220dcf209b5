"""Metrics: several may be measured, one decides.

Users name metrics the way scikit-learn does (`resolve_scoring`); greater is better. The scale of
the deciding metric (`curvewise._evaluation.scales`) turns its scores into the losses that the core
minimises.

A metric that fails spoils its own score only, which then is NaN, unless it is the one that decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.metrics import (
    accuracy_score,
    check_scoring,
    get_scorer,
    get_scorer_names,
    r2_score,
)

from curvewise._evaluation.given_types import Estimator, ScoringGiven
from curvewise._evaluation.row_scores import RowScores, own_metric, row_scorer, row_scores
from curvewise._evaluation.scales import name_of, own_scale, scale_of
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

Scorer = Callable[..., Any]

BY_ROW = "the deciding score by row"
# The mean of the rows' scores may be as far from the score: sums of 32-bit floats, in which some
# learners give probabilities, are not more exact.
TOLERANCE = 1e-4


class Scores(NamedTuple):
    """What the metrics gave, and why some gave nothing.

    Parameters
    ----------
    values
        Scores by metric; greater is better.
    errors
        What was raised, by metric.
    noise
        The squared standard error of the score that decides, over its test rows; None if it is not
        known.
    rows
        What each row scores, for the metric that decides: their mean is its score (see
        `curvewise._evaluation.row_scores`). None if that is not known.

    Examples
    --------
    >>> from curvewise import Scores
    >>> Scores({"accuracy": 0.9}, {}).values
    {'accuracy': 0.9}
    """

    values: dict[str, float]
    errors: dict[str, str]
    noise: float | None = None
    rows: np.ndarray[Any, Any] | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """Named scorers, one of which decides; made by `resolve_scoring`.

    Parameters
    ----------
    scorers
        Callables ``(estimator, X, y)`` by name.
    decide_by
        The name of the metric that decides; None if a callable gives the names only when it is
        called: then the first.
    scale
        How the deciding metric's scores become losses.
    by_row
        A scorer that gives the deciding score by row, and its noise (see `RowScores`), or None if
        they are not known.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> scoring = resolve_scoring(["accuracy", "f1"])
    >>> model = DummyClassifier().fit([[0], [0], [0]], [1, 1, 0])
    >>> scoring.score(model, [[0], [0]], [1, 0], {}).values
    {'accuracy': 0.5, 'f1': 0.666...}
    """

    scorers: Mapping[str, Scorer]
    decide_by: str | None
    scale: Scale
    by_row: Scorer | None = None
    _together: Scorer = field(init=False, repr=False)
    _weighing: Scorer = field(init=False, repr=False)
    _with_rows: Scorer | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Several at once share their predictions; one of them may fail and the others not. They
        # also see to it that only metrics that know weights get them, which one alone does not.
        several = len(self.scorers) > 1
        (first, *_) = self.scorers.values()
        weighing, with_rows = first, None
        if several or _is_scorer(first):
            weighing = check_scoring(scoring=dict(self.scorers), raise_exc=not several)
        if self.by_row is not None:
            scorers = {**self.scorers, BY_ROW: self.by_row}
            with_rows = check_scoring(scoring=scorers, raise_exc=not several)
        object.__setattr__(self, "_together", weighing if several else first)
        object.__setattr__(self, "_weighing", weighing)
        object.__setattr__(self, "_with_rows", with_rows)

    def score(
        self,
        estimator: Estimator,
        X: Any,
        y: Any,
        params: Mapping[str, Any],
        *,
        by_row: bool = False,
    ) -> Scores:
        """Measure a fitted estimator.

        Parameters
        ----------
        estimator
            Fitted.
        X, y
            The rows to measure it on; y may be None.
        params
            What else the scorers get.
        by_row
            Whether to give the deciding score by row and say how noisy it is, where that is known.
            It shares the estimator's predictions with the scorers.
        """
        data = (X,) if y is None else (X, y)
        given = self._scorer(estimator, params, by_row=by_row)(estimator, *data, **params)
        if not isinstance(given, dict):
            ((name, _),) = self.scorers.items()
            return Scores({name: _number(name, given)}, {})
        judged = given.pop(BY_ROW, None)
        errors = {name: value for name, value in given.items() if isinstance(value, str)}
        values = {
            name: float("nan") if name in errors else _number(name, value)
            for name, value in given.items()
        }
        if not isinstance(judged, tuple):
            return Scores(values, errors)
        # A scorer multiplies what it gives by 1, which makes a plain tuple of it.
        rows, noise = RowScores(*judged)
        known = len(rows) and math.isclose(
            rows.mean(), values[self.deciding(values)], rel_tol=TOLERANCE, abs_tol=1e-9
        )
        noisy = noise if math.isfinite(noise) else None
        return Scores(values, errors, noisy, rows if known else None)

    def _scorer(self, estimator: Any, params: Mapping[str, Any], *, by_row: bool) -> Scorer:
        """Find what measures an estimator, with or without the scores of rows."""
        if params:
            routed = get_config()["enable_metadata_routing"]
            return self._together if routed else self._weighing
        if by_row and self._with_rows is not None:
            return self._with_rows
        if by_row and self._together is own_score:
            metric = own_metric(estimator)
            return own_score if metric is None else partial(_own_by_row, metric)
        return self._together

    def deciding(self, scores: Mapping[str, float]) -> str:
        """Name the metric that decides.

        Parameters
        ----------
        scores
            What `score` gave.

        Examples
        --------
        >>> resolve_scoring(["accuracy", "f1"]).deciding({"accuracy": 0.5, "f1": 0.6})
        'accuracy'
        """
        name = next(iter(scores)) if self.decide_by is None or len(scores) == 1 else self.decide_by
        if name not in scores:
            raise InvalidParameterError(
                f"decide_by={name!r} is not among the scores {list(scores)}."
            )
        return name

    def takes_weights(self, estimator: Estimator) -> bool:
        """Whether scoring can be given sample weights.

        Scorers of scikit-learn pass on the weights to the metrics that know them.

        Parameters
        ----------
        estimator
            The estimator to be scored: its own score may take weights or not.
        """
        if self._together is own_score:
            own: Any = estimator
            return "sample_weight" in signature(own.score).parameters
        return all(
            _is_scorer(scorer) or "sample_weight" in signature(scorer).parameters
            for scorer in self.scorers.values()
        )

    def consumer(self, estimator: Estimator) -> object:
        """Give the object that says which metadata scoring wants.

        Parameters
        ----------
        estimator
            The estimator to be scored: its own score asks for its own metadata.
        """
        return estimator if self._together is own_score else self._together


def own_score(estimator: Any, *data: Any, **params: Any) -> Any:
    """Let a fitted estimator score itself."""
    return estimator.score(*data, **params)


def _own_by_row(metric: str, estimator: Any, X: Any, y: Any) -> dict[str, Any]:
    """Give what the score that learners inherit gives, and that by row, from one prediction."""
    predicted = estimator.predict(X)
    return {"score": OWN_SCORES[metric](y, predicted), BY_ROW: row_scores(metric, y, predicted)}


OWN_SCORES = {"accuracy": accuracy_score, "r2": r2_score}


def resolve_scoring(
    scoring: ScoringGiven = None,
    *,
    decide_by: str | None = None,
    estimator: Estimator | None = None,
    scale: Scale | None = None,
) -> Scoring:
    """Understand what scikit-learn users write for ``scoring``.

    Parameters
    ----------
    scoring
        None for the estimator's own score, the name of a metric, a callable ``(estimator, X, y)``
        that gives a score or several by name, a list of names, or names or callables by name.
    decide_by
        The metric that decides, if there are several; by default the first.
    estimator
        One of the candidates: tells what their own score is like.
    scale
        How the deciding metric is to be read, if the name does not tell.

    Examples
    --------
    >>> resolve_scoring("neg_log_loss").scale
    Scale(best=0.0, unit=None)
    >>> resolve_scoring({"hits": "accuracy", "area": "roc_auc"}, decide_by="area").decide_by
    'area'
    >>> resolve_scoring("acuracy")
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: scoring='acuracy' is not a scorer of scikit-learn; did
    you mean 'accuracy', ...?
    """
    if scoring is None or callable(scoring):
        if scoring is None and estimator is not None and not hasattr(estimator, "score"):
            kind = type(estimator).__name__
            raise InvalidParameterError(
                f"{kind} has no score of its own; name a metric in scoring."
            )
        scorer = own_score if scoring is None else _scorer(scoring)
        own = own_scale(estimator) if scoring is None else scale_of(scoring)
        by_row = None if scoring is None else row_scorer(name_of(scoring))
        return Scoring({"score": scorer}, decide_by, scale or own, by_row)
    wanted = _by_name(scoring)
    if decide_by is None:
        decide_by = next(iter(wanted))
    if decide_by not in wanted:
        raise InvalidParameterError(
            f"decide_by={decide_by!r} is not among the metrics {list(wanted)}."
        )
    scorers = {name: _scorer(metric) for name, metric in wanted.items()}
    decides = wanted[decide_by]
    return Scoring(scorers, decide_by, scale or scale_of(decides), row_scorer(name_of(decides)))


def _is_scorer(scorer: Scorer) -> bool:
    """Whether a scorer is an object of scikit-learn's, and not just a function."""
    return hasattr(scorer, "get_metadata_routing")


def _by_name(scoring: Any) -> dict[str, Any]:
    """Give every metric its name."""
    if isinstance(scoring, str):
        return {scoring: scoring}
    if isinstance(scoring, Mapping):
        wanted = dict(scoring)
    elif isinstance(scoring, list | tuple | set) and all(isinstance(name, str) for name in scoring):
        wanted = {name: name for name in scoring}
    else:
        raise InvalidParameterError(
            f"scoring must be a name, a callable, a list of names, or metrics by name, "
            f"got {scoring!r}."
        )
    if not wanted:
        raise InvalidParameterError(f"scoring must have at least one metric, got {scoring!r}.")
    return wanted


def _scorer(metric: Any) -> Scorer:
    """Find the scorer of a name; check one that is a callable already."""
    if isinstance(metric, str):
        names = get_scorer_names()
        if metric in names:
            return get_scorer(metric)
        close = [repr(name) for name in get_close_matches(metric, names)]
        hint = f"did you mean {', '.join(close)}?" if close else "see get_scorer_names()."
        raise InvalidParameterError(f"scoring={metric!r} is not a scorer of scikit-learn; {hint}")
    if not callable(metric):
        raise InvalidParameterError(f"A metric must be a name or a callable, got {metric!r}.")
    try:
        return check_scoring(scoring=metric)
    except ValueError as error:
        raise InvalidParameterError(str(error)) from error


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidParameterError(
            f"The metric {name!r} must give a number, got {value!r}."
        ) from None
