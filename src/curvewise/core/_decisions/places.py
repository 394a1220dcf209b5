"""Decisions about a candidate's place among the others: it leads, or it is back in."""

from __future__ import annotations

from dataclasses import dataclass

from curvewise._text import counted
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale


@dataclass(frozen=True, slots=True)
class Lead:
    """From now on this candidate is the one to beat, before it is complete.

    Parameters
    ----------
    loss, n_folds
        Its mean loss at the target so far, and on how many folds.
    over
        The loss of the one that it replaces, on those folds; None if there is none.

    Examples
    --------
    >>> Lead(0.1, 1).explain(Scale())
    'takes the lead with 0.9 on 1 fold'
    """

    loss: float
    n_folds: int
    over: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        folds = counted(self.n_folds, "fold")
        text = f"takes the lead with {scale.score(self.loss):.4g} on {folds}"
        return text if self.over is None else f"{text}, against {scale.score(self.over):.4g}"


@dataclass(frozen=True, slots=True)
class Revive:
    """Back in: the leader against which it was pruned gave no result in the end.

    Parameters
    ----------
    leader
        Who that was.

    Examples
    --------
    >>> Revive("svc").explain(Scale())
    'revived: svc, against which it was pruned, gave no result'
    """

    leader: Candidate

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        return f"revived: {self.leader}, against which it was pruned, gave no result"
