"""A bar on the terminal while a search runs (``verbose=1``), and a line per candidate (2)."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from curvewise.core.decisions import Decision
from curvewise.core.outcome import Candidate
from curvewise.core.scale import Scale


class Display:
    """Shows on the standard error how far a search is.

    Parameters
    ----------
    verbose
        0 shows nothing, 1 a bar, 2 also how each candidate ended.
    n_candidates
        How many there are; None if nobody knows.
    scale
        How losses read as scores.
    console
        Where to write; by default the standard error.
    """

    def __init__(
        self,
        *,
        verbose: int,
        n_candidates: int | None,
        scale: Scale,
        console: Console | None = None,
    ) -> None:
        self._verbose = int(verbose)
        self._scale = scale
        self._n_ended: set[Any] = set()
        self._progress = Progress(
            TextColumn("[progress.description]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console or Console(stderr=True),
            disable=not self._verbose,
        )
        self._task = self._progress.add_task("candidates", total=n_candidates)

    def ended(self, candidate: Candidate, decision: Decision) -> None:
        """Show that a candidate has ended."""
        if not self._verbose:
            return
        self._n_ended.add(candidate)
        if self._verbose > 1:
            text = f"{candidate} {decision.explain(self._scale)}"
            self._progress.console.print(text, markup=False, highlight=False)
        self._progress.update(self._task, completed=len(self._n_ended))

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._progress.stop()
