"""The last step after the final fit: scores by the levels of a column, pictures of the model."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from typing import Any

from curvewise._selection.diagnosis.level_scores import ScoresByLevel, scores_by_level
from curvewise._selection.diagnosis.picture_note import note_pictures
from curvewise._selection.diagnosis.predicted_rows import model_of, predicted_rows
from curvewise._selection.refit import Refit


def note_model(automl: Any, X: Any, refit: Refit) -> None:
    """Score an AutoML estimator's model by levels, and note its pictures for readers of the run."""
    ensemble = getattr(automl, "ensemble_", None)
    try:
        by = _by_level(automl, X, refit)
        if by is not None:
            automl.scores_by_ = [asdict(level) for level in by.levels]
        weights = None if ensemble is None else ensemble.weights
        note_pictures(refit, weights=weights, names=automl._rows.names, by=by)  # noqa: SLF001
    except KeyboardInterrupt:
        warnings.warn("Interrupted: there are no pictures of the model.", stacklevel=2)


def _by_level(automl: Any, X: Any, refit: Refit) -> ScoresByLevel | None:
    """Score the levels of the column that was named; None if none was, or nothing was kept."""
    column = automl._rows.column(X)  # noqa: SLF001
    search = refit.given
    if column is None or not hasattr(search, "oof_predictions_"):
        return None
    kept, weights = model_of(search)
    ensemble = getattr(automl, "ensemble_", None)
    weights = weights if ensemble is None else ensemble.weights
    rows = predicted_rows(kept, weights, refit.experiment.y)
    if isinstance(rows, str):
        return None
    name, values = column
    return scores_by_level(
        rows,
        values,
        column=name,
        scoring=refit.experiment.scoring,
        weights=refit.row_weights(),
    )
