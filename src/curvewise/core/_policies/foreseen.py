"""What can be foreseen of a candidate from its curve so far, for `LCCV` and its like."""

from __future__ import annotations

import math

from curvewise.core._extrapolation import CurveModel, InversePowerLaw
from curvewise.core._intervals import Interval
from curvewise.core._policy import Estimate, last_anchor
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._scale import lowest_loss
from curvewise.errors import InvalidParameterError


def extrapolate(model: CurveModel, portfolio: Portfolio, contender: Contender) -> float | None:
    """Fit a model to the means so far and read it at the target; None if anchors are too few."""
    curve = contender.curve
    means = [curve.mean(anchor) for anchor in curve.anchors]
    fitted = model.fit(curve.anchors, means, lowest=lowest_possible(portfolio, contender))
    return None if fitted is None else fitted.predict(portfolio.target)


def predicted_result(portfolio: Portfolio, contender: Contender) -> Estimate | None:
    """Give the power law's value at the target as a partial result; None if anchors are too few.

    Its interval is as wide as at the last anchor, and wider by what the curve still has to fall.
    """
    predicted = extrapolate(InversePowerLaw(), portfolio, contender)
    if predicted is None:
        return None
    mean, _, (low, high) = last_anchor(portfolio, contender)
    half = (high - low) / 2 + abs(mean - predicted)
    low = max(predicted - half, lowest_possible(portfolio, contender))
    text = f"extrapolation to {portfolio.target:,} rows"
    return Estimate(predicted, text, Interval(low, predicted + half))


def lowest_possible(portfolio: Portfolio, contender: Contender) -> float:
    """Give the lowest loss that the metric allows, as far as losses show it."""
    curve, threshold = contender.curve, portfolio.threshold
    seen = [loss for anchor in curve.anchors for loss in curve.losses(anchor)]
    return lowest_loss(seen if threshold is None else [*seen, threshold])


def mean_train_loss(portfolio: Portfolio, contender: Contender, anchor: int) -> float:
    """Average the losses on the training rows at an anchor; -inf if there is no observation."""
    cells = contender.curve.cells(anchor)
    losses = [cell.train_loss(portfolio.scale) for cell in cells]
    known = [loss for loss in losses if loss is not None and math.isfinite(loss)]
    if len(known) < len(cells):
        raise InvalidParameterError(
            "prune_by_training needs scores on the training rows, got observations without them."
        )
    return math.fsum(known) / len(known) if known else -math.inf
