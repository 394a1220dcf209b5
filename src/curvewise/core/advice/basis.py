"""What an advice rests on: whole curves, parts of them, or single points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from curvewise.core.advice.evidence import Evidence
from curvewise.core.advice.standing import Standing

Kind = Literal["full", "partial", "one size"]


@dataclass(frozen=True, slots=True)
class Basis:
    """What an advice rests on.

    Parameters
    ----------
    kind
        ``"full"`` if all candidates have the last step, ``"partial"`` if some have it, ``"one
        size"`` if none was seen at two sizes.
    n_candidates
        How many candidates have any observation.
    n_compared
        How many of them the last step was seen on.
    n_folds
        The folds of the last step; of the leader, if there is none.
    n_without
        How many more candidates there were, without any observation.

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

    def explain(self) -> str:
        """Say it in a sentence."""
        folds = "1 fold" if self.n_folds == 1 else f"{self.n_folds} folds"
        if self.kind == "one size":
            return "No candidate was seen at two sizes: it rests on experience alone."
        if self.kind == "full":
            who = "1 candidate" if self.n_candidates == 1 else f"{self.n_candidates} candidates"
            return f"It rests on the full curves of {who}, on {folds}."
        have = "has" if self.n_compared == 1 else "have"
        return (
            f"It rests on partial curves: {self.n_compared} of {self.n_candidates} candidates "
            f"{have} the last step, on {folds}."
        )


def basis_of(evidence: Evidence, standing: Standing) -> Basis:
    """Find out what an advice rests on."""
    n, without, step = len(evidence.entries), evidence.n_without, standing.step
    if step is None:
        return Basis("one size", n, 0, standing.n_folds, without)
    kind: Kind = "partial" if step.n_others else "full"
    return Basis(kind, n, step.n_candidates, step.n_folds, without)
