"""Confidence intervals for the mean loss at an anchor (Mohr & van Rijn 2023, Sec. IV-A).

Rules:

1. ``"normal"`` is what the paper's code does: 95%, normal quantile, standard deviation with
   ``ddof=0``. It truly covers 75 / 85 / 90% with 3 / 5 / 10 observations.
2. ``"t"`` is Student's interval, ``ddof=1``: it covers what it says.
3. Fewer than two observations give the whole real line: one observation is no interval of width 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from curvewise.errors import InvalidParameterError

IntervalKind = Literal["normal", "t"]


class Interval(NamedTuple):
    """A closed interval of losses.

    Parameters
    ----------
    low, high
        Both ends; infinite where nothing is known.

    Examples
    --------
    >>> Interval(0.25, 0.5).width
    0.25
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """The distance between both ends."""
        return self.high - self.low


UNKNOWN = Interval(-math.inf, math.inf)


def mean_interval(
    losses: Sequence[float], *, kind: IntervalKind = "normal", level: float = 0.95
) -> Interval:
    """Give the confidence interval of the mean of some losses."""
    n = len(losses)
    if n < 2:
        return UNKNOWN
    mean = math.fsum(losses) / n
    squares = math.fsum((loss - mean) ** 2 for loss in losses)
    freedom = n if kind == "normal" else n - 1
    # Deviates: 11. The paper says neither which interval nor which level; its authors' code does.
    half = quantile(kind, n, level) * math.sqrt(squares / freedom / n)
    return Interval(mean - half, mean + half)


@lru_cache(maxsize=1024)
def quantile(kind: IntervalKind, n: int, level: float) -> float:
    """Give the two-sided quantile that belongs to a kind of interval."""
    # Loaded when it is first needed: SciPy takes longer to load than all of curvewise.
    from scipy.special import ndtri, stdtrit

    if not 0 < level < 1:
        raise InvalidParameterError(f"level must be between 0 and 1, got {level}.")
    tail = (1 + level) / 2
    if kind == "normal":
        return float(ndtri(tail))
    if kind == "t":
        return float(stdtrit(n - 1, tail))
    raise InvalidParameterError(f"interval must be 'normal' or 't', got {kind!r}.")


def variance_of_rate(rate: float, n_test: float) -> float:
    """Give the variance that chance alone gives an error rate on so many test rows.

    The rate is taken to be at least half an error and at most one half: no errors on a few rows do
    not make it certain.
    """
    expected = min(0.5, max(0.5 / n_test, rate))
    return expected * (1 - expected) / n_test


def share_interval(share: float, n: int) -> Interval:
    """Give the 95% interval of a share of n cases; one of 0 or 1 has a width too (Wilson 1927)."""
    n, z = max(n, 1), 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    away = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return Interval(max(0.0, middle - away), min(1.0, middle + away))
