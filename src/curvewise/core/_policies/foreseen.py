"""What can be foreseen of a candidate from its curve so far, for `LCCV` and its like."""

from __future__ import annotations

import math

from curvewise.core._extrapolation import CurveModel
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._scale import lowest_loss
from curvewise.errors import InvalidParameterError


def extrapolate(model: CurveModel, portfolio: Portfolio, contender: Contender) -> float | None:
    """Fit a model to the means so far and read it at the target; None if anchors are too few."""
    curve = contender.curve
    means = [curve.mean(anchor) for anchor in curve.anchors]
    fitted = model.fit(curve.anchors, means, lowest=lowest_possible(portfolio, contender))
    return None if fitted is None else fitted.predict(portfolio.target)


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
