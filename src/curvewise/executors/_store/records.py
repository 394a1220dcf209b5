"""Outcomes and decisions as rows, and back.

Decisions are read through a table of their classes by name: a name that is not in it is refused,
and nothing else is ever called. Their evidence is one JSON object with the fields of the class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from curvewise.core._decisions import Decision
from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors._store.json_values import (
    from_column,
    from_json,
    frozen,
    named,
    plain,
    to_column,
)

OUTCOME_COLUMNS = (
    "kind",
    "loss",
    "seconds",
    "n_test",
    "noise",
    "fit_seconds",
    "score_seconds",
    "scores",
    "train_scores",
    "reason",
    "message",
    "error",
)

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Decision)}
FIELDS = {name: tuple(field.name for field in fields(kind)) for name, kind in KINDS.items()}


def outcome_row(outcome: Outcome) -> tuple[Any, ...]:
    """Write an outcome as the values of `OUTCOME_COLUMNS`; its task stands elsewhere."""
    if isinstance(outcome, Failure):
        nothing = (None,) * 6
        # A learner's message may hold half of a surrogate pair, which is no valid text.
        message = outcome.message.encode("utf-8", "backslashreplace").decode("utf-8")
        seconds = to_column(outcome.seconds)
        return ("failure", None, seconds, *nothing, outcome.reason.value, message, outcome.error)
    return (
        "observation",
        to_column(outcome.loss),
        to_column(outcome.seconds),
        None if outcome.n_test is None else int(outcome.n_test),
        to_column(outcome.noise),
        to_column(outcome.fit_seconds),
        to_column(outcome.score_seconds),
        _scores_text(outcome.scores),
        _scores_text(outcome.train_scores),
        None,
        None,
        None,
    )


def outcome_of(task: Task, row: Sequence[Any]) -> Outcome:
    """Read what `outcome_row` wrote."""
    kind, loss, seconds, n_test, noise, fit, score, scores, train_scores, *failure = row
    if kind == "failure":
        reason, message, error = failure
        return Failure(task, named(Reason, reason), message, from_column(seconds), error or "")
    if kind != "observation":
        raise StoreError(f"The store is damaged: there is no outcome of the kind {kind!r}.")
    return Observation(
        task,
        loss=from_column(loss),
        seconds=from_column(seconds),
        n_test=n_test,
        noise=_optional(noise),
        fit_seconds=_optional(fit),
        score_seconds=_optional(score),
        scores=_scores(scores),
        train_scores=_scores(train_scores),
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
            f"The store holds a decision of the unknown kind {kind!r}; this curvewise knows "
            f"{', '.join(KINDS)}."
        )
    values = from_json(evidence)
    if not isinstance(values, dict) or not set(values) <= set(FIELDS[kind]):
        raise StoreError(f"The store is damaged: the evidence of a {kind} does not belong to it.")
    parts = {name: frozen(value) for name, value in values.items()}
    try:
        if kind == "Fail":
            parts["failure"] = _failure(parts["failure"])
        decision: Decision = KINDS[kind](**parts)
    except (KeyError, TypeError):
        raise StoreError(f"The store is damaged: the evidence of a {kind} is incomplete.") from None
    return decision


def _failure(values: Any) -> Failure:
    candidate, anchor, fold = frozen(values["task"])
    task = Task(candidate, anchor, fold)
    reason, error = named(Reason, values["reason"]), values.get("error", "")
    return Failure(task, reason, values["message"], values["seconds"], error)


def _optional(value: Any) -> float | None:
    return None if value is None else from_column(value)


def _scores_text(scores: Mapping[str, float] | None) -> str | None:
    return None if scores is None else json.dumps(plain(scores))


def _scores(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    try:
        return {name: float(score) for name, score in from_json(text).items()}
    except (AttributeError, TypeError, ValueError):
        raise StoreError("The store is damaged: scores are not numbers by name.") from None
