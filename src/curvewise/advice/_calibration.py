"""What the numbers behind advice mean; `curvewise.advice._numbers` has them.

They were found on recorded curves of the Learning Curve Database (LCDB 1.0): error rates of 20
scikit-learn classifiers on tabular data, 10 folds, one doubling of the rows ahead. There are few of
them, rounded, and a script finds them again from any file of recorded curves:

    python benchmarks/calibrate_advice.py CURVES.parquet --output src/.../advice/numbers.py

`curvewise._bench.advice.calibrator` says how. Losses without bounds have numbers of their own. They
were found on the same error rates, as if nothing were known of their bounds and test rows: advice
for other metrics is as good as these behave like error rates in units of their noise and fall.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers of a trend (`curvewise.advice._trend`).

    Examples
    --------
    >>> from curvewise.advice._numbers import PORTFOLIO
    >>> 0 < PORTFOLIO.carry < 1, len(PORTFOLIO.table)
    (True, 15)
    """

    carry: float
    room: float
    noise: float
    share: float
    level: float
    table: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Experience:
    """What doubling the rows brought to portfolios of a size.

    Examples
    --------
    >>> from curvewise.advice._numbers import EXPERIENCE
    >>> [each.below for each in EXPERIENCE]
    [512, 2048, inf]
    """

    below: float
    shares: tuple[float, ...]
