"""Decisions after which a candidate goes on or waits: which evaluations it wants, and when.

``wants`` are pairs of anchor and fold. The search serves the smallest ``priority`` first.
"""

from __future__ import annotations

from dataclasses import dataclass

from curvewise._text import counted
from curvewise.core._scale import Scale

Wants = tuple[tuple[int, int], ...]
Priority = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """More folds at an anchor.

    Parameters
    ----------
    anchor
        Where, in rows.
    wants
        The evaluations, as pairs of anchor and fold.
    priority
        When it is served: the search takes the smallest first.
    width, max_width
        How wide the interval of the mean was, and may be, in losses; None if that did not matter.

    Examples
    --------
    >>> Sample(64, ((64, 0), (64, 1))).explain(Scale())
    'evaluated 2 folds at 64 rows'
    """

    anchor: int
    wants: Wants
    priority: Priority = ()
    width: float | None = None
    max_width: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"evaluated {counted(len(self.wants), 'fold')} at {self.anchor:,} rows"
        if self.width is not None and self.max_width is not None:
            text += f": the interval was {self.width:.3g} wide, wanted {self.max_width:.3g}"
        return text


@dataclass(frozen=True, slots=True)
class Repair:
    """Back to an earlier anchor for one more fold, because no convex curve fits.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`; the anchor is the earlier one.
    later
        The anchor from which it went back, in rows.
    excess
        By how much the intervals miss a convex curve, in losses.

    Examples
    --------
    >>> Repair(64, ((64, 3),), (), later=128, excess=0.02).explain(Scale())
    'went back to 64 rows: no convex curve fits up to 128, by 0.02'
    """

    anchor: int
    wants: Wants
    priority: Priority
    later: int
    excess: float

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"went back to {self.anchor:,} rows: no convex curve fits up to {self.later:,}"
        return f"{text}, by {self.excess:.3g}"


@dataclass(frozen=True, slots=True)
class Advance:
    """On to the next anchor.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`.
    bound, threshold
        The loss that it could still reach, and the one to beat; None if nothing was compared.
    shape
        Why it was not pruned although the bound is worse: a rise, a bend or a plateau.

    Examples
    --------
    >>> Advance(128, ((128, 0),), ()).explain(Scale())
    'went on to 128 rows'
    >>> Advance(256, ((256, 0),), (), 0.5, 0.4, "rise").explain(Scale())
    'went on to 256 rows: not pruned at 0.5, to beat 0.6, because of a rise'
    """

    anchor: int
    wants: Wants
    priority: Priority
    bound: float | None = None
    threshold: float | None = None
    shape: str | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"went on to {self.anchor:,} rows"
        if self.bound is None or self.threshold is None:
            return text
        bound = f"{min(scale.best, scale.score(self.bound)):.4g}"
        to_beat = f"to beat {scale.score(self.threshold):.4g}"
        if self.shape is not None:
            return f"{text}: not pruned at {bound}, {to_beat}, because of a {self.shape}"
        return f"{text}: could still reach {bound}, {to_beat}"


@dataclass(frozen=True, slots=True)
class Skip:
    """Straight to the target.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`.
    because
        ``"first"`` if there was nothing to beat, ``"mean"`` if the mean beats it already, the curve
        model that expects it to, or that no anchor before is expected to pay.
    estimate, threshold
        The loss that is expected at the target, and the one to beat; None if there is none.

    Examples
    --------
    >>> Skip(900, ((900, 0),), (), "ipl", estimate=0.1, threshold=0.2).explain(Scale())
    'jumped to 900 rows: expected 0.9 (ipl), to beat 0.8'
    """

    anchor: int
    wants: Wants
    priority: Priority
    because: str
    estimate: float | None = None
    threshold: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        if self.estimate is None or self.threshold is None:
            return f"went straight to {self.anchor:,} rows: nothing to beat yet"
        return (
            f"jumped to {self.anchor:,} rows: expected {scale.score(self.estimate):.4g} "
            f"({self.because}), to beat {scale.score(self.threshold):.4g}"
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing yet: others have to answer first.

    Parameters
    ----------
    priority
        When it is looked at again, after what can be done meanwhile.

    Examples
    --------
    >>> Hold().explain(Scale())
    'waits for the others'
    """

    priority: Priority = ()

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        return "waits for the others"
