"""Names that scikit-learn has changed: written once as they were, passed as they are now.

Spaces outlive versions: whoever wrote ``affinity`` in 2021 means what is ``metric`` today. Rules:

1. A name is replaced only if the class does not know it and knows the new one.
2. A value is replaced by what it is called in every version that we support.
3. What the class itself marks as deprecated (a default of ``"deprecated"``) is not passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import Parameter, signature
from math import inf
from typing import Any

ARGUMENTS = {
    "affinity": "metric",
    "base_estimator": "estimator",
    "sparse": "sparse_output",
}
VALUES: Mapping[tuple[str, str], Mapping[Any, str]] = {
    ("FastICA", "whiten"): {True: "unit-variance"},
    ("HistGradientBoostingClassifier", "loss"): {
        "auto": "log_loss",
        "binary_crossentropy": "log_loss",
        "categorical_crossentropy": "log_loss",
    },
    ("HistGradientBoostingRegressor", "loss"): {
        "least_absolute_deviation": "absolute_error",
        "least_squares": "squared_error",
    },
    ("ExtraTreesClassifier", "max_features"): {"auto": "sqrt"},
    ("RandomForestClassifier", "max_features"): {"auto": "sqrt"},
    ("SGDClassifier", "loss"): {"log": "log_loss"},
    ("SGDRegressor", "loss"): {"squared_loss": "squared_error"},
}
DEPRECATED = ("deprecated", "warn")
# LogisticRegression: the penalty became a mixing ratio in 1.8, and n_jobs has no effect since.
RATIOS: Mapping[Any, Mapping[str, float]] = {
    "l1": {"l1_ratio": 1.0},
    "l2": {"l1_ratio": 0.0},
    "elasticnet": {},
    None: {"C": inf},
}


@lru_cache(maxsize=512)
def known_arguments(cls: type) -> Mapping[str, Any]:
    """Give the names that a constructor takes, with their defaults.

    One that takes any names hands them on to the next class, as XGBoost's do.
    """
    known: dict[str, Any] = {}
    for constructor in (cls, *(vars(one)["__init__"] for one in cls.__mro__ if _has_own(one))):
        parameters = signature(constructor).parameters.values()
        for one in parameters:
            if one.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL):
                known.setdefault(one.name, one.default)
        if all(one.kind is not Parameter.VAR_KEYWORD for one in parameters):
            break
    known.pop("self", None)
    return known


def _has_own(cls: type) -> bool:
    return cls is not object and "__init__" in vars(cls)


def current_names(cls: type, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments the names and values that the installed scikit-learn knows."""
    known = known_arguments(cls)
    now: dict[str, Any] = {}
    for given, meant in arguments.items():
        newer = ARGUMENTS.get(given, given)
        name = newer if given not in known and newer in known else given
        renamed = VALUES.get((cls.__name__, name), {})
        value = renamed.get(meant, meant) if isinstance(meant, str | bool) else meant
        if (cls.__name__, name) == ("LogisticRegression", "penalty"):
            now |= RATIOS.get(value, {})
        elif not is_deprecated(cls, name):
            now[name] = value
    return now


def is_deprecated(cls: type, name: str) -> bool:
    """Whether passing an argument would only earn a warning."""
    if (cls.__name__, name) == ("LogisticRegression", "n_jobs"):
        return True
    default = known_arguments(cls).get(name)
    return isinstance(default, str) and default in DEPRECATED
