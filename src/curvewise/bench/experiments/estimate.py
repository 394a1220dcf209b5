"""How long what is left will take, from what has been done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvewise.bench.experiments.ledger import Cell, State


def seconds_left(cells: Sequence[Cell], *, n_jobs: int = 1) -> float | None:
    """Estimate the seconds until all cells are done; None before the first one is.

    A cell is expected to take what its method took on its data set; if that is not known, what its
    data set takes, else what a cell takes. Data sets differ more than methods do.

    Parameters
    ----------
    cells
        All cells of an experiment.
    n_jobs
        How many are worked on at once.

    Examples
    --------
    >>> done = Cell(1, "toy", "5cv", "iris", 0, State.DONE, seconds=10.0)
    >>> seconds_left([done, Cell(2, "toy", "5cv", "iris", 1), Cell(3, "toy", "race", "wine", 0)])
    20.0
    """
    known = [(cell, cell.seconds) for cell in cells if cell.seconds is not None]
    if not known:
        return None
    total = 0.0
    for cell in cells:
        if cell.state in (State.DONE, State.FAILED):
            continue
        same = [s for one, s in known if (one.method, one.dataset) == (cell.method, cell.dataset)]
        near = [s for one, s in known if one.dataset == cell.dataset]
        total += float(np.mean(same or near or [s for _, s in known]))
    return total / max(1, n_jobs)
