"""What a choice is expected to score on new rows, as plain values.

`curvewise._selection.honest_choice` finds it. This needs no learner and no array, so that a report
on a stored run loads none.

Rules:

1. The score of the best is too high, because it was chosen for it (`curvewise.core._luck`), and too
   low, because the final model is fitted on more rows than those of the folds
   (`curvewise.core._growth`). Both are set right.
2. The interval is for the score of the final model on endless new rows. Its variance is that of the
   mean over the rows, somewhat widened (the folds' models share their training rows), that of the
   growth, and the squares of most of the luck, which nobody knows exactly, and of the growth: where
   rows bring much, it matters which rows the final model has.
3. It is computed where it is symmetric: for the logarithm of a loss, and that of the odds if the
   loss is a rate.
4. A store may come from a stranger: its note is taken for what it says only if all of its numbers
   are finite, small enough to be scores, and in their order. Any other is as if there were none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from curvewise.core._checks import finite_or_none
from curvewise.core._growth import Growth
from curvewise.core._intervals import Interval
from curvewise.core._scale import Scale

# Rule 2. Chosen on 37 tables (docs/explanation/honest-score.md).
WIDER = 1.05
UNSURE_LUCK = 0.75
UNSURE_GROWTH = 1.0
LEVEL = 0.9
# From here on scores are shown with as many digits as count.
LARGE = 100
# Where a run's store says it.
NOTE = "honest score"
# What such a note has to be (rule 4).
LARGEST = 1e12
SCORES = ("score", "low", "high", "raw", "optimism", "growth")
COUNTS = ("n_candidates", "n_rows")
HOWS = ("rows", "folds")


@dataclass(frozen=True, slots=True, kw_only=True)
class HonestScore:
    """What the chosen model is expected to score on new rows.

    Parameters
    ----------
    score
        Expected on new rows: ``raw`` less ``optimism``, plus ``growth``.
    interval
        Where it lies with the probability ``level``: scores, the lower one first.
    raw
        The score on the folds, as told elsewhere: the mean over the folds.
    optimism
        How much of that is luck, because the best of many was chosen.
    growth
        What the final model gains because it is fitted on more rows than the folds' models.
    n_candidates
        How many the choice was made from: those that were fitted on all rows of a fold.
    n_rows
        How many rows it rests on.
    how
        What it was computed from: ``"rows"``, out-of-fold predictions, or ``"folds"``, scores.
    level
        The probability of the interval.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"C": [0.1, 1, 10], "gamma": [0.01, 0.1, 1]}
    >>> search = cw.CurveSearchCV(SVC(), grid, keep_predictions="best").fit(X, y)
    >>> honest = search.honest_score_
    >>> bool(honest.raw == search.best_score_), honest.n_candidates
    (True, 9)
    >>> honest.interval.low < honest.score < honest.interval.high
    True
    """

    score: float
    interval: Interval
    raw: float
    optimism: float
    growth: float
    n_candidates: int
    n_rows: int
    how: str
    level: float = LEVEL

    def facts(self) -> dict[str, Any]:
        """Give everything by name, in values that JSON knows."""
        facts = asdict(self)
        low, high = facts.pop("interval")
        return {**facts, "low": low, "high": high}

    def sentence(self) -> str:
        """Say what is expected, and why that is another number than the score on the folds."""
        text = (
            f"Expected on new rows: {_shown(self.score)} ({self.level:.0%} interval "
            f"{_shown(self.interval.low)} to {_shown(self.interval.high)}): "
            f"{_shown(self.raw)} on the folds"
        )
        if self.n_candidates > 1:
            text += f", less {_shown(self.optimism)} for being the best of {self.n_candidates:,}"
        if self.growth > 0:
            text += f", plus {_shown(self.growth)} for a final fit on more rows"
        return text

    def __str__(self) -> str:
        return self.sentence()


def _shown(score: float) -> str:
    return f"{score:.4f}" if abs(score) < LARGE else f"{score:.6g}"


def honest_score(
    loss: float,
    *,
    luck: float,
    growth: Growth,
    variance: float,
    scale: Scale,
    n_candidates: int,
    n_rows: int,
    how: str,
) -> HonestScore:
    """Put luck, growth and noise together.

    Parameters
    ----------
    loss
        The mean over the folds, of whom was chosen.
    luck
        How much too low it is.
    growth
        How much lower it will be with all rows.
    variance
        Of the mean over the rows.
    scale
        How losses read as scores.
    n_candidates, n_rows, how
        See `HonestScore`.
    """
    expected = loss + luck - growth.gain
    unsure = (UNSURE_LUCK * luck) ** 2 + (UNSURE_GROWTH * growth.gain) ** 2
    error = math.sqrt(WIDER**2 * variance + growth.variance + unsure)
    low, high = _ends(expected, error, rate=scale.unit is not None, least=0.5 / max(n_rows, 1))
    return HonestScore(
        score=scale.score(expected),
        interval=Interval(scale.score(high), scale.score(low)),
        raw=scale.score(loss),
        optimism=luck,
        growth=growth.gain,
        n_candidates=n_candidates,
        n_rows=n_rows,
        how=how,
    )


def _ends(loss: float, error: float, *, rate: bool, least: float) -> tuple[float, float]:
    """Give both ends of the interval of a loss (rule 3)."""
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2)
    if error == 0 or not math.isfinite(error):
        return (loss, loss) if error == 0 else (-math.inf, math.inf)
    if rate and loss <= 1:
        middle = min(max(loss, least), 1 - least)
        centre, step = math.log(middle / (1 - middle)), reach * error / (middle * (1 - middle))
        low, high = _share(centre - step), _share(centre + step)
    elif loss > 0:
        low, high = loss * _power(-reach * error / loss), loss * _power(reach * error / loss)
    else:
        low, high = loss - reach * error, loss + reach * error
    return min(low, loss), max(high, loss)


def _share(odds: float) -> float:
    """Give the share that belongs to the logarithm of odds."""
    return 1 / (1 + _power(-odds))


def _power(exponent: float) -> float:
    return math.exp(min(exponent, 500.0))


def honest_of(notes: Mapping[str, Any]) -> HonestScore | None:
    """Read it from the notes of a run; None if there is none (rule 4)."""
    noted = notes.get(NOTE)
    if not isinstance(noted, Mapping) or noted.get("how") not in HOWS:
        return None
    scores = {name: _score(noted.get(name)) for name in SCORES}
    known = {name: value for name, value in scores.items() if value is not None}
    counts = {name: noted.get(name) for name in COUNTS}
    level = _score(noted.get("level"))
    if len(known) < len(SCORES) or not all(_count(value) for value in counts.values()):
        return None
    if level is None or not 0 < level < 1 or min(known["optimism"], known["growth"]) < 0:
        return None
    low, high = known.pop("low"), known.pop("high")
    if not low <= known["score"] <= high:
        return None
    interval = Interval(low, high)
    numbers: dict[str, Any] = {**known, **counts}
    return HonestScore(**numbers, interval=interval, how=str(noted["how"]), level=level)


def _score(value: object) -> float | None:
    found = finite_or_none(value)
    return found if found is not None and abs(found) <= LARGEST else None


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST
