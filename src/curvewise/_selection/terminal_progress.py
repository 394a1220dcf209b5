"""A bar on the terminal while a search runs (``verbose=1``), and a line per candidate (2)."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from curvewise.core._decisions import ENDS, Decision
from curvewise.core._outcome import Candidate
from curvewise.core._search import Search
from curvewise.executors._listener import Ending, Listener


class Bar(Listener):
    """Shows on the standard error how far a search is."""

    def __init__(
        self, *, verbose: int, n_candidates: int | None = None, console: Console | None = None
    ) -> None:
        self._verbose = int(verbose)
        self._n_candidates = n_candidates
        self._ended: set[Candidate] = set()
        self._progress = Progress(
            TextColumn("[progress.description]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console or Console(stderr=True),
        )

    def started(self, search: Search) -> None:
        """Show the bar."""
        self._scale = search.portfolio.scale
        self._task = self._progress.add_task("candidates", total=self._n_candidates)
        self._progress.start()

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Show that a candidate has ended."""
        if not isinstance(decision, ENDS):
            return
        self._ended.add(candidate)
        if self._verbose > 1:
            text = f"{candidate} {decision.explain(self._scale)}"
            self._progress.console.print(text, markup=False, highlight=False)
        self._progress.update(self._task, completed=len(self._ended))

    def finished(self, ending: Ending | None) -> None:
        """Leave the bar as it is."""
        self._progress.stop()
