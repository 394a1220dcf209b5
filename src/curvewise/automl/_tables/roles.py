"""What columns are there for besides being features: rows' names, groups, time and weights.

A user says by name which columns are dropped, identify the rows, hold their group, their time or
their weight. None of these is a feature then, and new rows do not need them. Rules:

1. A name that no column has is an error that names the nearest. The target has no other role, and
   no column has two; but `keep` may name the time's column, which then is a feature as well.
2. Groups and time cannot both say which rows are tested on.
3. Groups, times and weights have no gaps. Times are numbers or dates, and rows are put into their
   order; those of the same time stay as they stood. Weights are numbers, none below 0 and some
   above; if all are the same they change nothing, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from curvewise.automl._tables.column_names import listed, quoted, suggestion
from curvewise.automl._tables.columns import kind_of
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import InvalidParameterError, TableError

if TYPE_CHECKING:
    import pandas as pd

_SINGLE = ("groups", "time", "weights")


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns are there for what; ``keep`` is True to leave out none as an identifier."""

    drop: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    groups: str | None = None
    time: str | None = None
    weights: str | None = None
    keep: tuple[str, ...] = ()
    keep_all: bool = False

    def __post_init__(self) -> None:
        if self.groups is not None and self.time is not None:
            raise InvalidParameterError(
                "groups and time cannot both be given: rows are tested on either in whole groups, "
                "or in the order of time."
            )

    @property
    def named(self) -> list[tuple[str, str]]:
        """Each role with a column that has it."""
        single = [(role, getattr(self, role)) for role in _SINGLE]
        given = [(role, name) for role, name in single if name is not None]
        several = [(role, name) for role in ("drop", "ids") for name in getattr(self, role)]
        return [*(("id" if role == "ids" else role, name) for role, name in several), *given]


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Give names that a user wrote: one, or several."""
    return tuple(name.strip() for name in ([names] if isinstance(names, str) else names))


def check_names(role: str, wanted: Iterable[str], names: Sequence[str], label: str) -> None:
    """Refuse the name of a column that is not there."""
    known = set(names)
    for name in wanted:
        if name not in known:
            raise TableError(
                f"{label} has no column {quoted(name)} for {role}; {suggestion(name, names)}."
            )


def check_roles(roles: Roles, names: Sequence[str], label: str, *, target: str) -> None:
    """Refuse columns that are not there, the target, and what has two roles (rule 1)."""
    for role, name in [*roles.named, *(("keep", name) for name in roles.keep)]:
        check_names(role, [name], names, label)
        if name == target:
            raise TableError(
                f"{quoted(name)} is the target of {label}: it cannot be named for {role}."
            )
    seen: dict[str, str] = {}
    for role, name in [*roles.named, *(("keep", name) for name in roles.keep)]:
        first = seen.setdefault(name, role)
        if first != role and (first, role) != ("time", "keep"):
            raise TableError(
                f"Column {quoted(name)} of {label} is named for {first} and for {role}, and can "
                "only be for one."
            )


class Assigned(NamedTuple):
    """The rest of a table when columns have their roles; values by row, in the order of rows."""

    frame: pd.DataFrame
    groups: pd.Series | None
    weights: pd.Series | None
    left_out: dict[str, str]
    notes: list[str]
    beside: pd.DataFrame
    order: np.ndarray[Any, Any]


def assign(
    frame: pd.DataFrame, roles: Roles, label: str, *, beside: Sequence[str] = ()
) -> Assigned:
    """Take columns out of the features by their roles, and put rows into the order of time.

    Some columns may be wanted besides, in that order as well; and ``order`` says where rows were.
    """
    notes: list[str] = []
    for role in _SINGLE:
        name = getattr(roles, role)
        if name is not None:
            _check_gaps(frame[name], role, name, label)
    order = np.arange(len(frame))
    if roles.time is not None:
        frame, order, notes = _in_order(frame, roles, label)
    groups, weights = None, None
    if roles.groups is not None:
        groups = frame[roles.groups]
        if groups.nunique() < 2:
            raise TableError(f"Column {quoted(roles.groups)} of {label} has one group only.")
        n_groups = f"{groups.nunique():,} groups"
        notes.append(f"Rows are tested in the {n_groups} of {quoted(roles.groups)}.")
    if roles.weights is not None:
        weights, said = _checked_weights(frame[roles.weights], roles.weights, label)
        notes += said
    left_out = dict.fromkeys(roles.ids, "identifies the rows (id)")
    for role, reason in (
        ("groups", "groups of rows (groups)"),
        ("time", "order of rows (time)"),
        ("weights", "weights of rows (weights)"),
    ):
        name = getattr(roles, role)
        if name is not None and name not in roles.keep:
            left_out[name] = reason
    rest = frame.drop(columns=list(left_out))
    return Assigned(rest, groups, weights, left_out, notes, frame[list(beside)], order)


def _check_gaps(values: pd.Series, role: str, name: str, label: str) -> None:
    n_missing = int(values.isna().sum())
    if n_missing:
        rows = "row" if n_missing == 1 else "rows"
        raise TableError(
            f"Column {quoted(name)} of {label} has no value in {n_missing:,} {rows}, and {role} "
            "needs one in each."
        )


def _in_order(
    frame: pd.DataFrame, roles: Roles, label: str
) -> tuple[pd.DataFrame, np.ndarray[Any, Any], list[str]]:
    name = str(roles.time)
    if kind_of(frame[name].dtype) not in ("date", "number"):
        raise TableError(
            f"Column {quoted(name)} of {label} holds neither dates nor numbers, as time needs: "
            f"{quoted(frame[name].iloc[0])}."
        )
    becomes = "a feature as well" if name in roles.keep else "no feature (keep makes it one)"
    notes = [
        f"Rows are in the order of {quoted(name)}, which is {becomes}; each fold is tested on "
        "later rows than it is trained on."
    ]
    ordered = frame.reset_index(drop=True).sort_values(name, kind="stable")
    return ordered.reset_index(drop=True), ordered.index.to_numpy(), notes


def _checked_weights(
    values: pd.Series, name: str, label: str
) -> tuple[pd.Series | None, list[str]]:
    column = f"Column {quoted(name)} of {label}"
    if kind_of(values.dtype) not in ("number", "boolean"):
        raise TableError(f"{column} holds no numbers, as weights needs: {quoted(values.iloc[0])}.")
    weights = values.astype("float64")
    if (weights < 0).any():
        row = int(np.argmax((weights < 0).to_numpy()))
        raise TableError(
            f"{column} has weights below 0, such as {quoted(weights.iloc[row])} in row {row + 1}."
        )
    if not (weights > 0).any():
        raise TableError(f"{column} has no weight above 0.")
    if weights.nunique() == 1:
        one = f"{weights.iloc[0]:g}"
        note = f"All weights in {quoted(name)} are {one}: they change nothing."
        return None, [WarningNote(note)]
    n_zero = int((weights == 0).sum())
    said = f"Rows count by their weights in {quoted(name)}"
    return weights, [f"{said}; {n_zero:,} have weight 0." if n_zero else f"{said}."]


def describe_drop(names: Iterable[str]) -> list[str]:
    """Say which columns were dropped because the user wants it."""
    every = list(names)
    return [f"Dropped, as was asked for: {listed(every)}."] if every else []
