"""What more rows may bring: the expected gain and how sure it is.

An outlook is a distribution of the gain: an expected value, a spread, and a table that says how
many spreads the truth was away from the expectation, how often. Between the table's entries, and
beyond them, it is read as straight lines over the quantiles of the normal distribution.

The tables, and the numbers of a trend, were found on recorded curves of the Learning Curve Database
(LCDB 1.0): error rates of 20 scikit-learn classifiers on tabular data, 10 folds, one doubling of
the rows ahead. There are few of them, rounded, in `curvewise.advice._numbers`, and a script finds
them again from any file of recorded curves:

    python benchmarks/calibrate_advice.py CURVES.parquet --output src/.../advice/_numbers.py

`curvewise._bench.doubled_rows.calibrator` says how. Losses without bounds have numbers of their
own. They were found on the same error rates, as if nothing were known of their bounds and test
rows: advice for other metrics is as good as these behave like error rates in units of their noise
and fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtr, ndtri

from curvewise.core._intervals import UNKNOWN, Interval

# At which probabilities tables are kept.
LEVELS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99)
SCORES = tuple(float(ndtri(level)) for level in LEVELS)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers of a trend (`curvewise.advice._trend`)."""

    carry: float
    room: float
    noise: float
    share: float
    level: float
    table: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Experience:
    """What doubling the rows brought to portfolios of a size."""

    below: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """A distribution of the gain.

    Parameters
    ----------
    gain
        The expected gain: positive is better.
    spread
        The unit of the table, in units of the loss; infinity if nothing is known.
    table
        By how many spreads the truth is above the expectation, at each of `LEVELS`.
    most
        What no gain can exceed: a rate cannot fall below 0.

    Examples
    --------
    >>> outlook = Outlook(gain=0.01, spread=0.002, table=SCORES)
    >>> [round(end, 4) for end in outlook.interval(0.9)]
    [0.0067, 0.0133]
    >>> round(outlook.probability(0.01), 6), round(outlook.probability(0.0133), 2)
    (0.5, 0.05)
    """

    gain: float
    spread: float
    table: tuple[float, ...] = SCORES
    most: float = math.inf

    @property
    def known(self) -> bool:
        """Whether anything can be said."""
        return math.isfinite(self.gain) and math.isfinite(self.spread)

    def quantile(self, level: float) -> float:
        """The gain that is not exceeded with this probability.

        Parameters
        ----------
        level
            The probability, between 0 and 1.
        """
        away = _read(float(ndtri(level)), SCORES, self.table)
        return min(self.gain + self.spread * away, self.most)

    def interval(self, level: float) -> Interval:
        """The central interval that has the gain in it with this probability.

        Parameters
        ----------
        level
            The probability, between 0 and 1.
        """
        if not self.known:
            return UNKNOWN
        tail = (1 - level) / 2
        low, high = self.quantile(tail), self.quantile(1 - tail)
        return Interval(min(low, self.gain), max(high, self.gain))

    def probability(self, gain: float) -> float:
        """The probability that the gain is at least so much; NaN if nothing can be said.

        Parameters
        ----------
        gain
            In the unit of the score.
        """
        if not self.known:
            return math.nan
        if gain > self.most:
            return 0.0
        if self.spread == 0:
            return float(self.gain >= gain)
        return float(ndtr(-_read((gain - self.gain) / self.spread, self.table, SCORES)))


NOTHING_KNOWN = Outlook(math.nan, math.inf)


def _read(place: float, places: Sequence[float], values: Sequence[float]) -> float:
    """Read an ascending table at a place, along its last segments beyond its ends."""
    i = next((i for i, each in enumerate(places[1:-1], start=1) if place < each), len(places) - 1)
    share = (place - places[i - 1]) / (places[i] - places[i - 1])
    return values[i - 1] + share * (values[i] - values[i - 1])
