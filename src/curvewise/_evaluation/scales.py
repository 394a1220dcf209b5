"""The scales of scikit-learn's metrics: what the best score is, and what a difference means.

A metric that nobody knows counts as an error without an upper end: nothing is assumed about it, and
precision is then measured by the spread between the candidates.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer, get_scorer_names

from curvewise.core._scale import Scale

# The best score is 1, and a difference of 0.01 means the same for all: the share of right answers,
# the area under a curve, a correlation.
RATE = Scale()
# The best score is 1, and there is no worst one: the share of the variance that is explained.
EXPLAINED = Scale.unbounded(best=1.0)
# Errors in the unit of what is predicted, negated; the best score is 0.
ERROR = Scale.unbounded(best=0.0)

# Scorers by name, or by what their names begin with: "f1" is for "f1_macro" too.
RATES = (
    *("accuracy", "balanced_accuracy", "top_k_accuracy", "precision", "recall", "f1", "jaccard"),
    *("roc_auc", "average_precision", "matthews_corrcoef", "rand_score", "adjusted"),
    *("homogeneity_score", "completeness_score", "v_measure_score"),
    *("normalized_mutual_info_score", "fowlkes_mallows_score"),
)
SCALES = {
    **dict.fromkeys(RATES, RATE),
    **dict.fromkeys(("r2", "explained_variance", "d2"), EXPLAINED),
    "neg": ERROR,
}


def scale_of(metric: Any) -> Scale:
    """Look up the scale of a metric."""
    name = name_of(metric)
    while name:
        if name in SCALES:
            return SCALES[name]
        name = name.rpartition("_")[0]
    return ERROR


def own_scale(estimator: Any) -> Scale:
    """Say what an estimator's own score is like: accuracy, explained variance, or anything."""
    if not hasattr(estimator, "__sklearn_tags__"):
        return ERROR
    if is_classifier(estimator):
        return RATE
    return EXPLAINED if is_regressor(estimator) else ERROR


def name_of(metric: Any) -> str:
    """Find the name of a scorer; empty if it does not read like one that has a name."""
    if isinstance(metric, str):
        return metric
    shown = repr(metric)
    if not shown.startswith("make_scorer("):
        return ""
    return next((name for name in get_scorer_names() if repr(get_scorer(name)) == shown), "")
