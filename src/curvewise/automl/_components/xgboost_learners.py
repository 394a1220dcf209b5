"""Gradient boosting of XGBoost, with its native categories; what is saved of it is plain."""

from __future__ import annotations

from typing import Any

import numpy as np

from curvewise.automl._components.plain_booster import (
    PlainBooster,
    PlainClassifier,
    PlainRegressor,
    Rows,
)


class XGBoost(PlainBooster):
    """How XGBoost trains, predicts, writes and reads; parameters are called as it calls them."""

    LIBRARY = "xgboost"
    BEGINNING = b"{L"

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_depth: int = 6,
        min_child_weight: float = 1.0,
        subsample: float = 1.0,
        colsample_bytree: float = 1.0,
        reg_alpha: float = 0.0,
        reg_lambda: float = 1.0,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_child_weight = min_child_weight
        self.subsample = subsample
        self.colsample_bytree = colsample_bytree
        self.reg_alpha = reg_alpha
        self.reg_lambda = reg_lambda
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _train(self, rows: Rows, held_out: Rows | None, patience: int) -> tuple[Any, int]:
        library = self.load_library()
        watching: dict[str, Any] = {}
        if held_out is not None:
            watching = {
                "evals": [(self._matrix(held_out), "held_out")],
                "early_stopping_rounds": patience,
            }
        model = library.train(
            self._settings(),
            self._matrix(rows),
            num_boost_round=self.n_estimators,
            verbose_eval=False,
            **watching,
        )
        if held_out is None:
            return model, self.n_estimators
        n_rounds = model.best_iteration + 1
        return model[:n_rounds], n_rounds

    def _predict(self, model: Any, rows: Rows) -> np.ndarray:
        return model.predict(self._matrix(rows))

    def _write(self, model: Any) -> bytes:
        return bytes(model.save_raw(raw_format="ubj"))

    def _read(self, content: bytes) -> Any:
        model = self.load_library().Booster({"nthread": self.n_jobs, "verbosity": 0})
        model.load_model(bytearray(content))
        return model

    def _settings(self) -> dict[str, Any]:
        own = {"n_estimators", "random_state", "n_jobs"}
        settings = {name: value for name, value in self.get_params().items() if name not in own}
        objectives = {0: "reg:squarederror", 2: "binary:logistic"}
        objective = objectives.get(self._n_classes, "multi:softprob")
        if objective == "multi:softprob":
            settings["num_class"] = self._n_classes
        return {
            **settings,
            "objective": objective,
            "tree_method": "hist",
            "device": "cpu",
            "nthread": self.n_jobs,
            "seed": self.random_state,
            "verbosity": 0,
        }

    def _matrix(self, rows: Rows) -> Any:
        kinds = ["q"] * rows.matrix.shape[1]
        for place in rows.categories:
            kinds[place] = "c"
        return self.load_library().DMatrix(
            rows.matrix,
            label=rows.target if len(rows.target) else None,
            weight=rows.weights,
            feature_types=kinds,
            enable_categorical=True,
            nthread=self.n_jobs,
        )


class XGBClassifier(PlainClassifier, XGBoost):
    """XGBoost's classifier; classes may be text, and gaps and categories stay what they are."""


class XGBRegressor(PlainRegressor, XGBoost):
    """XGBoost's regressor; gaps and categories stay what they are."""
