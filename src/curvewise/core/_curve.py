"""The learning curve of one candidate: its losses by anchor and fold.

Statistics are always taken in the order of the folds and with exact sums, so that the order in
which observations arrive cannot change them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from curvewise.core._intervals import Interval, IntervalKind, mean_interval
from curvewise.core._outcome import Observation
from curvewise.core._row_pairs import RowPair, row_pair


class LearningCurve:
    """Observations by anchor and fold.

    Parameters
    ----------
    observations
        What is known already.

    Examples
    --------
    >>> from curvewise.core._outcome import Task
    >>> curve = LearningCurve(
    ...     Observation(Task("svc", anchor, fold), loss)
    ...     for anchor, fold, loss in [(64, 0, 0.4), (64, 1, 0.2), (128, 0, 0.1)]
    ... )
    >>> curve.anchors, curve.losses(64), round(curve.mean(64), 12)
    ((64, 128), (0.4, 0.2), 0.3)
    """

    __slots__ = ("_cells", "_intervals", "_losses", "_pairs")

    def __init__(self, observations: Iterable[Observation] = ()) -> None:
        self._cells: dict[tuple[int, int], Observation] = {}
        # What follows from them is kept; most curves are asked for nothing any more.
        self._losses: dict[int, tuple[float, ...]] | None = None
        self._intervals: dict[tuple[int, IntervalKind, float], Interval] | None = None
        # By anchor and fold, with whom it was compared there last; None if it never was.
        self._pairs: dict[tuple[int, int], tuple[Observation, RowPair | None]] | None = None
        for observation in observations:
            self.add(observation)

    def add(self, observation: Observation) -> None:
        """Record an observation; a second one for the same anchor and fold replaces the first.

        Parameters
        ----------
        observation
            What a task gave.
        """
        _, anchor, fold = observation.task
        self._cells[anchor, fold] = observation
        if self._losses is not None:
            self._losses.pop(anchor, None)
        if self._intervals is not None:
            for key in [key for key in self._intervals if key[0] == anchor]:
                del self._intervals[key]
        if self._pairs is not None:
            self._pairs.pop((anchor, fold), None)

    def forget_rows(self) -> None:
        """Let go of losses by row, with which nobody will be compared any more."""
        for key, cell in self._cells.items():
            if cell.row_losses is not None:
                self._cells[key] = replace(cell, row_losses=None)
        self._pairs = None

    @property
    def anchors(self) -> tuple[int, ...]:
        """The anchors with at least one observation, ascending."""
        return tuple(sorted({anchor for anchor, _ in self._cells}))

    def n(self, anchor: int) -> int:
        """Count the observations at an anchor.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        return len(self.losses(anchor))

    def at(self, anchor: int, fold: int) -> Observation | None:
        """Look up one observation.

        Parameters
        ----------
        anchor, fold
            Where, in rows, and on which fold; the first is 0.
        """
        return self._cells.get((anchor, fold))

    def cells(self, anchor: int) -> list[Observation]:
        """List the observations at an anchor, in the order of the folds.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        found = [cell for (size, _), cell in self._cells.items() if size == anchor]
        if len(found) > 1:
            found.sort(key=_fold)
        return found

    def folds(self, anchor: int) -> tuple[int, ...]:
        """List the folds observed at an anchor, ascending.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        folds = [fold for size, fold in self._cells if size == anchor]
        folds.sort()
        return tuple(folds)

    def losses(self, anchor: int) -> tuple[float, ...]:
        """List the losses at an anchor, in the order of the folds.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        if self._losses is None:
            self._losses = {}
        known = self._losses.get(anchor)
        if known is None:
            known = self._losses[anchor] = tuple([cell.loss for cell in self.cells(anchor)])
        return known

    def mean(self, anchor: int) -> float:
        """Average the losses at an anchor; NaN if there are none.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        losses = self.losses(anchor)
        return math.fsum(losses) / len(losses) if losses else math.nan

    def interval(
        self, anchor: int, *, kind: IntervalKind = "normal", level: float = 0.95
    ) -> Interval:
        """Give the confidence interval of the mean loss at an anchor.

        Parameters
        ----------
        anchor
            Where, in rows.
        kind
            ``"normal"`` as in the paper, or ``"t"`` for Student's, which covers what it says.
        level
            The coverage.
        """
        key = (anchor, kind, level)
        if self._intervals is None:
            self._intervals = {}
        known = self._intervals.get(key)
        if known is None:
            losses = self.losses(anchor)
            known = self._intervals[key] = mean_interval(losses, kind=kind, level=level)
        return known

    def seconds(self, anchor: int) -> float:
        """Average the seconds per task at an anchor; NaN if there are none.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
        seconds = [cell.seconds for cell in self.cells(anchor)]
        return math.fsum(seconds) / len(seconds) if seconds else math.nan

    def beside(self, other: LearningCurve, anchor: int, fold: int) -> RowPair | None:
        """Compare with another curve row by row; None where losses by row are unknown.

        Parameters
        ----------
        other
            The curve of another candidate on the same folds.
        anchor, fold
            Where, in rows, and on which fold; the first is 0.
        """
        own, others = self._cells.get((anchor, fold)), other._cells.get((anchor, fold))
        if own is None or others is None or own.row_losses is None or others.row_losses is None:
            return None
        if self._pairs is None:
            self._pairs = {}
        known = self._pairs.get((anchor, fold))
        if known is None or known[0] is not others:
            known = self._pairs[anchor, fold] = others, row_pair(own.row_losses, others.row_losses)
        return known[1]

    def __iter__(self) -> Iterator[Observation]:
        for key in sorted(self._cells):
            yield self._cells[key]

    def __len__(self) -> int:
        return len(self._cells)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearningCurve) and self._cells == other._cells

    __hash__ = None  # type: ignore[assignment]  # a curve grows

    def __repr__(self) -> str:
        points = ", ".join(f"{anchor}: {self.mean(anchor):.4g}" for anchor in self.anchors)
        return f"LearningCurve({points})"


def _fold(cell: Observation) -> int:
    return cell.task.fold
