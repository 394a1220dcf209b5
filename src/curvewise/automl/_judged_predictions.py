"""What the out-of-fold predictions of the winner say: how reliable it is, and its threshold.

This is a step after the final fit (`curvewise._selection.refit`): both are measured on predictions
that are there, noted in the run's store, and cost no further fit. If it is wanted and better,
probabilities are calibrated, and the threshold is then one for calibrated probabilities. What the
user wants is checked before the search begins.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from curvewise._evaluation.heard_predictions import largest
from curvewise._selection.calibration_maps import CalibrationMap, fitted_map
from curvewise._selection.estimator_code import CODE_NOTE, code_of
from curvewise._selection.refit import Refit
from curvewise._selection.reliability import Reliability, cross_fitted, reliability
from curvewise._selection.tuned_threshold import TunedThreshold
from curvewise.automl._components.calibrated_model import CalibratedModel
from curvewise.automl._threshold import ThresholdWish, threshold_wish, with_threshold
from curvewise.automl._winner_predictions import WinnerPredictions, winner_predictions
from curvewise.errors import InvalidParameterError


class JudgedPredictions:
    """Judges the predictions of what a search of an AutoML estimator has found."""

    def __init__(self, automl: Any, y: Any) -> None:
        self._automl = automl
        self._wish = _wish(automl, y)
        self.reliability: Reliability | None = None
        self.calibration: CalibrationMap | None = None
        self.threshold: TunedThreshold | None = None

    def __call__(self, refit: Refit) -> None:
        """Judge them, and note it for the readers of the run."""
        if self._automl.task != "classification" or self._automl.keep_predictions == "none":
            return
        try:
            self._judge(refit)
        except KeyboardInterrupt:
            warnings.warn("Interrupted: the threshold stays as it is.", stacklevel=2)

    def _judge(self, refit: Refit) -> None:
        ensemble = getattr(self._automl, "ensemble_", None)
        found = winner_predictions(refit, None if ensemble is None else ensemble.weights)
        if found is not None and len(found.y):
            if found.method == "predict_proba":
                found = self._judge_probabilities(found)
            if self._wish is not None:
                self.threshold = self._wish.of(found)
        # Also if there is nothing: a run that goes on may have noted something before.
        for key, told in (("calibration", self.reliability), ("threshold", self.threshold)):
            refit.note(key, None if told is None else told.facts())

    def _judge_probabilities(self, found: WinnerPredictions) -> WinnerPredictions:
        """See how reliable they are; give those of the calibrated model if that is wanted."""
        values, y, parts = found.values, found.y, found.parts
        told = self.reliability = reliability(values, y, found.classes, parts=parts)
        if not self._automl.calibrate or told.recommended is None:
            return found
        places = np.searchsorted(found.classes, y)
        self.reliability = replace(told, calibrated=True)
        self.calibration = fitted_map(told.recommended, values, places)
        # Of each fold by a map that was fitted on the others: a threshold is tuned on these.
        mapped = cross_fitted(told.recommended, values, places, parts)
        return replace(found, values=mapped, places=largest(mapped))

    def give(self) -> None:
        """Let the estimator have what was found, and predict with what is better."""
        automl = self._automl
        if self.reliability is not None:
            automl.reliability_ = self.reliability
        if self.threshold is not None:
            automl.threshold_ = self.threshold
        automl.best_estimator_ = self.around(automl.best_estimator_)

    def around(self, model: Any) -> Any:
        """Put around a fitted model what makes it better."""
        if self.calibration is not None:
            model = CalibratedModel.of(model, self.calibration)
        if self.threshold is not None and self.threshold.tuned:
            model = with_threshold(model, self.threshold)
        return model

    def note_code(self, refit: Refit) -> None:
        """Note the code of what predicts, where that is more than the best pipeline alone."""
        ensemble = getattr(self._automl, "ensemble_", None)
        alone = getattr(refit.given, "best_estimator_", None)
        model = alone if ensemble is None else ensemble.estimator
        if model is not None and self.around(model) is not alone:
            refit.note(CODE_NOTE, code_of(self.around(model)))


def _wish(automl: Any, y: Any) -> ThresholdWish | None:
    """Check what the user wants."""
    if automl.calibrate and automl.task != "classification":
        raise InvalidParameterError("calibrate is for the probabilities of classes.")
    if automl.calibrate and automl.keep_predictions == "none":
        raise InvalidParameterError("calibrate needs keep_predictions 'best' or 'all'.")
    if automl.tune_threshold is None:
        if automl.pos_label is not None:
            raise InvalidParameterError("pos_label is for tune_threshold, which is not given.")
        return None
    if automl.task != "classification":
        raise InvalidParameterError("tune_threshold is for classes; numbers have no threshold.")
    if automl.keep_predictions == "none":
        raise InvalidParameterError("tune_threshold needs keep_predictions 'best' or 'all'.")
    return threshold_wish(automl.tune_threshold, y, pos_label=automl.pos_label)
