"""What a pipeline is made of, in words that fit into a table."""

from __future__ import annotations

from typing import Any

from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import Pipeline

from curvewise.automl._components.dense import Dense
from curvewise.automl._components.fitted_clone import FittedClone
from curvewise.automl._components.found_rounds import FoundRounds
from curvewise.automl._components.weighted_models import WeightedModels
from curvewise.automl._table_preparation import TablePreparation

# Steps that are no choice of the search.
PREPARATION = (Dense, TablePreparation)
PASSIVE_RATES = ("pa1", "pa2")
PASSIVE_NAMES = {
    "SGDClassifier": "PassiveAggressiveClassifier",
    "SGDRegressor": "PassiveAggressiveRegressor",
}


def describe(pipeline: Any) -> dict[str, Any]:
    """Say what a pipeline is made of."""
    steps = _steps(pipeline)
    named = dict(steps)
    return {
        "algorithm": name_of(steps[-1][1]),
        "data": name_of(named["data"]) if "data" in named else None,
        "feature": name_of(named["feature"]) if "feature" in named else None,
        "text": " > ".join(_with_kernel(step) for _, step in steps),
    }


def name_of(estimator: Any) -> str:
    """Give the name of the algorithm behind an estimator."""
    learner = _learner(estimator)
    name = type(learner).__name__
    passive = getattr(learner, "learning_rate", None) in PASSIVE_RATES
    return PASSIVE_NAMES.get(name, name) if passive else name


def _steps(pipeline: Any) -> list[tuple[str, Any]]:
    """Name the steps that do something; steps within steps count as well."""
    if not isinstance(pipeline, Pipeline):
        return [("", pipeline)]
    found: list[tuple[str, Any]] = []
    for name, step in pipeline.steps:
        if isinstance(step, Pipeline):
            found.extend(_steps(step))
        elif step is not None and step != "passthrough" and not isinstance(step, PREPARATION):
            found.append((name, step))
    return found or [("", pipeline)]


def _learner(estimator: Any) -> Any:
    """Give the algorithm itself; of several that predict together, the first."""
    inner = _inner(estimator)
    return estimator if inner is None else _learner(inner)


def _inner(estimator: Any) -> Any:
    """Give what an estimator is put around, None if it is an algorithm itself."""
    if isinstance(estimator, TransformedTargetRegressor):
        return estimator.regressor
    if isinstance(estimator, WeightedModels):
        return estimator.estimators[0]
    return estimator.estimator if isinstance(estimator, FittedClone) else None


def _n_alike(estimator: Any) -> int:
    """Count how many of one algorithm predict together."""
    own = 1
    if isinstance(estimator, FoundRounds):
        own = estimator.n_seeds
    elif isinstance(estimator, WeightedModels) and len(set(map(type, estimator.estimators))) == 1:
        own = len(estimator.estimators)
    inner = _inner(estimator)
    return own if inner is None else own * _n_alike(inner)


def _with_kernel(estimator: Any) -> str:
    kernel = getattr(_learner(estimator), "kernel", None)
    name = name_of(estimator)
    text = f"{name}({kernel})" if isinstance(kernel, str) else name
    n_alike = _n_alike(estimator)
    return text if n_alike == 1 else f"{n_alike} x {text}"
