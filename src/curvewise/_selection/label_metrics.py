"""Metrics of predicted classes, where there are two of them: what a threshold is tuned for.

With two classes and a score for each row, all that a metric of predicted classes can depend on are
four counts: true and false positives, true and false negatives. For the usual metrics the score is
a formula of these, so all thresholds are judged at once. Any other is called with the classes.

Rules:

1. A name is one of a scikit-learn scorer that judges predicted classes. One that judges
   probabilities, such as roc_auc, does not change with the threshold and is refused.
2. A callable is a scorer of scikit-learn (``make_scorer``), or a function ``(y_true, y_pred)``
   whose values are better when greater.
3. A metric of one class, such as f1, is that of the positive class: 1 or True where the classes are
   numbers or truth values as in scikit-learn, and otherwise the one that is named.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names

from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]
# Which rows are positive, and which were predicted to be.
Called = Callable[[Array, Array], float]
MetricGiven = str | Callable[..., Any]

# Metrics that judge one class only: scikit-learn wants to know which, unless it is called 1.
OF_POSITIVES = ("f1", "jaccard", "precision", "recall")
USUAL = "balanced_accuracy, f1, precision or recall"


class Counts(NamedTuple):
    """True negatives, false positives, false negatives and true positives, of many thresholds."""

    tn: Array
    fp: Array
    fn: Array
    tp: Array


Counted = Callable[[Counts], Array]


@dataclass(frozen=True, slots=True)
class LabelMetric:
    """A metric of predicted classes.

    Parameters
    ----------
    name
        How it is called.
    called
        Gives the score, of which rows are positive and which were predicted to be.
    counted
        Gives the scores of many thresholds at once, of counts; None if there is no formula.
    """

    name: str
    called: Called
    counted: Counted | None = None

    def score(self, positive: Array, predicted: Array) -> float:
        """Give the score of predicted classes."""
        if self.counted is None:
            return self.called(positive, predicted)
        counts = (
            np.array([np.count_nonzero(is_true & is_said)])
            for is_true in (~positive, positive)
            for is_said in (~predicted, predicted)
        )
        return float(self.counted(Counts(*counts))[0])


def label_metric(given: MetricGiven, classes: Array, *, positive: Any) -> LabelMetric:
    """Understand what a threshold is to be tuned for; of two classes, one is the positive."""
    if isinstance(given, str):
        scorer = _named(given)
        as_number = np.array([0, 1])
        return LabelMetric(given, _called_with(_scored(scorer), as_number, 1), COUNTED.get(given))
    if not callable(given):
        raise InvalidParameterError(
            f"tune_threshold must be the name of a metric or a callable, got {given!r}."
        )
    name = getattr(given, "__name__", None)
    if hasattr(given, "get_metadata_routing"):
        name = getattr(getattr(given, "_score_func", None), "__name__", name)
        given = _scored(_judging_classes(given, "tune_threshold"))
    return LabelMetric(name or type(given).__name__, _called_with(given, classes, positive))


def positive_class(classes: Array, pos_label: Any, metric: MetricGiven) -> Any:
    """Find the positive class (rule 3); a class may also be named by its text."""
    known = classes.tolist()
    if pos_label is not None:
        same = [one for one in known if one == pos_label or str(one) == str(pos_label)]
        if not same:
            raise InvalidParameterError(
                f"pos_label must be one of the classes {known[0]!r} and {known[1]!r}, "
                f"got {pos_label!r}."
            )
        return same[0]
    if metric in OF_POSITIVES and known not in ([0, 1], [-1, 1]):
        raise InvalidParameterError(
            f"tune_threshold={metric!r} needs to know which class is the positive one: "
            f"pos_label={known[0]!r} or pos_label={known[1]!r}."
        )
    return known[1]


def _named(name: str) -> Any:
    names = get_scorer_names()
    if name not in names:
        close = [repr(one) for one in get_close_matches(name, names)]
        hint = f"did you mean {', '.join(close)}?" if close else f"try {USUAL}."
        raise InvalidParameterError(
            f"tune_threshold={name!r} is not a scorer of scikit-learn; {hint}"
        )
    return _judging_classes(get_scorer(name), f"tune_threshold={name!r}")


def _judging_classes(scorer: Any, what: str) -> Any:
    """Refuse a scorer that judges probabilities (rule 1)."""
    if getattr(scorer, "_response_method", None) != "predict":
        raise InvalidParameterError(
            f"{what} judges probabilities, which no threshold changes; a metric of predicted "
            f"classes is needed, such as {USUAL}."
        )
    return scorer


def _scored(scorer: Any) -> Callable[[Array, Array], Any]:
    """Give a scorer's function of true and predicted classes, with its sign."""
    sign, metric, options = scorer._sign, scorer._score_func, scorer._kwargs  # noqa: SLF001
    return lambda y_true, y_pred: sign * metric(y_true, y_pred, **options)


def _called_with(metric: Callable[..., Any], classes: Array, positive: Any) -> Called:
    """Call a metric with classes, where we have which rows are positive."""
    first = int(classes[0] == positive)
    by_truth = classes[[first, 1 - first]]

    def called(is_true: Array, is_said: Array) -> float:
        with warnings.catch_warnings():
            # Where nobody is predicted positive, a precision is undefined, and scored as 0.
            warnings.simplefilter("ignore")
            return float(metric(by_truth[is_true.astype(int)], by_truth[is_said.astype(int)]))

    return called


def _share(part: Array, whole: Array) -> Array:
    """Divide; nothing of nothing is 0."""
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


def _over_both(shares: list[Array], wholes: list[Array]) -> Array:
    """Give the mean over the classes that are there."""
    there = np.sum([whole > 0 for whole in wholes], axis=0)
    return _share(np.sum(shares, axis=0), there)


def _balanced_accuracy(n: Counts) -> Array:
    positives, negatives = n.tp + n.fn, n.tn + n.fp
    recalls = [_share(n.tp, positives), _share(n.tn, negatives)]
    return _over_both(recalls, [positives, negatives])


def _f1(n: Counts) -> Array:
    return _share(2 * n.tp, 2 * n.tp + n.fp + n.fn)


def _f1_macro(n: Counts) -> Array:
    other = Counts(tn=n.tp, fp=n.fn, fn=n.fp, tp=n.tn)
    return _over_both([_f1(n), _f1(other)], [n.tp + n.fp + n.fn, n.tn + n.fp + n.fn])


def _matthews(n: Counts) -> Array:
    tn, fp, fn, tp = (np.asarray(each, dtype=float) for each in n)
    below = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return _share(tp * tn - fp * fn, below)


COUNTED: Mapping[str, Counted] = {
    "accuracy": lambda n: _share(n.tn + n.tp, n.tn + n.fp + n.fn + n.tp),
    "balanced_accuracy": _balanced_accuracy,
    "f1": _f1,
    "f1_macro": _f1_macro,
    "jaccard": lambda n: _share(n.tp, n.tp + n.fp + n.fn),
    "matthews_corrcoef": _matthews,
    "precision": lambda n: _share(n.tp, n.tp + n.fp),
    "recall": lambda n: _share(n.tp, n.tp + n.fn),
}
