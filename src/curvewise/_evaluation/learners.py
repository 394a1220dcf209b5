"""The learner of a candidate, and what it has found for its own parameters."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from sklearn.pipeline import Pipeline


def learner_of(estimator: Any) -> Any:
    """Give the last step of a pipeline; what is none is a learner itself."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def found_params(estimator: Any) -> dict[str, float] | None:
    """Give the counts that a fitted learner has found for its own parameters, if it says so.

    Learners of others may have whatever they like under that name.
    """
    learner = learner_of(estimator)
    found = getattr(learner, "found_params_", None)
    if not isinstance(found, Mapping):
        return None
    own = learner.get_params(deep=False)
    return {name: float(found[name]) for name in own if _is_count(found.get(name))} or None


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
