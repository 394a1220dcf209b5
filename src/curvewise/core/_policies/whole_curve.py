"""The whole learning curve of every candidate: nobody is pruned, and nothing is left out."""

from __future__ import annotations

from dataclasses import dataclass

from curvewise.core._policies.lccv import LCCV
from curvewise.core._schedule import Schedule

SMALLEST = 64
# More than there ever are.
ALL_FOLDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeCurve(LCCV):
    """Every fold at the target, at half of it, at a quarter and so on; nothing is pruned.

    No fold is left out because others agree: chance is known the better for it. Together the
    smaller anchors cost as many training rows as the target, so that a whole curve costs twice as
    much as k-fold. Everybody has an exact k-fold score in the end.

    Parameters
    ----------
    min_exp, base, drop_last, min_repeats, max_repeats, max_width, max_width_target, prune, skip, \
repair, max_repairs, model, interval, level, compatibility, shape_alpha, timeout_result, \
partial_results, first_anchor, skip_by_mean, one_by_one, check_target, test_part, prune_by_training
        As for `LCCV`; there is no need to set them.

    Examples
    --------
    >>> WholeCurve().schedule(1000).anchors
    (125, 250, 500, 1000)
    """

    prune: bool = False
    skip: bool = False
    repair: bool = False
    min_repeats: int = ALL_FOLDS

    name = "whole-curve"

    def schedule(self, target: int) -> Schedule:
        """Halve the target as long as there are rows enough to learn from.

        Parameters
        ----------
        target
            The most rows that a candidate is trained on.

        Returns
        -------
        Schedule
            The target and its halves, down to 64 rows.
        """
        anchors = [target]
        while anchors[-1] // 2 >= SMALLEST:
            anchors.append(anchors[-1] // 2)
        return Schedule(tuple(reversed(anchors)))
