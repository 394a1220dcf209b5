"""What ``curvewise select`` shows while it runs: a live panel in a terminal, else plain lines."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from curvewise._cli.terminal import print_line, span
from curvewise._text import cut, one_line
from curvewise.core._decisions import ENDS, Complete, Decision, Fail, Lead, Prune, Stop
from curvewise.core._kfold_cost import estimate_kfold
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._search import Search
from curvewise.executors._listener import Ending, Listener

ENDINGS = {Complete: "finished", Prune: "pruned", Stop: "stopped", Fail: "failed"}
MOST_RUNNING = 6
# A line at most so often where there is no terminal.
QUIET_SECONDS = 10.0
WIDEST = 60


class SearchProgress(Listener):
    """Follows a search and knows how far it is."""

    def __init__(
        self,
        *,
        n_candidates: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._budget = seconds
        self._clock = clock
        self._ended: dict[Candidate, str] = {}
        self._n_candidates = n_candidates
        self._portfolio: Portfolio | None = None
        self._begun = clock()

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._portfolio = search.portfolio
        self._begun = self._clock()

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note who has ended, and how."""
        if isinstance(decision, ENDS):
            self._ended[candidate] = ENDINGS[type(decision)]

    @property
    def counts(self) -> str:
        """How many have ended in which way."""
        counts = Counter(self._ended.values())
        return ", ".join(f"{counts[word]} {word}" for word in ENDINGS.values() if counts[word])

    @property
    def leader(self) -> str:
        """Who leads, and with what score."""
        leader = self._portfolio.leader if self._portfolio else None
        if leader is None or self._portfolio is None:
            return "nobody leads yet"
        score = self._portfolio.scale.score(leader.loss)
        folds = "" if leader.complete else f" on {len(leader.losses)} of {self._portfolio.n_folds}"
        return f"{score:.4f}{folds}  {_cut(leader.candidate)}"

    @property
    def saved(self) -> str:
        """What k-fold would have cost so far, as far as the seconds at the target tell."""
        if self._portfolio is None:
            return ""
        spent, whole = savings(self._portfolio)
        if not whole:
            return ""
        return f"{spent:.0f} s spent where k-fold would have spent {whole:.0f} s"

    @property
    def left(self) -> str:
        """How long it may still take."""
        spent = self._clock() - self._begun
        guesses = []
        if self._budget is not None:
            guesses.append(self._budget - spent)
        n, done = self._n_candidates, len(self._ended)
        if n and done:
            guesses.append(spent * (n - done) / done)
        return f"about {span(max(0.0, min(guesses)))} left" if guesses else ""

    @property
    def running(self) -> list[Contender]:
        """Those that are being evaluated now."""
        if self._portfolio is None:
            return []
        return [c for c in list(self._portfolio.contenders.values()) if c.pending]


class Panel(SearchProgress):
    """A panel on the terminal that is always up to date."""

    def __init__(
        self, console: Console, *, n_candidates: int | None = None, seconds: float | None = None
    ) -> None:
        super().__init__(n_candidates=n_candidates, seconds=seconds)
        self._live = Live(
            console=console, get_renderable=self._draw, refresh_per_second=4, transient=True
        )

    def started(self, search: Search) -> None:
        """Show the panel."""
        super().started(search)
        self._live.start()

    def finished(self, ending: Ending | None) -> None:
        """Take the panel away."""
        self._live.stop()

    def _draw(self) -> RenderableType:
        n = self._n_candidates
        grid = Table.grid(padding=(0, 2))
        if n:
            bar = ProgressBar(total=n, completed=len(self._ended), width=WIDEST)
            grid.add_row(Text("progress", style="bold"), bar)
        grid.add_row(Text("best so far", style="bold"), Text(self.leader))
        done = f"{len(self._ended)}" + (f" of {n}" if n else "")
        grid.add_row(Text("candidates", style="bold"), Text(f"{done}  {self.counts}"))
        spent = span(self._clock() - self._begun)
        grid.add_row(
            Text("time", style="bold"),
            Text(", ".join(filter(None, [spent, self.left, self.saved]))),
        )
        running = self.running
        for contender in running[:MOST_RUNNING]:
            anchor = f"{contender.anchor:,} rows" if contender.anchor else ""
            what = f"{_cut(contender.candidate)}  {anchor}"
            grid.add_row(Text("running", style="dim"), Text(what, style="dim"))
        n_more = len(running) - MOST_RUNNING
        if n_more > 0:
            grid.add_row(Text(""), Text(f"and {n_more} more", style="dim"))
        return grid


class Lines(SearchProgress):
    """A line when the leader changes, and one every now and then, where there is no terminal."""

    def __init__(
        self,
        console: Console,
        *,
        n_candidates: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(n_candidates=n_candidates, seconds=seconds, clock=clock)
        self._console = console
        self._last = clock()

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Write down a new leader."""
        super().decided(candidate, decision)
        if isinstance(decision, Lead) and self._portfolio is not None:
            score = self._portfolio.scale.score(decision.loss)
            self._write(f"new leader: {score:.4f} {_cut(candidate)}")

    def told(self, outcome: Outcome) -> None:
        """Write a line if there was none for a while."""
        if self._clock() - self._last >= QUIET_SECONDS:
            n = f" of {self._n_candidates}" if self._n_candidates else ""
            facts = [f"{len(self._ended)}{n} candidates", self.counts, self.leader, self.left]
            self._write("; ".join(filter(None, facts)))

    def _write(self, text: str) -> None:
        self._last = self._clock()
        spent = span(self._last - self._begun)
        print_line(self._console, f"[{spent}] {text}")


def savings(portfolio: Portfolio) -> tuple[float, float]:
    """Give the seconds of those that have been at the target, and what k-fold would have taken."""
    target = portfolio.target
    ended = [
        contender
        for contender in list(portfolio.contenders.values())
        if not contender.alive and contender.curve.n(target)
    ]
    spent = math.fsum(contender.seconds_spent for contender in ended)
    histories = [(contender.curve, contender.failures) for contender in ended]
    whole = estimate_kfold(histories, target=target, n_folds=portfolio.n_folds)
    return spent, 0.0 if whole is None else max(spent, whole.seconds)


def _cut(candidate: Candidate) -> str:
    return cut(one_line(str(candidate)), WIDEST)
