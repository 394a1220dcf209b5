"""What ``curvewise select`` shows while it runs: a live panel in a terminal, else plain lines."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from curvewise._cli.terminal import BAR_WIDTH, panel_of, print_line, span
from curvewise._text import cut, one_line
from curvewise.core._decisions import ENDS, Complete, Decision, Fail, Lead, Prune, Stop
from curvewise.core._kfold_cost import estimate_kfold
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._portfolio import Portfolio
from curvewise.core._search import Search
from curvewise.executors._listener import Ending, Listener

ENDINGS = {Complete: "finished", Prune: "pruned", Stop: "stopped", Fail: "failed"}
MOST_RUNNING = 6
NEXT = {
    Ending.FINISHED: "Fitting the best pipeline on all rows.",
    Ending.OUT_OF_TIME: "The time is up: fitting the best pipeline on all rows.",
    Ending.INTERRUPTED: "Interrupted: fitting the best pipeline so far on all rows. Ctrl-C again "
    "leaves it unfitted.",
}
# A line at most so often where there is no terminal, but for new leaders.
QUIET_SECONDS = 10.0


class SearchDisplay(Listener):
    """Follows a search, and shows how far it is."""

    def __init__(
        self,
        console: Console,
        *,
        n_candidates: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console, self._clock = console, clock
        self._n_candidates, self._budget = n_candidates, seconds
        self._ended: dict[Candidate, str] = {}
        self._begun = self._last = clock()
        self._live: Live | None = None
        self._led = False

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._portfolio = search.portfolio
        self._begun = self._clock()
        if self._console.is_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=self.panel,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note who has ended, and how; write down a new leader."""
        if isinstance(decision, ENDS):
            self._ended[candidate] = ENDINGS[type(decision)]
        if isinstance(decision, Lead):
            self._led = True
            score = self._portfolio.scale.score(decision.loss)
            self._write(f"new leader: {score:.4f} {_cut(candidate)}")

    def told(self, outcome: Outcome) -> None:
        """Write a line if there was none for a while."""
        if self._clock() - self._last >= QUIET_SECONDS:
            noun = "candidate" if (self._n_candidates or len(self._ended)) == 1 else "candidates"
            facts = [f"{self._done} {noun}", self._counts, self._leader, self._left]
            self._write("; ".join(filter(None, facts)))

    def finished(self, ending: Ending | None) -> None:
        """Take the panel away, and say what comes next: it may take a while.

        Where nobody has all folds, nobody leads in the end; the best of those is fitted.
        """
        if self._live is not None:
            self._live.stop()
        if ending is not None and (self._led or self._portfolio.leader is not None):
            print_line(self._console, NEXT[ending])

    def panel(self) -> Table:
        """Draw the panel as it is now."""
        rows: dict[str, str | ProgressBar] = {}
        if self._n_candidates:
            rows["progress"] = ProgressBar(self._n_candidates, len(self._ended), width=BAR_WIDTH)
        spent = span(self._clock() - self._begun)
        rows["best so far"] = self._leader
        rows["candidates"] = f"{self._done}  {self._counts}"
        rows["time"] = ", ".join(filter(None, [spent, self._left, self._saved]))
        running = [
            f"{_cut(each.candidate)}  {each.anchor:,} rows" if each.anchor else _cut(each.candidate)
            for each in list(self._portfolio.contenders.values())
            if each.pending
        ]
        return panel_of(rows, running, most=MOST_RUNNING)

    def _write(self, text: str) -> None:
        if self._console.is_terminal:
            return
        self._last = self._clock()
        print_line(self._console, f"[{span(self._last - self._begun)}] {text}")

    @property
    def _done(self) -> str:
        return f"{len(self._ended)}" + (f" of {self._n_candidates}" if self._n_candidates else "")

    @property
    def _counts(self) -> str:
        counts = Counter(self._ended.values())
        return ", ".join(f"{counts[word]} {word}" for word in ENDINGS.values() if counts[word])

    @property
    def _leader(self) -> str:
        leader = self._portfolio.leader
        if leader is None:
            return "no leader yet"
        score = self._portfolio.scale.score(leader.loss)
        folds = "" if leader.complete else f" on {len(leader.losses)} of {self._portfolio.n_folds}"
        return f"{score:.4f}{folds}  {_cut(leader.candidate)}"

    @property
    def _saved(self) -> str:
        spent, whole = savings(self._portfolio)
        return f"{spent:.0f} s spent where k-fold would have spent {whole:.0f} s" if whole else ""

    @property
    def _left(self) -> str:
        spent = self._clock() - self._begun
        guesses = [] if self._budget is None else [self._budget - spent]
        if self._n_candidates and self._ended:
            guesses.append(spent * (self._n_candidates / len(self._ended) - 1))
        return f"about {span(max(0.0, min(guesses)))} left" if guesses else ""


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
    return cut(one_line(str(candidate)), BAR_WIDTH)
