"""How reliable probabilities are, as plain values, which `reliability.py` measures.

They need nothing but the standard library, so that a report on a stored run loads no learner.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Rows with similar probabilities: how many, the mean that was predicted, the share observed.

    Examples
    --------
    >>> ReliabilityBin(low=0.7, high=0.9, predicted=0.8, observed=0.75, n_rows=40).n_rows
    40
    """

    low: float
    high: float
    predicted: float
    observed: float
    n_rows: int


@dataclass(frozen=True, slots=True)
class CalibrationGain:
    """What a method of calibration does to probabilities of folds that it was not fitted on.

    Parameters
    ----------
    method
        ``"sigmoid"``, ``"isotonic"`` or ``"temperature"``, as in scikit-learn.
    log_loss, brier
        With it.
    gain
        By how much it lowers the log loss.
    error
        The standard error of that, over the rows.

    Examples
    --------
    >>> CalibrationGain("isotonic", log_loss=0.35, brier=0.11, gain=0.06, error=0.01).gain
    0.06
    """

    method: str
    log_loss: float
    brier: float
    gain: float
    error: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How reliable probabilities are.

    Parameters
    ----------
    subject
        Whose probability the bins are about: a class, or the predicted one.
    n_rows
        How many rows it was measured on.
    bins
        Predicted and observed shares, in bins with about as many rows each.
    log_loss, brier
        Of all rows.
    calibration_error
        The mean distance between predicted and observed over the bins, weighted by their rows
        (the expected calibration error).
    gains
        What each method of calibration would do.
    recommended
        The method that is worth it; None if none is.
    calibrated
        Whether the model was calibrated with it. The numbers are those before.

    Examples
    --------
    >>> import numpy as np
    >>> from curvewise._selection.reliability import reliability
    >>> p = np.random.default_rng(0).uniform(size=2000)
    >>> y = np.random.default_rng(1).uniform(size=2000) < p
    >>> told = reliability(np.column_stack([1 - p, p]), y, np.array([False, True]))
    >>> print(told.sentence())
    Probabilities are reliable as they are (log loss 0.4..., mean distance from what was observed
    0.0...)
    >>> reliability(np.column_stack([1 - p**3, p**3]), y, np.array([False, True])).recommended
    'sigmoid'
    """

    subject: str
    n_rows: int
    bins: tuple[ReliabilityBin, ...]
    log_loss: float
    brier: float
    calibration_error: float
    gains: tuple[CalibrationGain, ...]
    recommended: str | None
    calibrated: bool = False

    def facts(self) -> dict[str, Any]:
        """Give everything by name, in values that JSON knows."""
        facts = asdict(self)
        return {**facts, "bins": list(facts["bins"]), "gains": list(facts["gains"])}

    def sentence(self) -> str:
        """Say whether to calibrate."""
        found = next((one for one in self.gains if one.method == self.recommended), None)
        return reliability_sentence(
            self.log_loss,
            self.calibration_error,
            method=None if found is None else found.method,
            calibrated=None if found is None else found.log_loss,
            done=self.calibrated,
        )


def reliability_sentence(
    log_loss: float,
    calibration_error: float,
    *,
    method: str | None,
    calibrated: float | None,
    done: bool = False,
) -> str:
    """Say whether to calibrate."""
    if method is None or calibrated is None:
        return (
            f"Probabilities are reliable as they are (log loss {log_loss:.4f}, mean distance from "
            f"what was observed {calibration_error:.4f})"
        )
    if done:
        return (
            f"The probabilities are calibrated ({method}): log loss {calibrated:.4f} on folds that "
            f"it was not fitted on, and {log_loss:.4f} before"
        )
    return (
        f"Calibrating the probabilities ({method}) would lower the log loss from {log_loss:.4f} to "
        f"{calibrated:.4f}, on folds that it was not fitted on"
    )
