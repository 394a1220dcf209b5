"""Gradient boosting of CatBoost, with its native categories; what is saved of it is plain."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from curvewise._temporary import temporary_folder
from curvewise.automl._components.plain_booster import (
    PlainBooster,
    PlainClassifier,
    PlainRegressor,
    Rows,
)


class CatBoost(PlainBooster):
    """How CatBoost trains, predicts, writes and reads; parameters are called as it calls them."""

    LIBRARY = "catboost"
    BEGINNING = b"CBM1"

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        depth: int = 6,
        l2_leaf_reg: float = 3.0,
        subsample: float = 0.8,
        colsample_bylevel: float = 1.0,
        leaf_estimation_iterations: int = 1,
        one_hot_max_size: int = 10,
        max_ctr_complexity: int = 1,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.depth = depth
        self.l2_leaf_reg = l2_leaf_reg
        self.subsample = subsample
        self.colsample_bylevel = colsample_bylevel
        self.leaf_estimation_iterations = leaf_estimation_iterations
        self.one_hot_max_size = one_hot_max_size
        self.max_ctr_complexity = max_ctr_complexity
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _train(self, rows: Rows, held_out: Rows | None, patience: int) -> tuple[Any, int]:
        model = self.load_library().CatBoost(self._settings())
        if held_out is None:
            model.fit(self._pool(rows))
        else:
            # The model keeps its best rounds only.
            model.fit(
                self._pool(rows), eval_set=self._pool(held_out), early_stopping_rounds=patience
            )
        return model, int(model.tree_count_)

    def _predict(self, model: Any, rows: Rows) -> np.ndarray:
        kind = "Probability" if self._n_classes else "RawFormulaVal"
        return model.predict(self._pool(rows), prediction_type=kind, thread_count=self.n_jobs)

    def _write(self, model: Any) -> bytes:
        # Its public interface writes into files only.
        with temporary_folder() as folder:
            path = folder / "model.cbm"
            model.save_model(str(path), format="cbm")
            return path.read_bytes()

    def _read(self, content: bytes) -> Any:
        return self.load_library().CatBoost().load_model(blob=content)

    def _settings(self) -> dict[str, Any]:
        own = {"n_estimators", "random_state", "n_jobs"}
        settings = {name: value for name, value in self.get_params().items() if name not in own}
        losses = {0: "RMSE", 2: "Logloss"}
        return {
            **settings,
            "iterations": self.n_estimators,
            "loss_function": losses.get(self._n_classes, "MultiClass"),
            "boosting_type": "Plain",
            "bootstrap_type": "Bernoulli",
            "random_seed": self.random_state,
            "thread_count": self.n_jobs,
            "task_type": "CPU",
            "logging_level": "Silent",
            "allow_writing_files": False,
        }

    def _pool(self, rows: Rows) -> Any:
        """Make its kind of table; columns of categories come last."""
        library = self.load_library()
        label = rows.target if len(rows.target) else None
        facts = {"label": label, "weight": rows.weights, "thread_count": self.n_jobs}
        if not rows.categories:
            matrix = rows.matrix
            data = sparse.csr_matrix(matrix) if sparse.issparse(matrix) else matrix
            return library.Pool(data, **facts)
        numbers = np.delete(rows.matrix, rows.categories, axis=1).astype(np.float32)
        codes = np.nan_to_num(rows.matrix[:, rows.categories], nan=-1.0).astype(int)
        names = np.array([b"%d" % code for code in range(-1, codes.max(initial=-1) + 1)], object)
        data = library.FeaturesData(
            num_feature_data=numbers if numbers.shape[1] else None,
            cat_feature_data=names[codes + 1],
        )
        return library.Pool(data, **facts)


class CatBoostClassifier(PlainClassifier, CatBoost):
    """CatBoost's classifier; classes may be text, and gaps and categories stay what they are."""


class CatBoostRegressor(PlainRegressor, CatBoost):
    """CatBoost's regressor; gaps and categories stay what they are."""
