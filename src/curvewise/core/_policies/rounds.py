"""Rounds: all candidates take the same folds, and after each round some are dropped.

What the rules of `AnovaRace` and `BootstrapDropping` have in common:

1. All candidates are known in advance. Each gets the folds of the first round, then one fold in
   each round, in the order of the folds.
2. When everyone in a round has answered, the rule compares those who have all folds so far, and
   says who is dropped. The best of them never is.
3. Who is alone gets all its folds. Who has them all is complete; nobody is dropped then.

A round waits for its slowest member. Who fails later still counts in the rounds that it took part
in, so that the order in which outcomes arrive changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curvewise.core._decisions import Complete, Decision, Hold, Prune, Sample
from curvewise.core._outcome import Observation
from curvewise.core._policies.kfold import KFoldCV
from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.errors import InvalidParameterError


class RoundEntry(NamedTuple):
    """A contender in a round: what it has on the folds of the round, and the mean of that."""

    contender: Contender
    cells: tuple[Observation, ...]
    mean: float


Round = tuple[RoundEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsOfFolds(KFoldCV):
    """Give everyone the same folds, and let a rule say who is dropped after each of them."""

    @property
    def first_round(self) -> int:
        """How many folds everyone gets before the first comparison."""
        return 1

    def opening(self, *, listed: bool) -> float:
        """Let all candidates enter together."""
        if not listed:
            raise InvalidParameterError(f"{self.name} needs to know all candidates in advance.")
        return math.inf

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Wait for the round, then go on or out."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        n = curve.n(target)
        if not folds:
            return Complete(target, curve.mean(target), n)
        rivals = [each for each in portfolio.contenders.values() if each is not contender]
        if n >= self.first_round:
            if any(each.alive and each.curve.n(target) < n for each in rivals):
                # Behind all that can be done meanwhile.
                return Hold((math.inf, n))
            out = self._judge_round(portfolio, contender, rivals)
            if out is not None:
                return out
        alone = n >= self.first_round and not any(each.alive for each in rivals)
        at_once = len(folds) if alone else max(1, self.first_round - n)
        wants = tuple((target, fold) for fold in folds[:at_once])
        return Sample(target, wants, (n, contender.order))

    def _judge(
        self, portfolio: Portfolio, own: RoundEntry, best: RoundEntry, all_of: Round
    ) -> Prune | None:
        """Compare a contender with the best of its round; None if it goes on."""
        return None

    def _judge_round(
        self, portfolio: Portfolio, contender: Contender, rivals: Iterable[Contender]
    ) -> Prune | None:
        """Compare a contender with who has all of its folds, unless it is the best of them."""
        folds = contender.curve.folds(portfolio.target)
        entries = (_entry(each, portfolio.target, folds) for each in rivals if each.trace)
        all_of = [entry for entry in entries if entry is not None]
        own = _entry(contender, portfolio.target, folds)
        if own is None or not all_of:
            return None
        best = min((own, *all_of), key=lambda entry: (entry.mean, entry.contender.order))
        return None if best is own else self._judge(portfolio, own, best, (own, *all_of))


def _entry(contender: Contender, target: int, folds: Sequence[int]) -> RoundEntry | None:
    """Give what a contender has on some folds; None if it lacks one of them."""
    cells = [contender.curve.at(target, fold) for fold in folds]
    known = tuple([cell for cell in cells if cell is not None])
    if len(known) < len(cells):
        return None
    return RoundEntry(contender, known, math.fsum(cell.loss for cell in known) / len(known))
