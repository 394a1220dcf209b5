"""How many rows a wished-for score needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from curvewise.advice._predictors import Ahead

# Beyond this many times the rows, nobody can say anything.
FARTHEST = 64.0
N_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Need:
    """The rows that a score needs.

    Parameters
    ----------
    score
        The wished-for score.
    rows
        The rows at which it is expected; None if it is out of reach.
    sure_rows
        The rows at which it is as probable as a *yes* has to be; None if that is out of reach.
    farthest
        How many rows were looked at.

    Examples
    --------
    >>> print(Need(0.93, rows=4000, sure_rows=None, farthest=64_000).explain())
    A score of 0.93 is expected at about 4,000 rows, but one cannot count on it up to 64,000.
    >>> print(Need(0.99, rows=None, sure_rows=None, farthest=64_000).explain())
    A score of 0.99 is out of reach: it is not expected with up to 64,000 rows.
    """

    score: float
    rows: int | None
    sure_rows: int | None
    farthest: int

    @property
    def reachable(self) -> bool:
        """Whether it is expected at all."""
        return self.rows is not None

    def explain(self) -> str:
        """Say it in a sentence."""
        wish = f"A score of {self.score:.4g}"
        if self.rows is None:
            return f"{wish} is out of reach: it is not expected with up to {self.farthest:,} rows."
        text = f"{wish} is expected at about {self.rows:,} rows"
        if self.sure_rows is None:
            return f"{text}, but one cannot count on it up to {self.farthest:,}."
        if self.sure_rows <= self.rows:
            return f"{text}."
        return f"{text}; with {self.sure_rows:,} one can count on it."


def need_for(
    score: float, gain: float, ahead: Ahead, *, rows: int, sure: float, begin: float = 1.0
) -> Need:
    """Find the rows for a gain."""
    if gain <= 0:
        return Need(score, rows, rows, round(rows * FARTHEST))

    def expected(factor: float) -> bool:
        return ahead.look(begin * factor).gain >= gain

    def certain(factor: float) -> bool:
        return ahead.look(begin * factor).probability(gain) >= sure

    found = [_smallest(reached) for reached in (expected, certain)]
    counts = [None if factor is None else math.ceil(rows * factor) for factor in found]
    return Need(score, counts[0], counts[1], round(rows * FARTHEST))


def _smallest(reached: Callable[[float], bool]) -> float | None:
    """The smallest factor at which something is reached, by halving its logarithm."""
    low, high = 0.0, math.log2(FARTHEST)
    if not reached(2**high):
        return None
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        if middle > 0 and reached(2**middle):
            high = middle
        else:
            low = middle
    return float(2**high)
