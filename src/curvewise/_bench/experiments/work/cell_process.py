"""A cell in its own process: read, work, write; and end when whoever started it ends."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.data_sets import load
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.search_cell import curves_cell, search_cell
from curvewise._bench.peers.peer_cell import peers_cell
from curvewise._text import describe_error

WORK = {"search": search_cell, "peers": peers_cell, "curves": curves_cell}


def carry_out(path: Path, owner: str, cell: Cell, parent: Connection) -> None:
    """Work on a cell and write what came of it; the target of a cell's process."""
    # An interrupt is the parent's business: it ends this process and gives the cell back.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with Ledger(path, owner=owner) as ledger:
        settle(ledger, cell)


def settle(ledger: Ledger, cell: Cell) -> None:
    """Work on a cell in this process and write what came of it: a result, or why there is none."""
    try:
        # A result that cannot be written, such as one that is no number, is a failure as well.
        ledger.finish(cell, work_on(ledger, cell))
    except Exception as error:
        ledger.fail(cell, describe_error(error))


def work_on(ledger: Ledger, cell: Cell) -> dict[str, Any]:
    """Work on a cell in this process; give its result."""
    plan = ledger.plan(cell.experiment)
    with threadpool_limits(1), warnings.catch_warnings():
        # Learners warn of what they meet in sampled pipelines; failures are counted as such.
        warnings.simplefilter("ignore")
        table = load(plan.datasets[cell.dataset])
        return WORK[plan.kind](ledger, plan, cell, table)


def _end_with(parent: Connection) -> None:
    """Wait for the end of the parent, and end as well: nobody would take the result."""
    try:
        parent.recv()
    except (EOFError, OSError):
        os._exit(1)
