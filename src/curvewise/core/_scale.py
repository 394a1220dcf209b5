"""The scale of the losses: how a loss reads as a score, and what difference counts as one.

Losses inside, scores outside: ``score = best - loss`` is the only change of sign in curvewise.

Precision targets ("an interval narrower than 0.1", "a gain of 0.005") are meant for error rates.
On any other scale (squared error, log loss) they are multiples of the *unit*, which follows from
the spread of the candidates' losses (`spread`) and would be about 1 for typical error rates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from curvewise.core._checks import real_number


@dataclass(frozen=True, slots=True)
class Scale:
    """How losses are to be read.

    Parameters
    ----------
    best
        The best possible score: 1 for accuracy, AUC and R2, 0 for negated errors.
    unit
        The difference between losses that precision targets are fractions of: 1 for losses
        between 0 and 1, None to take the spread of the losses seen so far.

    Examples
    --------
    >>> Scale().score(0.1)
    0.9
    >>> Scale.unbounded().score(25.0)
    -25.0
    """

    best: float = 1.0
    unit: float | None = 1.0

    def __post_init__(self) -> None:
        real_number("best", self.best)
        if self.unit is not None:
            real_number("unit", self.unit, above=0)

    @classmethod
    def unbounded(cls, *, best: float = 0.0) -> Scale:
        """Make the scale of a loss without an upper end, such as the squared error.

        Parameters
        ----------
        best
            The best possible score.
        """
        return cls(best=best, unit=None)

    def score(self, loss: float) -> float:
        """Turn a loss into the score that the user knows.

        Parameters
        ----------
        loss
            Lower is better.
        """
        return self.best - loss

    def loss(self, score: float) -> float:
        """Turn a score into the loss that the core minimises.

        Parameters
        ----------
        score
            Greater is better.
        """
        return self.best - score


def lowest_loss(losses: Iterable[float]) -> float:
    """Give the lowest loss that can be foreseen: 0, the best score, unless one was below it.

    A metric that nobody knows may have no best score: losses below 0 then show it.
    """
    return 0.0 if all(loss >= 0 for loss in losses) else -math.inf


# Recorded error rates have a best of about 1/12, and 1/20 from there to the median candidate.
PER_BEST = 12
PER_DISTANCE = 20


def spread(losses: Iterable[float]) -> float:
    """Give the unit of losses whose scale is not known.

    The smaller of 12 times the best loss and 20 times the distance from the best to the median
    one: with recorded error rates, both are about 1. Candidates that are worse than the median,
    however much, do not change it; neither does a constant that is added to all losses make it
    larger than their distances allow.

    Parameters
    ----------
    losses
        One for each candidate.

    Examples
    --------
    >>> spread([10.0, 12.0, 13.0, 15.0, 1e9])
    60.0
    """
    ordered = sorted(losses)
    if not ordered:
        return 1.0
    distance = PER_DISTANCE * (ordered[len(ordered) // 2] - ordered[0])
    size = PER_BEST * abs(ordered[0])
    return min(distance or size, size or distance) or 1.0
