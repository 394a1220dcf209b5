"""A fitted model as MLflow keeps it: with its signature, without pickles where that is possible.

MLflow's safe format is that of skops, which loads nothing but what was said to be trusted when the
model was logged. The classes of a model that one has just fitted oneself are; they are listed in
the logged model. Where skops is missing or cannot keep a model, MLflow pickles it.
"""

from __future__ import annotations

import warnings
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

import numpy as np

from curvewise._packages import require
from curvewise.errors import MissingExtraError

EXAMPLE_ROWS = 5
# What a signature is inferred from.
SIGNATURE_ROWS = 100
ALWAYS_NEEDED = {"sklearn", "numpy", "scipy"}


def log_model(mlflow: Any, model: Any, X: Any, *, register_as: str | None) -> None:
    """Log a fitted model into the active run of MLflow."""
    sklearn_models = require("mlflow.sklearn", "Logging a model to MLflow", extra="mlflow")
    head = _head(X, SIGNATURE_ROWS)
    with warnings.catch_warnings():
        # About whole numbers that could be missing, and about formats: nothing to be done there.
        warnings.simplefilter("ignore")
        sklearn_models.log_model(
            model,
            name="model",
            signature=mlflow.models.infer_signature(head, model.predict(head)),
            input_example=_head(X, EXAMPLE_ROWS),
            registered_model_name=register_as,
            **_safe_format(model),
        )


def _head(X: Any, n: int) -> Any:
    if isinstance(X, list | tuple):
        X = np.asarray(X)
    return X.head(n) if hasattr(X, "head") else X[:n]


def _safe_format(model: Any) -> dict[str, Any]:
    """Say how skops is to keep a model; what cannot be kept so is pickled."""
    try:
        skops = require("skops.io", "Logging a model to MLflow", extra="select")
        names = sorted(skops.get_untrusted_types(data=skops.dumps(model)))
    except MissingExtraError:
        return {"serialization_format": "cloudpickle"}
    except Exception:
        # A learner of any package may be in there, and may refuse in any way.
        return {"serialization_format": "cloudpickle"}
    return {
        "serialization_format": "skops",
        "skops_trusted_types": names,
        "pip_requirements": _requirements(names),
    }


def _requirements(names: list[str]) -> list[str]:
    """Name the packages that a model needs, in the versions that are here."""
    modules = ALWAYS_NEEDED | {name.partition(".")[0] for name in names} | {"skops"}
    owners = packages_distributions()
    found = {owner for module in modules for owner in owners.get(module, [])[:1]}
    requirements = []
    for owner in sorted(found):
        try:
            requirements.append(f"{owner}=={version(owner)}")
        except PackageNotFoundError:
            continue
    return requirements
