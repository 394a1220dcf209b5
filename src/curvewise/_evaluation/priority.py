"""In which order the rows of a fold enter its growing training subsets.

A subset of n rows is the beginning of one fixed order, so that subsets are nested by construction.
What the subsets are like is a matter of the order alone:

- `at_random`: every row has the same chance. For regression and for several labels per row.
- `in_proportion`: every beginning has the classes in the proportions of the whole, and each class
  has a member from the moment there are as many rows as classes.
- `whole_groups`: a group enters at once. A subset ends at the last group that fits, but has at
  least one. With classes, each group counts for its most frequent class.
- `latest_first`: time series. A subset is what came last before the test period: it is nested, it
  is nearest to what is to be predicted, and it has no gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curvewise._evaluation.rows import Indices


@dataclass(frozen=True, slots=True, eq=False)
class Priority:
    """The order in which positions enter a subset."""

    positions: Indices
    ends: Indices | None = None

    def first(self, n: int) -> Indices:
        """Give the positions of the subset of n rows, ascending."""
        if self.ends is not None:
            n_ends = int(np.searchsorted(self.ends, n, side="right"))
            n = int(self.ends[max(n_ends - 1, 0)])
        return np.sort(self.positions[:n])


def at_random(n: int, rng: np.random.Generator) -> Priority:
    """Order n positions at random."""
    return Priority(rng.permutation(n))


def in_proportion(classes: Indices, rng: np.random.Generator) -> Priority:
    """Order positions so that every beginning has the classes in proportion.

    The j-th member of a class of m enters when a share of (j - 1/2) / m of all has entered; first
    members come before everything else, those of large classes first.
    """
    names = rng.permutation(int(classes.max()) + 1)  # Ties between classes fall by lot.
    shuffled = rng.permutation(len(classes))
    by_class = shuffled[np.argsort(names[classes[shuffled]], kind="stable")]
    sizes = np.bincount(names[classes])
    size = np.repeat(sizes, sizes)
    rank = np.arange(len(classes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    due = np.where(rank == 0, -size, (rank + 0.5) / size)
    return Priority(by_class[np.argsort(due, kind="stable")])


def whole_groups(
    groups: Indices, rng: np.random.Generator, *, classes: Indices | None = None
) -> Priority:
    """Order positions so that groups enter at once."""
    present, group = np.unique(groups, return_inverse=True)
    if classes is None:
        turns = at_random(len(present), rng)
    else:
        turns = in_proportion(_main_class(group, classes), rng)
    turn_of = np.empty(len(present), dtype=np.intp)
    turn_of[turns.positions] = np.arange(len(present))
    turn = turn_of[group]
    return Priority(np.argsort(turn, kind="stable"), ends=np.cumsum(np.bincount(turn)))


def latest_first(rows: Indices) -> Priority:
    """Order positions by their row numbers, the last row first."""
    return Priority(np.argsort(-rows, kind="stable"))


def _main_class(group: Indices, classes: Indices) -> Indices:
    """Find the most frequent class of each group."""
    n_classes = int(classes.max()) + 1
    pairs, counts = np.unique(group * n_classes + classes, return_counts=True)
    main = np.empty(int(group.max()) + 1, dtype=np.intp)
    ascending = np.argsort(counts, kind="stable")  # The last one written is the most frequent.
    main[pairs[ascending] // n_classes] = pairs[ascending] % n_classes
    return main
