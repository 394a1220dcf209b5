"""How the last step goes on: the default way to look ahead.

On recorded curves, nothing that was tried predicts the next doubling better than the last one: the
envelope goes on falling, by a fixed share of what it fell before. Curve models with more freedom
(power laws fitted to each candidate or to the envelope, medians of several models, boosted trees
over all of it) are no better or worse. Rules:

1. A doubling brings ``carry + room * loss`` times the fall of the doubling before: an error rate
   near 0 has less room to fall. Losses without bounds have no such level, only a carry. Falls that
   shrink by a fixed ratio are a power law: with the ratio r, over u doublings after a step of v
   doublings, the fall f becomes ``f * (1 - r**u) / (r**-v - 1)``.
2. A curve that did not fall is expected to stay where it is. No loss falls below 0, the best score,
   unless there is a negative one, and no rate rises above 1. Fewer rows go the same way back.
3. The spread has three parts: the noise of the present loss, a share of the expected gain, and, if
   it is not negative, a share of the loss for each doubling. The noise is that of steps of one
   doubling. A shorter step multiplies its fall, and the noise of the fall, by more.
4. Far ahead, and after a long step, gains are underestimated more often: the upper half of the
   table is stretched. If pruning left only some candidates with a step, all of it is.
5. Without a step, or without any notion of its noise, there is only experience: what doubling
   brought to portfolios of this size, as a share of their error. It is known for rates. What more
   rows may bring, fewer may cost: the table is turned round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise.advice._envelope import Standing, Step
from curvewise.advice._numbers import EXPERIENCE
from curvewise.advice._outlook import NOTHING_KNOWN, Calibration, Outlook
from curvewise.core._scale import Scale

# The level from which an error rate has all the room that it needs.
ROOMY = 0.5
# By how much the upper half of the table grows for each doubling beyond the first: of the way
# ahead, and of the step that it is judged by.
STRETCH_AHEAD = 0.35
STRETCH_BEHIND = 0.15
# By how much the table grows if not every candidate was seen on the step.
STRETCH_PARTIAL = 1.3
# Below this error rate, shares of it say nothing.
LEAST_LOSS = 0.01
# How experience with one doubling carries over to more.
USUAL_RATIO = 0.8
NEARLY_ONE = 1e-9
# Nobody looks back farther than so many doublings.
FARTHEST_BACK = -6.0


def grow(ratio: float, ahead: float, behind: float) -> float:
    """What a fall over some doublings becomes over those that follow (rule 1)."""
    if abs(ratio - 1) < NEARLY_ONE:
        return ahead / behind
    return (1 - float(ratio**ahead)) / (float(ratio**-behind) - 1)


@dataclass(frozen=True, slots=True)
class Trend:
    """The last step, continued."""

    standing: Standing
    scale: Scale
    calibration: Calibration

    @property
    def bounded(self) -> bool:
        """Whether losses are rates."""
        return self.scale.unit is not None

    @property
    def ratio(self) -> float:
        """What a doubling brings of the doubling before."""
        level = min(max(self.standing.loss, 0.0), ROOMY) if self.bounded else 0.0
        return self.calibration.carry + self.calibration.room * level

    @property
    def by_experience(self) -> bool | None:
        """Whether others take the place of the last step; None if nothing does."""
        if self.standing.step is not None and math.isfinite(self.standing.error):
            return False
        return True if self.bounded else None

    @property
    def most(self) -> float:
        """What no gain can exceed."""
        if self.bounded:
            return max(self.standing.loss, 0.0)
        return self.standing.loss if self.standing.loss >= 0 else math.inf

    def look(self, factor: float) -> Outlook:
        """Look ahead to so many times the rows."""
        ahead = max(math.log2(factor), FARTHEST_BACK)
        step = self.standing.step
        if step is None or self.by_experience is not False:
            if not self.bounded:
                return NOTHING_KNOWN
            return expect(self.standing.loss, rows=self.standing.rows, ahead=ahead)
        growth = grow(self.ratio, ahead, step.doublings)
        gain = min(max(step.fall, 0.0) * growth, self.most)
        if self.bounded:
            gain = max(gain, min(self.standing.loss - 1, 0.0))
        spread = self._spread(step, gain, ahead)
        return Outlook(gain, spread, self._table(step, ahead), self.most)

    def _table(self, step: Step, ahead: float) -> tuple[float, ...]:
        """The calibrated table, stretched (rule 4)."""
        upper = 1 + STRETCH_AHEAD * max(0.0, ahead - 1)
        upper += STRETCH_BEHIND * max(0.0, step.doublings - 1)
        both = STRETCH_PARTIAL if step.n_others else 1.0
        return tuple(z * both * (upper if z > 0 else 1.0) for z in self.calibration.table)

    def _spread(self, step: Step, gain: float, ahead: float) -> float:
        """The unit of the table (rule 3)."""
        numbers, standing = self.calibration, self.standing
        growth, usual = (grow(self.ratio, ahead, behind) for behind in (step.doublings, 1.0))
        # What chance did to the fall, at both its ends, is multiplied as the fall is.
        multiplied = math.sqrt(1 + 2 * max(0.0, growth**2 - usual**2))
        noise = numbers.noise * standing.error * multiplied
        share = numbers.share * gain
        level = numbers.level * (max(standing.loss, 0.0) * ahead)
        missing = growth * step.extra
        return math.hypot(noise, share, level, missing)


def expect(loss: float, *, rows: float, ahead: float) -> Outlook:
    """What experience says about an error rate that was seen at some rows (rule 5)."""
    known = next(each for each in EXPERIENCE if rows < each.below)
    unit = max(loss, LEAST_LOSS) * grow(USUAL_RATIO, ahead, 1) / USUAL_RATIO
    middle = known.shares[len(known.shares) // 2]
    table = tuple(share - middle for share in known.shares)
    if unit < 0:
        table = tuple(-away for away in reversed(table))
    most, least = max(loss, 0.0), min(loss - 1, 0.0)
    return Outlook(max(min(middle * unit, most), least), abs(unit), table, most)


def base_rate(gain: float, *, loss: float, rows: int, factor: float) -> float:
    """The probability of at least this gain that experience has for this size and error rate.

    It was seen for doublings; other factors are read on from there (rule 5).
    """
    return expect(loss, rows=rows, ahead=math.log2(factor)).probability(gain)
