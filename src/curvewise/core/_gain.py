"""What finishing a candidate could still bring: the expected gain of the remaining folds.

A candidate has n of k folds, with paired differences to the leader of mean ``mu`` (positive: it
is worse). Its final mean difference is a Student variable around mu whose scale shrinks to 0 as n
approaches k. The gain is by how much the final difference falls below 0, on average:

    G = E[max(0, -(mu + h T))],  T ~ t(nu)
      = h * ((nu + z**2) / (nu - 1) * f(z) - z * F(-z)),  z = mu / h
"""

from __future__ import annotations

import math
from functools import lru_cache

from scipy.special import stdtr


def chance_below(z: float, freedom: float) -> float:
    """Give the probability that a Student variable falls below -z: the chance to win."""
    return float(stdtr(freedom, -z))


def expected_gain(mean: float, spread: float, freedom: float) -> float:
    """Give the expected gain of a difference that is Student-distributed."""
    if spread <= 0:
        return max(0.0, -mean)
    z = mean / spread
    upper = (freedom + z * z) / (freedom - 1) * _density(z, freedom)
    return max(0.0, spread * (upper - z * chance_below(z, freedom)))


def _density(z: float, freedom: float) -> float:
    return _height(freedom) * math.exp(-(freedom + 1) / 2 * math.log1p(z * z / freedom))


@lru_cache(maxsize=4096)
def _height(freedom: float) -> float:
    logarithm = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    return math.exp(logarithm) / math.sqrt(freedom * math.pi)
