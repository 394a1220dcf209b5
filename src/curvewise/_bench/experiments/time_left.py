"""How long what is left will take, from what has been done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvewise._bench.experiments.cells import Cell, State


def seconds_left(cells: Sequence[Cell], *, n_jobs: int = 1) -> float | None:
    """Estimate the seconds until all cells are done; None before the first one is.

    A cell is expected to take what its method took on its data set; if that is not known, what its
    data set takes. Data sets differ more than methods do. One that was not seen yet is expected to
    take what a cell takes; if data sets come by size, the small ones first, what it takes on the
    slowest so far. Of a cell that is running, what it has spent is over.
    """
    known = [(cell, cell.seconds) for cell in cells if cell.seconds is not None]
    if not known:
        return None
    unseen = _unseen(known)
    left = []
    for cell in cells:
        if cell.state in (State.DONE, State.FAILED):
            continue
        same = [s for one, s in known if (one.method, one.dataset) == (cell.method, cell.dataset)]
        near = [s for one, s in known if one.dataset == cell.dataset]
        expected = float(np.mean(same or near or [unseen]))
        left.append(max(0.0, expected - (cell.spent or 0.0)))
    n_running = sum(cell.state is State.RUNNING for cell in cells)
    # However many work, one of them has the longest cell.
    return max(sum(left) / max(1, n_jobs, n_running), max(left, default=0.0))


def _unseen(known: Sequence[tuple[Cell, float]]) -> float:
    """Say what a cell takes on a data set that was not seen yet."""
    seconds: dict[str, list[float]] = {}
    rows: dict[str, int] = {}
    for cell, taken in known:
        seconds.setdefault(cell.dataset, []).append(taken)
        if cell.result is not None and "n_rows" in cell.result:
            rows.setdefault(cell.dataset, cell.result["n_rows"])
    sizes = list(rows.values())
    if len(sizes) > 1 and sizes == sorted(sizes):
        return max(float(np.mean(taken)) for taken in seconds.values())
    return float(np.mean([taken for _, taken in known]))
