"""What ``curvewise bench`` shows while it runs: a bar in a terminal, else plain lines."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar

from curvewise._bench.experiments.cells import Cell, State, seconds_left
from curvewise._bench.experiments.experiment_plan import Plan, cells_of
from curvewise._bench.experiments.ledger import Ledger
from curvewise._cli.terminal import BAR_WIDTH, panel_of, print_line, span

# Where there is no terminal: a line at most so often, and at least so often.
QUIET_SECONDS = 10.0
PATIENCE_SECONDS = 120.0
MOST_RUNNING = 8
ENDED = (State.DONE, State.FAILED)


class BenchProgress:
    """Follows an experiment; `look` is called whenever something may have changed."""

    def __init__(
        self,
        ledger: Ledger,
        plan: Plan,
        console: Console,
        *,
        n_jobs: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger, self._name, self._n_jobs = ledger, plan.name, n_jobs
        self._wanted = {(method, dataset, seed) for method, dataset, seed, _ in cells_of(plan)}
        self._console, self._clock = console, clock
        self._begun = clock()
        self._last = -QUIET_SECONDS
        self._n_ended = -1
        self._live = Live(console=console, refresh_per_second=2, transient=True)

    def __enter__(self) -> BenchProgress:
        if self._console.is_terminal:
            self._live.start()
        self.look()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def look(self) -> None:
        """Show how far the experiment is."""
        cells = [
            cell
            for cell in self._ledger.cells(self._name)
            if (cell.method, cell.dataset, cell.seed) in self._wanted
        ]
        n_ended = sum(cell.state in ENDED for cell in cells)
        facts = self._facts(cells, n_ended)
        running = [_name(cell) for cell in cells if cell.state is State.RUNNING]
        if self._console.is_terminal:
            bar = ProgressBar(len(cells), n_ended, width=BAR_WIDTH)
            rows: dict[str, str | ProgressBar] = {self._name: bar, "": ", ".join(facts)}
            self._live.update(panel_of(rows, running, most=MOST_RUNNING), refresh=True)
            return
        silence = self._clock() - self._last
        patience = PATIENCE_SECONDS if n_ended == self._n_ended else QUIET_SECONDS
        if silence >= patience or self._n_ended < n_ended == len(cells):
            self._n_ended, self._last = n_ended, self._clock()
            spent, *words = facts
            words += [f"now {name}" for name in running[:1]]
            print_line(self._console, f"[{spent}] {self._name}: {'; '.join(words)}")

    def _facts(self, cells: list[Cell], n_ended: int) -> list[str]:
        n_failed = sum(cell.state is State.FAILED for cell in cells)
        facts = [span(self._clock() - self._begun), f"{n_ended} of {len(cells)} cells"]
        facts += [f"{n_failed} failed"] if n_failed else []
        left = seconds_left(cells, n_jobs=self._n_jobs)
        if left is not None and n_ended < len(cells):
            facts.append(f"about {span(left)} left")
        return facts


def _name(cell: Cell) -> str:
    return f"{cell.method} on {cell.dataset}, seed {cell.seed}"
