"""A tuned threshold, as plain values: what `curvewise.automl._threshold` finds.

They need nothing but the standard library, so that a report on a stored run loads no learner.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import Any

# What gives scores, and from which of them on a row is usually predicted to be positive.
DEFAULTS = {"predict_proba": 0.5, "decision_function": 0.0}
LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedThreshold:
    """From which score on a row is predicted to be positive, and what tuning that has brought.

    Parameters
    ----------
    metric
        What it was tuned for.
    threshold
        The threshold with which the model predicts; the default one if that stays.
    default_threshold
        .5 for probabilities, 0 for decision values.
    pos_label
        The positive class.
    method
        What gives the scores: ``"predict_proba"`` or ``"decision_function"``.
    score
        The metric with tuned thresholds, each on a fold that it was not chosen on, of all folds
        together.
    default_score
        The metric without, of the same rows.
    tuned
        Whether the model predicts with a tuned threshold, which it does if that is better.

    Examples
    --------
    >>> found = TunedThreshold(
    ...     metric="f1",
    ...     threshold=0.31,
    ...     default_threshold=0.5,
    ...     pos_label="yes",
    ...     method="predict_proba",
    ...     score=0.72,
    ...     default_score=0.65,
    ...     tuned=True,
    ... )
    >>> print(found.sentence())
    Threshold for f1: 0.31 in the place of 0.5, for 'yes'. f1 0.7200 on folds that it was not chosen
    on, +0.0700 against the default
    """

    metric: str
    threshold: float
    default_threshold: float
    pos_label: str | float
    method: str
    score: float
    default_score: float
    tuned: bool

    def facts(self) -> dict[str, Any]:
        """Give everything by name, in values that JSON knows."""
        return asdict(self)

    def sentence(self) -> str:
        """Say which threshold is used, and what it brings."""
        default = f"{self.default_threshold:g}"
        if not self.tuned:
            return (
                f"Threshold: the default of {default} stays. For {self.metric} it scores "
                f"{self.default_score:.4f}, and a tuned one {self.score:.4f} on folds that it was "
                "not chosen on"
            )
        return (
            f"Threshold for {self.metric}: {_short(self.threshold)} in the place of {default}, for "
            f"{self.pos_label!r}. {self.metric} {self.score:.4f} on folds that it was not chosen "
            f"on, {self.score - self.default_score:+.4f} against the default"
        )


def _short(threshold: float) -> str:
    """Write a threshold; those at the ends in words."""
    if threshold <= -LARGEST:
        return "below all values"
    return "above all values" if threshold >= LARGEST else f"{threshold:.4g}"
