"""Outcomes and decisions as rows, and back.

An outcome's columns have the names of its fields; those of the other kind are empty.

Decisions are read through a table of their classes by name: a name that is not in it is refused,
and nothing else is ever called. Their evidence is one JSON object with the fields of the class,
each of its type (`curvewise.executors._store.checked_values`).
`Trace` knows which of them a run has yet to write.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, get_args

from curvewise.core._decisions import Complete, Decision, End, Stop
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.core._portfolio import STATUSES
from curvewise.errors import StoreError
from curvewise.executors._packed_rows import to_bytes
from curvewise.executors._store.checked_values import (
    LARGEST_WHOLE,
    amount,
    damaged,
    field_checks,
    shown,
    whole,
)
from curvewise.executors._store.checked_values import text as checked_text
from curvewise.executors._store.json_values import (
    as_key,
    from_column,
    from_json,
    frozen,
    named,
    plain,
    to_column,
)

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Decision)}
FIELDS = {name: tuple(field.name for field in fields(kind)) for name, kind in KINDS.items()}
CHECKS = {name: field_checks(kind) for name, kind in KINDS.items()}
DELETE_DECISIONS = "DELETE FROM decisions WHERE run = ? AND sequence >= ?"
INSERT_DECISION = """
    INSERT INTO decisions (run, sequence, candidate, kind, evidence) VALUES (?, ?, ?, ?, ?)
"""
INSERT_RESULT = """
    INSERT INTO results (run, sequence, candidate, status, loss, low, high)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""


def outcome_row(outcome: Outcome) -> tuple[Any, ...]:
    """Write an outcome as the values of `OUTCOME_COLUMNS`; its task stands elsewhere."""
    values = {name: getattr(outcome, name, None) for name in CONVERSIONS}
    columns = (
        None if value is None else CONVERSIONS[name][0](value) for name, value in values.items()
    )
    return "failure" if isinstance(outcome, Failure) else "observation", *columns


def outcome_of(task: Task, row: Sequence[Any]) -> Outcome:
    """Read what `outcome_row` wrote."""
    kind, *columns = row
    make: Any = OUTCOMES.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise damaged(f"there is no outcome of the kind {shown(kind)}.")
    values = {
        name: read(column)
        for (name, (_, read)), column in zip(CONVERSIONS.items(), columns, strict=True)
        if column is not None
    }
    try:
        outcome: Outcome = make(task, **values)
    except TypeError:
        raise damaged(f"an outcome is no whole {kind}.") from None
    return outcome


def kept_bytes(outcome: Outcome) -> tuple[bytes | None, bytes | None]:
    """Give what was predicted, and what rows lost, as bytes."""
    if isinstance(outcome, Failure):
        return None, None
    predicted, lost = outcome.predictions, outcome.row_losses
    return (
        None if predicted is None else predicted.to_bytes(),
        None if lost is None else to_bytes(lost),
    )


def decision_row(decision: Decision) -> tuple[str, str]:
    """Write a decision as its kind and its evidence."""
    kind = type(decision).__name__
    evidence = {name: getattr(decision, name) for name in FIELDS[kind]}
    try:
        return kind, json.dumps(evidence, allow_nan=False, default=plain)
    except ValueError:  # A float that is not finite: rare, and looked for only then.
        return kind, json.dumps(plain(evidence, what=kind))


def decision_of(kind: str, evidence: str) -> Decision:
    """Read what `decision_row` wrote."""
    if kind not in KINDS:
        raise StoreError(
            f"The store holds a decision of the unknown kind {shown(kind)}; this curvewise knows "
            f"{', '.join(KINDS)}."
        )
    values = from_json(evidence)
    if not isinstance(values, dict) or not set(values) <= set(FIELDS[kind]):
        raise damaged(f"the evidence of a {kind} does not belong to it.")
    parts = {name: frozen(value) for name, value in values.items()}
    for name, value in parts.items():
        if not CHECKS[kind][name](value):
            raise damaged(f"{name} of a {kind} is {shown(value)}, which it cannot be.")
    try:
        if kind == "Fail":
            parts["failure"] = _failure(parts["failure"])
        elif kind == "Revive":
            parts["leader"] = as_key(parts["leader"])
        decision: Decision = KINDS[kind](**parts)
    except (KeyError, TypeError):
        raise damaged(f"the evidence of a {kind} is incomplete.") from None
    return decision


def _failure(values: Any) -> Failure:
    candidate, anchor, fold = _three(values["task"])
    task = Task(as_key(candidate), whole("anchor", anchor), whole("fold", fold))
    reason, error = named(Reason, values["reason"]), values.get("error", "")
    message, error = checked_text("message", values["message"]), checked_text("error", error)
    seconds = values["seconds"]
    seconds = float(seconds) if type(seconds) is int and seconds < LARGEST_WHOLE else seconds
    return Failure(task, reason, message, amount("seconds", seconds), error)


def _three(task: Any) -> tuple[Any, Any, Any]:
    parts = frozen(task)
    if not isinstance(parts, tuple) or len(parts) != 3:
        raise damaged(f"{shown(task)} is no task.")
    return parts


def _scores(text: str) -> dict[str, float]:
    try:
        return {name: float(score) for name, score in from_json(text).items()}
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, StoreError):
            raise
        raise damaged("scores are not numbers by name.") from None


OUTCOMES: dict[str, type[Any]] = {"observation": Observation, "failure": Failure}
# By column: how its values are written, and how they are read.
CONVERSIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "loss": (to_column, from_column),
    **{
        name: (to_column, partial(amount, name))
        for name in ("seconds", "noise", "fit_seconds", "score_seconds")
    },
    "n_test": (int, partial(whole, "n_test", at_least=1)),
    **dict.fromkeys(
        ("scores", "train_scores", "found"), (lambda each: json.dumps(plain(each)), _scores)
    ),
    "reason": (lambda reason: reason.value, lambda word: named(Reason, word)),
    "message": (str, partial(checked_text, "message")),
    "error": (str, partial(checked_text, "error")),
}
OUTCOME_COLUMNS = ("kind", *CONVERSIONS)


class Trace:
    """The decisions of one run that is being written: which are stored, and which are not yet.

    A resumed search decides everything anew, and with the same outcomes it decides the same. A
    decision that equals the stored one at its place needs no writing. From the first that differs
    on, the stored ones no longer hold: they are deleted, and the new ones written.
    """

    def __init__(self, stored: list[tuple[int, str, str]], run_id: int) -> None:
        self._run_id = run_id
        self._stored = stored
        self._n_stored = len(stored)
        self._n_added = 0
        # Sequence number, position of the candidate, kind, evidence; the decision if it is an end.
        self._pending: list[tuple[int, int, str, str, End | None]] = []

    def add(self, position: int, decision: Decision) -> None:
        """Take the next decision, about the candidate at a position; it is not written yet."""
        row = (position, *decision_row(decision))
        if self._n_added < len(self._stored):
            if self._stored[self._n_added] == row:
                self._n_added += 1
                return
            self.forget_the_rest()
        end = decision if isinstance(decision, End) else None
        self._pending.append((self._n_added, *row, end))
        self._n_added += 1

    def forget_the_rest(self) -> None:
        """Let the stored decisions that have not been repeated yet go with the next writing."""
        del self._stored[self._n_added :]

    def changes(
        self, interval_of: Callable[[int], Interval]
    ) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Give what brings the store up to date, as statements with their values."""
        run_id = self._run_id
        if len(self._stored) < self._n_stored:
            yield DELETE_DECISIONS, (run_id, len(self._stored))
        for sequence, position, kind, evidence, end in self._pending:
            yield INSERT_DECISION, (run_id, sequence, position, kind, evidence)
            if isinstance(end, Stop):
                # A partial result rests on other losses than those at the target.
                numbers = (end.estimate, end.low, end.high)
            elif end is not None:
                # A pruned candidate has no loss that could be compared.
                loss = end.loss if isinstance(end, Complete) else math.nan
                numbers = (loss, *interval_of(position))
            if end is not None:
                result = (STATUSES[type(end)].value, *map(to_column, numbers))
                yield INSERT_RESULT, (run_id, sequence, position, *result)

    def written(self) -> None:
        """Note that what was written has been committed."""
        self._n_stored = len(self._stored)
        self._pending.clear()
