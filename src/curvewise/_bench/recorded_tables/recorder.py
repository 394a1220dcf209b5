"""Records candidates: every anchor on every fold, with what each test row lost.

1. What has been recorded is not made again, whoever interrupted it: Ctrl-C, or a kill.
2. A failure is recorded as such, with its reason and seconds. A candidate that met a limit of time
   or memory is not tried any more, there or at larger anchors: it would meet it again. What was not
   run for that has the same reason and seconds, and its message says so.
3. A task whose worker was lost is tried again, twice; then it is recorded as lost.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curvewise._bench.recorded_tables.journal import Journal, RecordedCell
from curvewise._bench.recorded_tables.recording_file import take_over, write_recording
from curvewise._bench.recorded_tables.recording_plan import RecordingPlan
from curvewise.core._outcome import Failure, Outcome, Reason, Task, as_outcome
from curvewise.executors._execution import Execution, make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._protocol import Executor, cancelled_after
from curvewise.executors._recorded_file import OK

MAX_LOST = 2
# So often somebody who waits is told how far it is.
WAIT_SECONDS = 5.0
# What a fit costs whatever its rows, as a share of the target's.
OVERHEAD = 1 / 16


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a recording is, in evaluations and in work, of all that were asked for.

    The work of an evaluation is its training rows, and a sixteenth of the target besides: small
    fits take longer than their rows let expect. ``work_begun`` is what was there when this session
    began.
    """

    n_done: int
    n_all: int
    n_failed: int
    work_done: float
    work_all: float
    work_begun: float


class Recorder:
    """Carries a plan out into a file."""

    def __init__(
        self,
        plan: RecordingPlan,
        path: Path,
        *,
        on_progress: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        self._plan, self._path, self._on_progress = plan, path, on_progress
        self._identity = plan.identity()

    def run(
        self,
        *,
        execution: Execution | None = None,
        limits: Limits | None = None,
        retry_failed: bool = False,
    ) -> Progress:
        """Record what is missing, and write the file."""
        plan, limits = self._plan, limits or Limits()
        with Journal(self._path, self._identity) as journal:
            self._prepare(journal, retry_failed=retry_failed)
            session = _Session(plan, journal, limits.timeout_per_fit, self._on_progress)
            if session.waiting:
                evaluate = plan.experiment.evaluate
                with closing(
                    make_executor(evaluate, execution=execution, limits=limits)
                ) as executor:
                    session.carry_out(executor)
            write_recording(self._path, journal, self._identity, plan.notes(), packing=plan.packing)
            journal.remove()
            return session.progress()

    def _prepare(self, journal: Journal, *, retry_failed: bool) -> None:
        """Take over what is known; a journal that is refused leaves nothing behind."""
        try:
            if self._path.exists():
                take_over(self._path, journal, self._identity)
            if retry_failed:
                journal.forget_failures()
            journal.introduce(self._plan.configurations.items())
        except BaseException:
            if journal.is_new:
                journal.remove()
            raise


class _Session:
    """What is still to be recorded, and what is under way."""

    def __init__(
        self,
        plan: RecordingPlan,
        journal: Journal,
        seconds: float | None,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._plan, self._journal, self._seconds = plan, journal, seconds
        self._on_progress = on_progress
        known = journal.statuses()
        tasks = list(plan.tasks())
        self.waiting = deque(task for task in tasks if task not in known)
        self._under_way: set[Task] = set()
        self._lost: Counter[Task] = Counter()
        self._limits_met = journal.limits_met()
        there = [task for task in tasks if task in known]
        self._n_all, self._work_all = len(tasks), sum(map(self._work, tasks))
        self._n_done, self._work_done = len(there), sum(map(self._work, there))
        self._n_failed = sum(known[task] != OK for task in there)
        self._work_begun = self._work_done

    def _work(self, task: Task) -> float:
        return task.anchor + OVERHEAD * self._plan.schedule.target

    def progress(self) -> Progress:
        """Say how far it is."""
        return Progress(
            self._n_done,
            self._n_all,
            self._n_failed,
            self._work_done,
            self._work_all,
            self._work_begun,
        )

    def carry_out(self, executor: Executor) -> None:
        """Make all evaluations that are missing."""
        self._on_progress(self.progress())
        with cancelled_after(executor, self._under_way):
            while self.waiting or self._under_way:
                self._hand_out(executor)
                if self._under_way:
                    for outcome in executor.wait(WAIT_SECONDS):
                        self._under_way.discard(outcome.task)
                        self._receive(as_outcome(outcome))
                self._on_progress(self.progress())

    def _hand_out(self, executor: Executor) -> None:
        while self.waiting and len(self._under_way) < executor.n_slots:
            task = self.waiting.popleft()
            met = self._limits_met.get(str(task.candidate))
            if met is not None:
                reason, seconds = met
                message = "not run: the candidate met this limit before"
                self._write(Failure(task, reason, message, seconds))
                continue
            # Before it is: an interrupt in between would leave a task that nobody cancels.
            self._under_way.add(task)
            estimator: Any = self._plan.estimators[str(task.candidate)]
            executor.submit(task, estimator, seconds=self._seconds)

    def _receive(self, outcome: Outcome) -> None:
        if isinstance(outcome, Failure):
            task, reason = outcome.task, outcome.reason
            if reason in (Reason.LOST, Reason.CANCELLED):
                self._lost[task] += 1
                if reason is Reason.CANCELLED or self._lost[task] <= MAX_LOST:
                    self.waiting.appendleft(task)
                    return
            if reason in (Reason.TIMEOUT, Reason.MEMORY):
                self._limits_met[str(task.candidate)] = (reason, outcome.seconds)
        self._write(outcome)

    def _write(self, outcome: Outcome) -> None:
        task = outcome.task
        n_test = self._plan.n_test(task.fold)
        self._journal.add([RecordedCell.of(outcome, n_test=n_test, packing=self._plan.packing)])
        self._n_done += 1
        self._work_done += self._work(task)
        self._n_failed += isinstance(outcome, Failure)
