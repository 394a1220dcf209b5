"""The learner of a candidate, and what it has found for its own parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.pipeline import Pipeline


def learner_of(estimator: Any) -> Any:
    """Give the last step of a pipeline; what is none is a learner itself."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def found_params(estimator: Any) -> dict[str, float] | None:
    """Give what a fitted learner has found for its own parameters, if it says so."""
    found = getattr(learner_of(estimator), "found_params_", None)
    return dict(found) if isinstance(found, Mapping) and found else None
