"""What else there is to do, and how many rows a wished-for score needs.

Mohr and van Rijn (2023, Sec. I and V-B) name the choices: more rows, better features, other models.
The curves tell which of them are worth a thought:

1. A doubling brought less than what is wished for, and rows will not do: better features, or
   labels. The curve has flattened if the last step brought nothing beyond chance, which is two
   standard errors of its fall. If it brought more, or less than nothing, that is said instead;
   where chance is unknown, nothing is. If less than the wish is left to gain, nothing will do.
2. Candidates that are a little behind fall faster than the leader: models of their kind.
3. The leader does much better on its training rows than on others: it can be regularised; more rows
   would help it as well.
4. The answer is open: what evidence would settle it.

The rows for a score are found by looking ahead, up to 64 times the present rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from curvewise._text import counted
from curvewise.advice._envelope import Standing
from curvewise.advice._evidence import CandidateCurve, name_of
from curvewise.advice._outlook import Outlook
from curvewise.advice._prediction import Ahead, Prediction
from curvewise.core._portfolio import Status
from curvewise.core._scale import Scale

RemedyKind = Literal["features", "models", "regularise", "evidence"]
# A leader overfits if its training loss is below this share of its loss.
OVERFITTED = 0.5
N_ERRORS = 2
# Falls that are a smaller share of the loss come from rounding.
ROUNDING = 1e-9
N_NAMED = 3
FULL_CURVES = "WholeCurve()"
# Fewer rows have no half that one could learn from.
SHORTEST = 128
UNFINISHED = (Status.STOPPED.value, Status.FAILED.value)
# Beyond this many times the rows, nobody can say anything.
FARTHEST = 64.0
N_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something to do.

    Parameters
    ----------
    kind
        ``"features"``, ``"models"``, ``"regularise"`` or ``"evidence"``.
    text
        What, and why, in a sentence.

    Examples
    --------
    >>> Remedy("features", "The curve has flattened at 0.91: better features may help.").kind
    'features'
    """

    kind: RemedyKind
    text: str


def remedies_for(
    answer: str,
    min_gain: float,
    standing: Standing,
    outlook: Outlook,
    leader: CandidateCurve,
    predictions: Sequence[Prediction],
    scale: Scale,
) -> tuple[Remedy, ...]:
    """Find out what else there is to do."""
    found = [
        _features(min_gain, standing, scale) if answer == "no" else None,
        _models(standing, predictions),
        _regularise(standing, leader, scale),
        _evidence(standing, outlook, predictions) if answer == "cannot tell" else None,
    ]
    return tuple(remedy for remedy in found if remedy is not None)


def _features(min_gain: float, standing: Standing, scale: Scale) -> Remedy | None:
    step = standing.step
    if step is None or step.fall >= min_gain * step.doublings or 0 <= standing.loss < min_gain:
        return None
    chance = max(N_ERRORS * step.error, ROUNDING * abs(standing.loss))
    if math.isinf(chance):
        return None
    if step.fall > chance:
        text = (
            f"On the last step a doubling still brought {step.fall / step.doublings:+.3g}, less "
            f"than the {min_gain:.4g} asked for: better features or cleaner labels may bring more."
        )
    elif step.fall < -chance:
        text = (
            f"The best score got worse by {-step.fall:.3g} on the last step, which is more than "
            "chance: look at features, labels and settings before there are more rows."
        )
    else:
        text = (
            f"The curve has flattened at {scale.score(standing.loss):.4g}: "
            "better features or cleaner labels are likelier to help than rows."
        )
    return Remedy("features", text)


def _models(standing: Standing, predictions: Sequence[Prediction]) -> Remedy | None:
    """Candidates that fall faster than the leader and would come close to it."""
    own = next(each for each in predictions if each.candidate == standing.leader)
    faster = [
        each
        for each in predictions
        if each.candidate != standing.leader
        and each.rows == standing.rows
        and math.isfinite(each.gain)
        and each.gain > max(2 * own.gain, standing.error)
        and each.score_then >= own.score_then - each.gain
    ]
    if not faster:
        return None
    faster.sort(key=lambda each: -each.score_then)
    names = ", ".join(name_of(each.candidate) for each in faster[:N_NAMED])
    more = f" and {len(faster) - N_NAMED} more" if len(faster) > N_NAMED else ""
    verb = "is" if len(faster) == 1 else "are"
    text = (
        f"{names}{more} {verb} behind but still improving faster than the leader: "
        "richer models of this kind are worth a search."
    )
    return Remedy("models", text)


def _regularise(standing: Standing, leader: CandidateCurve, scale: Scale) -> Remedy | None:
    gap = train_gap(leader, scale)
    if gap is None or gap <= N_ERRORS * standing.error:
        return None
    if standing.loss >= 0 and standing.loss - gap > OVERFITTED * standing.loss:
        return None
    text = (
        f"The leader scores {gap:.4g} better on its training rows than on others: "
        "regularise it, or give it more rows."
    )
    return Remedy("regularise", text)


def train_gap(entry: CandidateCurve, scale: Scale) -> float | None:
    """By how much training scores exceed the others at the largest anchor; None if unknown.

    Of several metrics, the one counts whose scores are those of the losses.
    """
    gaps = []
    for cell in entry.curve.cells(entry.curve.anchors[-1]):
        known, score = cell.scores or {}, scale.score(cell.loss)
        name = next((name for name in known if math.isclose(known[name], score)), None)
        if name is not None and cell.train_scores is not None and name in cell.train_scores:
            gaps.append(cell.train_scores[name] - score)
    gaps = [gap for gap in gaps if math.isfinite(gap)]
    return math.fsum(gaps) / len(gaps) if gaps else None


def _evidence(
    standing: Standing, outlook: Outlook, predictions: Sequence[Prediction]
) -> Remedy | None:
    step = standing.step
    behind = [each for each in predictions if each.rows < standing.rows]
    stopped = [each for each in behind if each.status in UNFINISHED]
    if step is None and standing.rows < SHORTEST:
        return None
    if step is None:
        text = f"A run with {FULL_CURVES} measures whole curves, and allows a surer answer."
    elif math.isnan(outlook.gain) and standing.error < math.inf:
        text = "A power law needs results at three sizes: whole curves have them."
    elif behind and len(stopped) == len(behind):
        were = "was" if len(stopped) == 1 else "were"
        who = counted(len(stopped), "candidate")
        text = f"{who} {were} stopped or failed: a longer limit would make the answer surer."
    elif step.n_others:
        text = (
            f"The curves are partial: full ones for the best few, with {FULL_CURVES}, would make "
            "the answer surer."
        )
    elif outlook.known and N_ERRORS * standing.error > outlook.gain:
        folds = counted(min(step.n_folds, standing.n_folds), "fold")
        text = (
            "The noise of the folds is as large as the gain: "
            f"more than {folds} at each size would make the answer surer."
        )
    else:
        return None
    return Remedy("evidence", text)


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
    A score of 0.93 is expected at about 4,000 rows, but even 64,000 do not make it sure.
    >>> print(Need(0.99, rows=None, sure_rows=None, farthest=64_000).explain())
    A score of 0.99 is out of reach: it is not expected with up to 64,000 rows.
    """

    score: float
    rows: int | None
    sure_rows: int | None
    farthest: int

    def explain(self) -> str:
        """Say it in a sentence."""
        wish = f"A score of {self.score:.4g}"
        if self.rows is None:
            return f"{wish} is out of reach: it is not expected with up to {self.farthest:,} rows."
        text = f"{wish} is expected at about {self.rows:,} rows"
        if self.sure_rows is None:
            return f"{text}, but even {self.farthest:,} do not make it sure."
        if self.sure_rows <= self.rows:
            return f"{text}."
        return f"{text}; with {self.sure_rows:,} it is sure enough."


def need_for(
    score: float, gain: float, ahead: Ahead, *, rows: int, sure: float, begin: float
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
