"""Which folds LCCV asks for at an anchor: how many to begin with, and until the mean is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio

if TYPE_CHECKING:
    from curvewise.core._policies.lccv import LCCV


def missing_folds(
    policy: LCCV, portfolio: Portfolio, contender: Contender, anchor: int
) -> list[int]:
    """List the folds to sample now: up to the minimum, then until the interval is narrow."""
    left = folds_left(policy, portfolio, contender, anchor)
    n = len(contender.curve.losses(anchor))
    # Deviates: 3. Algorithm 1 names no minimum.
    if n < policy.min_repeats:
        return left[: policy.min_repeats - n]
    widest = max_width(policy, portfolio, anchor)
    width = contender.curve.interval(anchor, kind=policy.interval, level=policy.level).width
    if width <= widest:
        return []
    if anchor != portfolio.target or policy.one_by_one:
        return left[:1]
    # Deviates: 12. All that the width now calls for at once: workers need not wait.
    ratio = min(width / widest, 1e6) if widest else math.inf
    wanted = n * ratio * ratio
    return left[: max(1, math.ceil(min(wanted, n + len(left))) - n)]


def first_folds(
    policy: LCCV, portfolio: Portfolio, contender: Contender, anchor: int
) -> tuple[tuple[int, int], ...]:
    """List the folds to begin with at an anchor: the minimum, or one if it was there before."""
    n = max(1, policy.min_repeats - contender.curve.n(anchor))
    folds = folds_left(policy, portfolio, contender, anchor)[:n]
    return tuple((anchor, fold) for fold in folds)


def folds_left(policy: LCCV, portfolio: Portfolio, contender: Contender, anchor: int) -> list[int]:
    """List the folds that an anchor may still get; one where a fold has failed gets none."""
    had = contender.curve.n(anchor)
    most = portfolio.n_folds if policy.max_repeats is None else policy.max_repeats
    if contender.failed_folds(anchor):
        return []
    return next_folds(portfolio, contender, anchor, max(0, most - had))


def max_width(policy: LCCV, portfolio: Portfolio, anchor: int) -> float:
    """Say how wide the interval of a mean may be at an anchor."""
    at_target = anchor == portfolio.target
    # Deviates: 6. Algorithm 1 has one width, the text has two.
    return portfolio.unit * (policy.max_width_target if at_target else policy.max_width)
