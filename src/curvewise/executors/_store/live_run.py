"""A run that is being written: what is known already, and what comes in.

Rules:

1. An outcome is safe once `LiveRun.record` has returned, even if the process is killed right then.
   Candidates and decisions travel with the next outcome: on resume they come out again anyway.
2. A task that gave an observation, an error, a timeout or a memory failure is finished: `known`
   gives its outcome, and it is not evaluated again. One that was lost or cancelled is not finished:
   its attempts are recorded, and it is evaluated again.
3. The last process to resume a run owns it. An earlier one that is still alive is told so when it
   wants to write, and writes nothing.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from curvewise._sqlite import snapshot, transaction
from curvewise._text import plain_repr
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision
from curvewise.core._fold_noise import loss_interval
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Failure, Observation, Outcome, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors._listener import Ending, OutcomeRecord
from curvewise.executors._store.json_values import decode_key, encode_key, from_json, to_json
from curvewise.executors._store.records import OUTCOME_COLUMNS, Trace, outcome_row
from curvewise.executors._store.stored_run import DECISIONS, RunStatus, StoredRun

UNFINISHED = (Reason.LOST, Reason.CANCELLED)

# Tells at once whether the run still belongs to this process.
TOUCH = "UPDATE runs SET updated = ? WHERE id = ? AND writer = ?"
SET_STATUS = "UPDATE runs SET status = ? WHERE id = ?"
CANDIDATES = "SELECT position, key, description, parameters FROM candidates WHERE run = :run"
INSERT_CANDIDATE = """
    INSERT INTO candidates (run, position, key, description, parameters) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (run, position)
    DO UPDATE SET description = excluded.description, parameters = excluded.parameters
"""
INSERT_NOTE = "INSERT OR REPLACE INTO notes (run, key, value) VALUES (?, ?, ?)"
INSERT_OUTCOME = f"""
    INSERT INTO outcomes (
        run, candidate, anchor, fold, attempt, finished, predictions, {", ".join(OUTCOME_COLUMNS)}
    ) VALUES (?, ?, ?, ?, ?, ?, ?, {", ".join("?" * len(OUTCOME_COLUMNS))})
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


class _CandidateRow(NamedTuple):
    position: int
    key: str
    description: str = ""
    parameters: str | None = None


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
    ) -> None:
        super().__init__(connection, path, run_id)
        self._describe = describe
        self._writer = writer
        self._clock = clock
        self._finished: dict[Task, Outcome] = {}
        self._attempts: defaultdict[Task, list[Failure]] = defaultdict(list)
        # By the position of the candidate.
        self._at_target: defaultdict[int, LearningCurve] = defaultdict(LearningCurve)
        self._pending: dict[int, _CandidateRow] = {}
        with snapshot(connection, path):
            entries = [_CandidateRow(*row) for row in self._all(CANDIDATES)]
            self._entries: dict[Candidate, _CandidateRow] = {decode_key(e.key): e for e in entries}
            self._trace = Trace(self._all(DECISIONS), run_id)
            for outcome in self.outcomes():
                self._remember(outcome)

    @property
    def n_known(self) -> int:
        """How many evaluations are finished."""
        return len(self._finished)

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """What the candidates so far are made of, in the order in which they came."""
        known = sorted(self._entries.values())
        return [from_json(entry.parameters) if entry.parameters else {} for entry in known]

    def known(self, task: Task) -> Outcome | None:
        """Give what a task gave, if it is finished; None if it has to be evaluated."""
        return self._finished.get(task)

    def attempts(self, task: Task) -> tuple[Failure, ...]:
        """Look up the attempts at a task that were lost or cancelled, as they ended.

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
            description=description,
            parameters=None if parameters is None else to_json(parameters, what=name),
        )
        if old.parameters is not None and new.parameters != old.parameters:
            raise StoreError(
                f"The candidate {candidate!r} of run {self.id} in {self._path} is another one now: "
                f"its parameters were {old.parameters} and are {new.parameters}."
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
            parameters = {"algorithm": algorithm_name(estimator), **described}
            parameters["estimator"] = plain_repr(estimator)
            self.record_candidate(candidate, parameters=parameters)

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
        position = self._entry_of(task.candidate).position
        attempt = len(self._attempts.get(task, ())) + 1
        place = (self.id, position, int(task.anchor), int(task.fold), attempt)
        with self._writing() as now:
            kept = getattr(outcome, "predictions", None)
            bytes_kept = None if kept is None else kept.to_bytes()
            row = (*place, now, bytes_kept, *outcome_row(outcome))
            self._connection.execute(INSERT_OUTCOME, row)
            self._note_loss(outcome)
        self._remember(outcome)
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

    def _entry_of(self, candidate: Candidate) -> _CandidateRow:
        entry = self._entries.get(candidate)
        if entry is None:
            entry = _CandidateRow(len(self._entries), encode_key(candidate))
            self._entries[candidate] = self._pending[entry.position] = entry
        return entry

    def _remember(self, outcome: Outcome) -> None:
        if isinstance(outcome, Failure) and outcome.reason in UNFINISHED:
            self._attempts[outcome.task].append(outcome)
        else:
            if isinstance(outcome, Observation) and outcome.predictions is not None:
                outcome = replace(outcome, predictions=None)
            self._finished[outcome.task] = outcome
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


def timestamp(clock: Callable[[], float]) -> str:
    """Write the time of a clock that counts seconds since 1970 as UTC text."""
    return datetime.fromtimestamp(clock(), UTC).isoformat(timespec="milliseconds")
