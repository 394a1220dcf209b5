"""A run that is being written: what is known already, and what comes in.

Rules:

1. An outcome is safe once `LiveRun.record` has returned, even if the process is killed right then.
   Candidates and decisions travel with the next outcome: on resume they come out again anyway.
2. A task that gave an observation, an error, a timeout or a memory failure is finished: `known`
   gives its outcome, and it is not evaluated again. One that was lost or cancelled, or met a limit
   that is larger now (`curvewise.executors._store.kept_limits`), is not finished: its attempts are
   recorded, and it is evaluated again.
3. The last process to resume a run owns it. An earlier one that is still alive is told so when it
   wants to write, and writes nothing.
4. A candidate that cannot say what it is (``repr`` raises, or ``get_params``) is recorded as that,
   and evaluated all the same.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curvewise._sqlite import snapshot, transaction
from curvewise._text import LONGEST_CODE, cut_middle, plain_repr, said_by, valid_text
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision
from curvewise.core._fold_noise import loss_interval
from curvewise.core._intervals import Interval
from curvewise.core._outcome import (
    Candidate,
    Failure,
    Observation,
    Outcome,
    Reason,
    Task,
    as_outcome,
)
from curvewise.core._search import Search
from curvewise.errors import StoreError
from curvewise.executors._listener import Ending, OutcomeRecord
from curvewise.executors._store.checked_values import shown, text, whole
from curvewise.executors._store.json_values import encode_key, to_json
from curvewise.executors._store.kept_limits import HeldTo, concerns, is_tried_again
from curvewise.executors._store.records import OUTCOME_COLUMNS, Trace, kept_bytes, outcome_row
from curvewise.executors._store.run_rows import CandidateRow, StoredOutcome
from curvewise.executors._store.stored_run import RunStatus, StoredRun

# In a message that says that they differ.
LONGEST_PARAMETERS = 300
UNFINISHED = (Reason.LOST, Reason.CANCELLED)

# Tells at once whether the run still belongs to this process.
TOUCH = "UPDATE runs SET updated = ? WHERE id = ? AND writer = ?"
SET_STATUS = "UPDATE runs SET status = ? WHERE id = ?"
SET_LIMITS = "UPDATE runs SET limits = ? WHERE id = ?"
INSERT_CANDIDATE = """
    INSERT INTO candidates (run, position, key, description, parameters) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (run, position)
    DO UPDATE SET description = excluded.description, parameters = excluded.parameters
"""
INSERT_NOTE = "INSERT OR REPLACE INTO notes (run, key, value) VALUES (?, ?, ?)"
INSERT_OUTCOME = f"""
    INSERT INTO outcomes (
        run, candidate, anchor, fold, attempt, finished, limits, predictions, row_losses,
        {", ".join(OUTCOME_COLUMNS)}
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {", ".join("?" * len(OUTCOME_COLUMNS))})
"""
FORGET_PREDICTIONS = "UPDATE outcomes SET predictions = NULL WHERE run = ? AND candidate = ?"


def algorithm_name(estimator: object) -> str:
    """Name the class of an estimator; of a pipeline, that of its last step."""
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list) and steps:
        _, last = steps[-1]
        if not (last is None or isinstance(last, str)):  # Such as "passthrough".
            return algorithm_name(last)
    return type(estimator).__name__


class LiveRun(StoredRun, OutcomeRecord):
    """A run that is being written; made by `RunStore.begin`.

    It is the one writer of the store, and a listener: ``run(search, executor, record=live_run)``
    keeps all that happens. In a loop of one's own, hand it each outcome (`record`) before the
    search gets it, each decision (`decided`, as the observer of the search), and the end
    (`finish`).

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import RunStore
    >>> terms = {"schedule": cw.Schedule((150,)), "n_folds": 5}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with RunStore.open(f"{folder}/run.db") as store:
    ...         _ = store.begin({}, "150x4-9f86", **terms).record(
    ...             cw.Observation(Task("svc", 150, 0), loss=0.1)
    ...         )
    ...     with RunStore.open(f"{folder}/run.db") as store:
    ...         run = store.begin({}, "150x4-9f86", **terms)
    ...         run.known(Task("svc", 150, 0)).loss, run.known(Task("svc", 150, 1))
    (0.1, None)

    Attributes
    ----------
    over
        Whether the run had ended when it was begun again, and nothing that was stopped then has
        larger limits now: there is nothing to do but to read it.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        run_id: int,
        *,
        writer: str,
        clock: Callable[[], float],
        describe: Callable[[Any], Mapping[str, Any]] | None = None,
        limits: HeldTo | None = None,
        over: bool = False,
    ) -> None:
        super().__init__(connection, path, run_id)
        self.over = over
        self._limits = limits
        self._describe = describe
        self._writer = writer
        self._clock = clock
        self._finished: dict[Task, Outcome] = {}
        self._attempts: defaultdict[Task, list[Failure]] = defaultdict(list)
        self._n_attempts: Counter[Task] = Counter()
        # By the position of the candidate.
        self._at_target: defaultdict[int, LearningCurve] = defaultdict(LearningCurve)
        self._pending: dict[int, CandidateRow] = {}
        with snapshot(connection, path):
            self._has_row_losses = self._rows.has_row_losses()
            self._entries: dict[Candidate, CandidateRow] = self._rows.candidates()
            self._trace = Trace(self._rows.decisions(self._decision_row), run_id)
            for stored in self._rows.outcomes(list(self._entries)):
                self._remember(stored)

    def _decision_row(self, position: Any, kind: Any, evidence: Any) -> tuple[int, str, str]:
        return whole("candidate", position), text("kind", kind), text("evidence", evidence)

    @property
    def n_known(self) -> int:
        """How many evaluations are finished."""
        return len(self._finished)

    @property
    def candidates(self) -> list[Candidate]:
        """The candidates so far, in the order in which they came."""
        return list(self._entries)

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """What the candidates so far are made of, in the order in which they came."""
        return [entry.made_of() or {} for entry in sorted(self._entries.values())]

    def known(self, task: Task) -> Outcome | None:
        """Give what a task gave, if it is finished; None if it has to be evaluated."""
        outcome = self._finished.get(task)
        if not isinstance(outcome, Observation):
            return outcome
        # Losses by row are many, and in memory only as long as the search needs them.
        rows = self._rows.row_losses(task) if self._has_row_losses else None
        return outcome if rows is None else replace(outcome, row_losses=rows)

    def attempts(self, task: Task) -> tuple[Failure, ...]:
        """Look up the attempts at a task that do not count, as they ended.

        They were lost or cancelled, or met a limit that is larger now.

        Parameters
        ----------
        task
            Which one.
        """
        return tuple(self._attempts.get(task, ()))

    def record_candidate(
        self,
        candidate: Candidate,
        *,
        description: str = "",
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """Say what a candidate is; those that nobody describes are recorded by their key.

        Parameters
        ----------
        candidate
            Its key in the search.
        description
            For readers.
        parameters
            What it is made of. A resumed run refuses a candidate whose parameters have changed.
        """
        old = self._entry_of(candidate)
        name = f"the parameters of the candidate {candidate!r}"
        new = old._replace(
            description=valid_text(description),
            parameters=None if parameters is None else to_json(parameters, what=name),
        )
        if old.parameters is not None and new.parameters != old.parameters:
            before, now = (
                cut_middle(str(each), LONGEST_PARAMETERS)
                for each in (old.parameters, new.parameters)
            )
            raise StoreError(
                f"The candidate {shown(candidate)} of run {self.id} in {self._path} is another one "
                f"now: its parameters were {before} and are {now}."
            )
        if new != old:
            self._entries[candidate] = self._pending[new.position] = new

    def forget_predictions(self, candidate: Candidate) -> None:
        """Let go of what a candidate predicted.

        Parameters
        ----------
        candidate
            Its key in the search.
        """
        with self._writing():
            position = self._entry_of(candidate).position
            self._connection.execute(FORGET_PREDICTIONS, (self.id, position))

    def note(self, key: str, value: object) -> None:
        """Write something down for the run's readers; a new value takes the place of an old one.

        Parameters
        ----------
        key
            What it is about, such as ``"versions"``.
        value
            Anything that JSON can express. It changes nothing about the run.
        """
        text = to_json(value, what=f"the note {key!r}")
        with self._writing():
            self._connection.execute(INSERT_NOTE, (self.id, key, text))

    def entered(self, candidate: Candidate, estimator: object) -> None:
        """Record what a candidate is made of; an error if it was something else before."""
        if estimator is not None:
            described = {} if self._describe is None else self._describe(estimator)
            kind = said_by(lambda: algorithm_name(estimator), estimator)
            code = said_by(lambda: plain_repr(estimator), estimator)
            parameters = {"algorithm": kind, **described}
            parameters["estimator"] = cut_middle(code, LONGEST_CODE)
            self.record_candidate(candidate, parameters=parameters)

    def started(self, search: Search) -> None:
        """Note that the run goes on, and under which limits."""
        self.over = False
        with self._writing():
            self._connection.execute(SET_STATUS, (RunStatus.RUNNING.value, self.id))
            if self._limits is not None:
                self._connection.execute(SET_LIMITS, (to_json(self._limits), self.id))

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Take a decision; it is written with the next outcome, or by `finish`."""
        self._trace.add(self._entry_of(candidate).position, decision)

    def received(self, outcome: Outcome) -> None:
        """Write what a task gave, see `record`."""
        self.record(outcome)

    def finished(self, ending: Ending | None) -> None:
        """Close the run, see `finish`; after an error, leave it open."""
        if ending is not None:
            self.finish(RunStatus(ending.value))

    def record(self, outcome: Outcome) -> bool:
        """Write what a task gave, and the decisions since the last outcome.

        Parameters
        ----------
        outcome
            What it gave, or why it gave nothing.

        Returns
        -------
        bool
            False if the task was finished already: the first outcome counts, this one is dropped.

        Raises
        ------
        StoreError
            If the file cannot be written, or another process has taken over the run. Nothing was
            written then, and the same call may be tried again.
        """
        task = outcome.task
        if task in self._finished:
            return False
        _check(outcome)
        position = self._entry_of(task.candidate).position
        attempt = self._n_attempts[task] + 1
        place = (self.id, position, int(task.anchor), int(task.fold), attempt)
        limits = self._limits if concerns(outcome) else None
        with self._writing() as now:
            held_to = None if limits is None else to_json(limits)
            row = (*place, now, held_to, *kept_bytes(outcome), *outcome_row(outcome))
            self._connection.execute(INSERT_OUTCOME, row)
            self._note_loss(outcome)
        self._has_row_losses |= getattr(outcome, "row_losses", None) is not None
        self._remember(StoredOutcome(outcome, attempt, limits))
        return True

    def finish(self, status: RunStatus = RunStatus.FINISHED) -> None:
        """Write what is left and close the run; it can be resumed all the same.

        Parameters
        ----------
        status
            FINISHED; or OUT_OF_TIME or INTERRUPTED if there was more to do.
        """
        if status is RunStatus.FINISHED:
            self._trace.forget_the_rest()
        with self._writing():
            self._connection.execute(SET_STATUS, (status.value, self.id))

    @contextmanager
    def _writing(self) -> Iterator[str]:
        """Write in one transaction: candidates, what the caller writes at this time, decisions."""
        now, execute = timestamp(self._clock), self._connection.execute
        with transaction(self._connection, self._path):
            if execute(TOUCH, (now, self.id, self._writer)).rowcount == 0:
                raise StoreError(
                    f"Run {self.id} in {self._path} has been resumed by another process: this one "
                    f"may no longer write to it."
                )
            for entry in self._pending.values():
                execute(INSERT_CANDIDATE, (self.id, *entry))
            yield now
            for statement, values in self._trace.changes(self._interval_of):
                execute(statement, values)
        self._pending.clear()
        self._trace.written()

    def _entry_of(self, candidate: Candidate) -> CandidateRow:
        entry = self._entries.get(candidate)
        if entry is None:
            entry = CandidateRow(len(self._entries), encode_key(candidate))
            self._entries[candidate] = self._pending[entry.position] = entry
        return entry

    def _remember(self, stored: StoredOutcome) -> None:
        outcome, task = stored.outcome, stored.outcome.task
        self._n_attempts[task] = max(self._n_attempts[task], stored.attempt)
        lost = isinstance(outcome, Failure) and outcome.reason in UNFINISHED
        if lost or is_tried_again(outcome, stored.limits, self._limits):
            self._attempts[task].append(outcome)  # type: ignore[arg-type]
        else:
            if isinstance(outcome, Observation) and not (
                outcome.predictions is None and outcome.row_losses is None
            ):
                outcome = replace(outcome, predictions=None, row_losses=None)
            self._finished[task] = outcome
            self._note_loss(outcome)

    def _note_loss(self, outcome: Outcome) -> None:
        """Keep what is known at the target, of which a result gives the interval."""
        if isinstance(outcome, Observation) and math.isfinite(outcome.loss):
            candidate, anchor, _ = outcome.task
            if anchor == self.terms.schedule.target:
                self._at_target[self._entries[candidate].position].add(outcome)

    def _interval_of(self, position: int) -> Interval:
        terms = self.terms
        return loss_interval(self._at_target[position], terms.schedule.target, terms.scale)


def _check(outcome: Outcome) -> None:
    """Refuse what nobody could read back."""
    as_outcome(outcome)
    if isinstance(outcome, Observation):
        for name in ("fit_seconds", "score_seconds"):
            seconds = getattr(outcome, name)
            if seconds is not None:
                real_number(name, seconds, at_least=0)


def timestamp(clock: Callable[[], float]) -> str:
    """Write the time of a clock that counts seconds since 1970 as UTC text."""
    return datetime.fromtimestamp(clock(), UTC).isoformat(timespec="milliseconds")
