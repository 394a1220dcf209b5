"""What an advice rests on: whole curves, parts of them, or single points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from curvewise.advice._evidence import Evidence
from curvewise.advice._standing import Standing

Kind = Literal["full", "partial", "one size"]


@dataclass(frozen=True, slots=True)
class Basis:
    """What an advice rests on.

    Parameters
    ----------
    kind
        ``"full"`` if all candidates have the last step to the target, ``"partial"`` if some have
        it or it ends earlier, ``"one size"`` if none was seen at two sizes.
    n_candidates
        How many candidates have any observation.
    n_compared
        How many of them the last step was seen on.
    n_folds
        The folds of the last step; of the leader, if there is none.
    n_without
        How many more candidates there were, without any observation.
    rows, target
        The largest training set that was seen, and that of the search.
    by_experience
        Whether recorded portfolios take the place of the last step; None if nothing does.
    same_folds
        Whether chance is unknown because the leader's folds are all the same.

    Examples
    --------
    >>> print(Basis("partial", n_candidates=30, n_compared=4, n_folds=1).explain())
    It rests on partial curves: 4 of 30 candidates have the last step, on 1 fold.
    """

    kind: Kind
    n_candidates: int
    n_compared: int
    n_folds: int
    n_without: int = 0
    rows: int = 0
    target: int = 0
    by_experience: bool | None = False
    same_folds: bool = False

    def explain(self) -> str:
        """Say it in a sentence."""
        folds = "1 fold" if self.n_folds == 1 else f"{self.n_folds} folds"
        ends = f" They end at {self.rows:,} of {self.target:,} training rows."
        ends = ends if self.rows < self.target else ""
        if self.kind == "one size" or self.by_experience is not False:
            return self._without_step() + ends
        if self.kind == "full":
            who = "1 candidate" if self.n_candidates == 1 else f"{self.n_candidates} candidates"
            return f"It rests on the full curves of {who}, on {folds}."
        have = "has" if self.n_compared == 1 else "have"
        return (
            f"It rests on partial curves: {self.n_compared} of {self.n_candidates} candidates "
            f"{have} the last step, on {folds}.{ends}"
        )

    def _without_step(self) -> str:
        why = "No candidate was seen at two sizes that are far enough apart"
        if self.kind != "one size":
            same = "as all folds are the same" if self.same_folds else "with a single fold"
            why = f"Chance is unknown {same}"
        if self.by_experience:
            return f"{why}: it rests on experience alone."
        return f"{why}: there is nothing to go by."


def basis_of(evidence: Evidence, standing: Standing, *, by_experience: bool | None) -> Basis:
    """Find out what an advice rests on."""
    step = standing.step
    kind: Kind = "full"
    if step is None:
        kind = "one size"
    elif step.n_others or standing.rows < evidence.target:
        kind = "partial"
    return Basis(
        kind,
        n_candidates=len(evidence.entries),
        n_compared=step.n_candidates if step else 0,
        n_folds=(step or standing).n_folds,
        n_without=evidence.n_without,
        rows=standing.rows,
        target=evidence.target,
        by_experience=by_experience,
        same_folds=standing.n_folds > 1 and math.isinf(standing.error),
    )
