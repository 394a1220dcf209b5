"""Estimators that fit a clone of another one, and can all that it can."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter

# What is for the wrapping class to answer, or would change the estimator that was given.
OWN = ("_", "fit", "partial_fit", "set_")


class FittedClone(MetaEstimatorMixin, BaseEstimator):
    """Fits a clone of ``estimator`` as ``estimator_``; the given one stays as it is."""

    estimator: BaseEstimator

    def get_metadata_routing(self) -> MetadataRequest | MetadataRouter:
        """Say what metadata the estimator asks for."""
        return self.estimator.get_metadata_routing()

    def __sklearn_tags__(self) -> Tags:
        return get_tags(self.estimator)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(OWN):
            found = getattr(vars(self).get("estimator_", vars(self).get("estimator")), name, None)
            if callable(found) or (found is not None and name.endswith("_")):
                return found
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
