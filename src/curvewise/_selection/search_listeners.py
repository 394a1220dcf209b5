"""Who listens to a run of a `CurveSearchCV`: callbacks, the bar, the list of leaders, an alarm.

scikit-learn's callbacks, such as its ``ProgressBar``, hear of these tasks: the whole fit, in it the
search, in that one task per candidate, and the refit, which hands the callbacks on to the best
estimator. How many evaluations a search will make is known to nobody in advance; how many
candidates there are mostly is. A callback that asks to stop ends the search with what it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from curvewise._text import counted
from curvewise.core._decisions import ENDS, Decision, Fail
from curvewise.core._lead_changes import LeaderChange, who_led
from curvewise.core._outcome import Candidate, Outcome, Raised, Task
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._listener import Ending, Listener

# Where there is no terminal, progress is a line at most so often.
QUIET_SECONDS = 5.0


class LeaderList(Listener):
    """Notes when which outcome came, and knows from that who led when."""

    def __init__(self) -> None:
        self._told: list[tuple[float, Outcome]] = []

    @property
    def changes(self) -> list[LeaderChange]:
        """Who led when, by the clock."""
        portfolio = self._search.portfolio
        return who_led(
            self._told,
            target=portfolio.target,
            scale=portfolio.scale,
            statuses={each.candidate: each.status for each in portfolio.contenders.values()},
        )

    @property
    def tasks(self) -> list[Task]:
        """What was evaluated, as it came back."""
        return [outcome.task for _, outcome in self._told]

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._search = search
        self._begun = monotonic()

    def told(self, outcome: Outcome) -> None:
        """Note when an outcome came."""
        self._told.append((monotonic() - self._begun, outcome))


class FirstFailure(Listener):
    """Ends a search with an error as soon as a candidate has failed (``error_score="raise"``)."""

    _failed: str | None = None

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note a failure."""
        if isinstance(decision, Fail):
            self._failed = f"{candidate} failed: {decision.failure.message}"

    def told(self, outcome: Outcome) -> None:
        """Raise what failed; `Experiment.run` makes an ordinary error of it."""
        if self._failed is not None:
            raise Raised(NoResultError(self._failed))


class Tasks(Listener):
    """What callbacks are told about one fit."""

    def __init__(
        self, owner: Any, X: Any, y: Any, metadata: dict[str, Any], *, n_candidates: int | None
    ) -> None:
        self._n_candidates = n_candidates
        self._stop = False
        self._told = {"estimator": owner, "X": X, "y": y, "metadata": metadata or None}
        self._ended: set[Candidate] = set()
        # scikit-learn offers it to those who make meta-estimators, under this name.
        begin = owner._init_callback_context  # noqa: SLF001
        self._root = begin(max_subtasks=1 + (owner.refit is not False))
        self._root.call_on_fit_task_begin(**self._told)

    def started(self, search: Search) -> None:
        """Tell that the search begins."""
        self._search = search
        self._task = self._root.subcontext(task_name="search", max_subtasks=self._n_candidates)
        self._task.call_on_fit_task_begin(**self._told)

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Tell of a candidate that has ended; once, also if it was revived and ended again."""
        if candidate in self._ended or not isinstance(decision, ENDS):
            return
        self._ended.add(candidate)
        task = self._task.subcontext(task_name="candidate")
        task.call_on_fit_task_begin(**self._told)
        self._stop |= task.call_on_fit_task_end(**self._told)

    def told(self, outcome: Outcome) -> None:
        """End the search if a callback has asked for it."""
        if self._stop and not self._search.done:
            self._search.stop("a callback asked for it")

    def finished(self, ending: Ending | None) -> None:
        """Tell that the search is over."""
        self._task.call_on_fit_task_end(**self._told)

    @contextmanager
    def refit(self, estimator: Any = None) -> Iterator[None]:
        """Tell of the final fit; one that takes place here hands callbacks on to its estimator."""
        task = self._root.subcontext(task_name="refit-with-best-params")
        handed_on = nullcontext()
        if estimator is not None:
            handed_on = task.propagate_callback_context(estimator)
        with handed_on:
            task.call_on_fit_task_begin(**self._told)
            yield
        task.call_on_fit_task_end(**self._told)

    def end_fit(self) -> None:
        """Tell that the fit is over."""
        self._root.call_on_fit_task_end(**self._told)


class Bar(Listener):
    """Shows on the standard error how far a search is, and with ``verbose=2`` how each ended."""

    def __init__(self, *, verbose: int, n_candidates: int | None) -> None:
        self._verbose = verbose
        self._n_candidates = n_candidates
        self._ended: set[Candidate] = set()
        self._progress = Progress(
            TextColumn("[progress.description]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            # Without a terminal, as in notebooks, there is no bar but plain lines.
            console=Console(stderr=True, force_jupyter=False),
        )
        self._plain = not self._progress.console.is_terminal
        self._said = monotonic()

    def started(self, search: Search) -> None:
        """Show the bar."""
        self._scale = search.portfolio.scale
        self._task = self._progress.add_task("candidates", total=self._n_candidates)
        if not self._plain:
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
        if self._plain and monotonic() - self._said >= QUIET_SECONDS:
            self._say()

    def finished(self, ending: Ending | None) -> None:
        """Leave the bar as it is, or say how many there were."""
        if self._plain:
            self._say()
        else:
            self._progress.stop()

    def _say(self) -> None:
        self._said = monotonic()
        n = len(self._ended)
        text = counted(n, "candidate")
        if self._n_candidates is not None:
            text = f"{n:,} of {counted(self._n_candidates, 'candidate')}"
        self._progress.console.print(text, highlight=False)
