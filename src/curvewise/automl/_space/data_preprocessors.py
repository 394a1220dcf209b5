"""The paper's seven data pre-processors: they change the scale of columns, or drop some."""

from __future__ import annotations

from typing import Any

from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Real


def as_percent(values: dict[str, Any]) -> dict[str, Any]:
    """Give RobustScaler its quantiles in percent.

    Examples
    --------
    >>> as_percent({"q_min": 0.25, "q_max": 0.75})
    {'quantile_range': (25.0, 75.0)}
    """
    # Deviates: the authors pass fractions, which scikit-learn reads as percent.
    return {"quantile_range": (100 * values["q_min"], 100 * values["q_max"])}


MIN_MAX_SCALER = Component(
    name="MinMaxScaler",
    target="sklearn.preprocessing.MinMaxScaler",
    dense=True,
    gives_negative=False,
)

NORMALIZER = Component(name="Normalizer", target="sklearn.preprocessing.Normalizer")

POWER_TRANSFORMER = Component(
    name="PowerTransformer",
    target="sklearn.preprocessing.PowerTransformer",
    dense=True,
    gives_negative=True,
)

QUANTILE_TRANSFORMER = Component(
    name="QuantileTransformer",
    target="curvewise.automl._components.transformers.QuantileTransformer",
    parameters={
        "n_quantiles": Integer(10, 2000),
        "output_distribution": Categorical(["uniform", "normal"]),
    },
    dense=True,
    gives_negative=When("output_distribution", ["normal"]),
)

ROBUST_SCALER = Component(
    name="RobustScaler",
    target="sklearn.preprocessing.RobustScaler",
    parameters={"q_max": Real(0.7, 0.999), "q_min": Real(0.001, 0.3)},
    translate=as_percent,
    dense=True,
    gives_negative=True,
)

STANDARD_SCALER = Component(
    name="StandardScaler",
    target="sklearn.preprocessing.StandardScaler",
    dense=True,
    gives_negative=True,
)

VARIANCE_THRESHOLD = Component(
    name="VarianceThreshold", target="sklearn.feature_selection.VarianceThreshold"
)

DATA_PREPROCESSORS = (
    MIN_MAX_SCALER,
    NORMALIZER,
    POWER_TRANSFORMER,
    QUANTILE_TRANSFORMER,
    ROBUST_SCALER,
    STANDARD_SCALER,
    VARIANCE_THRESHOLD,
)
