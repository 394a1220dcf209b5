"""Running an experiment: cells are claimed, each in a process of its own, several at once.

Rules:

1. A cell's process that exceeds the cell's time is ended with all that it started; the cell has
   failed. One that is lost (killed, crashed) is tried again, as the ledger says.
2. While others hold the last cells, a run waits: should they end, it takes over.
3. A run that was stopped for longer than its leases may have lost cells to another: it ends their
   processes.
4. Ctrl-C ends all processes and gives their cells back.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe, connection, get_context
from typing import Any

from curvewise._bench.experiments.cells import Cell, State
from curvewise._bench.experiments.experiment_plan import Plan, cells_of
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.cell_process import carry_out
from curvewise.executors._workers.process_tree import describe_exit, end_process

BEAT_SECONDS = 15.0
LOOK_SECONDS = 0.5
SETTLE_SECONDS = 5.0
# Loaded once, not by each cell; what is not installed is passed over.
PRELOADED = (
    "curvewise._bench.experiments.work.cell_process",
    "pandas",
    "pyarrow.parquet",
    "sklearn.cluster",
    "sklearn.datasets",
    "sklearn.decomposition",
    "sklearn.feature_selection",
    "sklearn.kernel_approximation",
)


@dataclass(slots=True)
class Worker:
    """A cell's process."""

    cell: Cell
    process: Any
    line: Any
    begun: float


class Runner:
    """Works on the cells of one experiment until all have ended."""

    def __init__(
        self,
        ledger: Ledger,
        plan: Plan,
        *,
        n_jobs: int = 1,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._ledger = ledger
        self._name = plan.name
        self._wanted = {(method, dataset, seed) for method, dataset, seed, _ in cells_of(plan)}
        self._n_jobs = n_jobs
        self._on_change = on_change
        self._limit = plan.settings.most_seconds
        self._workers: list[Worker] = []
        self._context = _context()
        self._last_beat = time.monotonic()

    def run(self) -> None:
        """Work until every cell is done or has failed."""
        try:
            while self._step():
                pass
        finally:
            self._give_up()

    def _step(self) -> bool:
        """Begin what can be begun, and wait a moment; False when nothing is left to do."""
        while len(self._workers) < self._n_jobs:
            # Who slept does not know yet what it lost, nor do others that it is back.
            self._beat()
            cell = self._ledger.claim(self._name, within=self._wanted)
            if cell is None:
                break
            self._begin(cell)
        if not self._workers and not self._open_cells():
            return False
        sentinels = [worker.process.sentinel for worker in self._workers]
        if sentinels:
            connection.wait(sentinels, self._patience())
        else:
            time.sleep(LOOK_SECONDS)
        for worker in list(self._workers):
            self._look_at(worker)
        if time.monotonic() - self._last_beat >= BEAT_SECONDS:
            self._beat()
            self._on_change()
        return True

    def _beat(self) -> None:
        """Prolong all leases, and end the processes of cells that another took over."""
        self._last_beat = time.monotonic()
        lost = {cell.id for cell in self._ledger.beat([one.cell for one in self._workers])}
        for worker in [one for one in self._workers if one.cell.id in lost]:
            self._end(worker)
            self._on_change()

    def _patience(self) -> float:
        """How long to wait at the most: until the next cell's time is up, or a moment."""
        if self._limit is None:
            return LOOK_SECONDS
        next_end = min(worker.begun for worker in self._workers) + self._limit
        return min(LOOK_SECONDS, max(0.0, next_end - time.monotonic()))

    def _open_cells(self) -> bool:
        return any(
            cell.state in (State.PENDING, State.RUNNING) and cell.key in self._wanted
            for cell in self._ledger.cells(self._name)
        )

    def _begin(self, cell: Cell) -> None:
        line, theirs = Pipe()
        process = self._context.Process(
            target=carry_out, args=(self._ledger.path, self._ledger.owner, cell, theirs)
        )
        process.start()
        theirs.close()
        self._workers.append(Worker(cell, process, line, time.monotonic()))
        self._on_change()

    def _look_at(self, worker: Worker) -> None:
        """Take note of the end of a cell's process, or end it if its time is up."""
        exitcode = worker.process.exitcode
        late = self._limit is not None and time.monotonic() - worker.begun >= self._limit
        if exitcode is None and not late:
            return
        if exitcode is None:
            self._ledger.fail(worker.cell, f"The cell took longer than its {self._limit:g} s.")
        elif exitcode != 0:
            self._ledger.lose(worker.cell, describe_exit(exitcode, "The cell's process"))
        self._end(worker)
        self._on_change()

    def _end(self, worker: Worker) -> None:
        """End a cell's process with all that it started, if it has not ended."""
        end_process(worker.process.pid)
        worker.process.join(SETTLE_SECONDS)
        worker.line.close()
        self._workers.remove(worker)

    def _give_up(self) -> None:
        """End all processes and give their cells back."""
        for worker in list(self._workers):
            self._end(worker)
        # All of them, also one that was claimed just when the interrupt came.
        self._ledger.release()


def _context() -> Any:
    """Cells are forked from a clean process that has loaded everything, where that is safe."""
    if sys.platform != "linux":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context
