"""How sure a choice is, in words that the numbers bear out.

Every other candidate is compared with the chosen one (`curvewise.core._difference`), and has a
chance to be truly better. The words follow from these chances, for any number of folds:

1. Nobody to compare with: it was *alone*.
2. A choice that rests on less than two folds of all training rows is *unsure*, whatever the others.
3. A rival with a chance of a fifth or more makes it a *close* call, and so does one that is level
   or ahead on the folds that both have.
4. The choice is *clear* if all chances together, which bound the chance that anybody is better, are
   at most 2.5%: then no interval of a difference includes 0.
5. Whatever is in between is *likely* right. Where the chance of a rival cannot be said, the choice
   is never clear.
6. Who failed does not count. Who was stopped, or dropped by a rule, before both had seen the same
   rows cannot be compared; how many that are is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from curvewise.core._curve import LearningCurve
from curvewise.core._difference import Difference, difference_of
from curvewise.core._scale import Scale

Kind = Literal["alone", "unsure", "close", "likely", "clear"]

CLOSE = 0.2
SMALL = 0.025
FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a choice is.

    ``chance`` bounds the chance that anybody who was compared is better; ``largest`` is that of the
    strongest rival. Both are None if they cannot be said.
    """

    kind: Kind
    n_folds: int
    n_compared: int
    n_close: int
    n_not_compared: int
    chance: float | None
    largest: float | None

    @property
    def sentence(self) -> str:
        """Say it in a sentence or two."""
        return f"{_SENTENCES[self.kind](self)}{self._not_compared()}"

    def _not_compared(self) -> str:
        n = self.n_not_compared
        if not n:
            return ""
        who, were = ("One other", "was") if n == 1 else (f"{n:,} others", "were")
        return f" {who} {were} not evaluated on the same rows, and cannot be compared."


def certainty_of(
    chosen: LearningCurve, others: Iterable[LearningCurve], *, target: int, scale: Scale
) -> Certainty:
    """Say how sure the choice of a candidate among others is; who failed is left out before."""
    differences = [
        difference_of(other, chosen, target=target, scale=scale) for other in others if len(other)
    ]
    return judge(chosen.n(target), differences)


def judge(n_folds: int, differences: Sequence[Difference | None]) -> Certainty:
    """Find the words for a choice with so many folds, and the differences of the others to it."""
    known = [each for each in differences if each is not None]
    chances = [each.chance for each in known]
    sure = [chance for chance in chances if chance is not None]
    complete = len(sure) == len(known)
    n_close = sum(is_close(each) for each in known)
    kind: Kind = "likely"
    if not differences:
        kind = "alone"
    elif n_folds < FEWEST_FOLDS:
        kind = "unsure"
    elif n_close:
        kind = "close"
    elif complete and sum(sure) <= SMALL:
        kind = "clear" if known else "unsure"
    return Certainty(
        kind,
        n_folds,
        len(known),
        n_close,
        len(differences) - len(known),
        min(1.0, sum(sure)) if complete and known else None,
        max(sure, default=None) if complete else None,
    )


def is_close(difference: Difference) -> bool:
    """Whether a rival cannot be told apart from the one that was chosen (rule 3)."""
    chance = difference.chance
    return difference.mean <= 0 or (chance is not None and chance >= CLOSE)


def percent(chance: float) -> str:
    """Write a chance as people read it; never as none at all."""
    return "0.1%" if chance < 0.001 else f"{100 * chance:.2g}%"


def _alone(_: Certainty) -> str:
    return "There was nothing to compare it with."


def _unsure(self: Certainty) -> str:
    if self.n_folds >= FEWEST_FOLDS:
        return "It is not known how sure the choice is: no other was evaluated on the same rows."
    folds = {0: "never on all training rows", 1: "on a single fold only"}[self.n_folds]
    return f"The choice is not sure: it was measured {folds}."


def _close(self: Certainty) -> str:
    others = "one other candidate" if self.n_close == 1 else f"{self.n_close:,} others"
    return (
        f"It is a close call: {others} cannot be told apart from it on the folds that they share."
    )


def _likely(self: Certainty) -> str:
    if self.chance is None or self.largest is None:
        return (
            "It is ahead of all others on the folds that they share; these are too few to say how "
            "sure that is."
        )
    if self.n_compared == 1:
        chance = percent(self.chance)
        return f"The choice is likely right: the other has a chance of {chance} to be better."
    return (
        f"The choice is likely right: the strongest of the others has a chance of "
        f"{percent(self.largest)} to be better, all {self.n_compared:,} together of at most "
        f"{percent(self.chance)}."
    )


def _clear(self: Certainty) -> str:
    who = "the other is" if self.n_compared == 1 else f"any of the {self.n_compared:,} others is"
    chance = SMALL if self.chance is None else self.chance
    return f"The choice is clear: the chance that {who} better is at most {percent(chance)}."


_SENTENCES = {
    "alone": _alone,
    "unsure": _unsure,
    "close": _close,
    "likely": _likely,
    "clear": _clear,
}
