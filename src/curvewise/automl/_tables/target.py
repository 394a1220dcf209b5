"""Which column is the target, and whether it is a matter of classification or regression.

A text names a column; if none is called so but in another case, that one; and if the text is a
whole number that names no column, it is a position like a number is: 0 is the first column, -1 the
last. Without any word from the user it is the column that the source declares (as OpenML does), or
the only one called target, class, label or y in whatever case, or else the last.

Text, categories and booleans are classes. Whole numbers (1.0 counts as one) are classes if there
are two of them, or at most 20 with at least 5 rows for each on average; all else is regression. So
the ten digits and wine ratings from 3 to 9 are classes; ages, the 28 counts of an abalone's rings
and prices are numbers. A note always says which it is and why, because the user may know better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._packages import require
from curvewise.automl._tables.column_names import listed, quoted, suggestion
from curvewise.automl._tables.columns import kind_of
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import InvalidParameterError, TableError

if TYPE_CHECKING:
    import pandas as pd

USUAL_NAMES = frozenset({"target", "class", "label", "y"})
TASKS = ("classification", "regression")
MOST_CLASSES = 20
ROWS_PER_CLASS = 5
NEARLY_CLASSES = 50


def find_target(
    names: Sequence[str], target: str | int | None, label: str, *, declared: str | None = None
) -> tuple[int, str | None]:
    """Find the position of the target."""
    if target is None:
        return _find_out(names, declared)
    if isinstance(target, bool) or not isinstance(target, (str, int)):
        raise InvalidParameterError(f"target must be a column's name or position, got {target!r}.")
    if isinstance(target, str):
        wanted = target.strip()
        if wanted in names:
            return names.index(wanted), None
        same = [i for i, name in enumerate(names) if name.casefold() == wanted.casefold()]
        if len(same) == 1:
            return same[0], f"The target is {quoted(names[same[0]])}, by its name in another case."
        if not re.fullmatch(r"[+-]?\d{1,9}", wanted):
            raise TableError(
                f"{label} has no column {quoted(wanted)} to be the target; "
                f"{suggestion(wanted, names)}."
            )
        target = int(wanted)
    if not -len(names) <= target < len(names):
        raise TableError(
            f"{label} has no column at position {target} to be the target: its {len(names):,} "
            f"columns are 0 to {len(names) - 1} from the first, -1 to -{len(names)} from the last."
        )
    return target % len(names), None


def _find_out(names: Sequence[str], declared: str | None) -> tuple[int, str]:
    if declared in names:
        return names.index(declared), f"The target is {quoted(declared)}, as the source declares."
    usual = [i for i, name in enumerate(names) if name.casefold() in USUAL_NAMES]
    if len(usual) == 1:
        return usual[0], f"The target is {quoted(names[usual[0]])}, by its name."
    last = len(names) - 1
    return last, f"The target is {quoted(names[last])}, because it is the last column."


def find_task(values: pd.Series) -> tuple[str, str]:
    """Find out the task."""
    kind = kind_of(values.dtype)
    if kind == "text":
        return "classification", f"text with {values.nunique():,} different values"
    if kind == "boolean":
        return "classification", "booleans"
    if not _are_whole(values):
        return "regression", "decimal numbers"
    n_values = values.nunique()
    few = n_values <= MOST_CLASSES and len(values) >= ROWS_PER_CLASS * n_values
    task = "classification" if n_values <= 2 or few else "regression"
    return task, f"{n_values:,} different whole numbers in {len(values):,} rows"


def settle_task(
    values: pd.Series, name: str, label: str, *, task: str | None = None
) -> tuple[str, pd.Series, list[str]]:
    """Settle the task and make the target that fits it."""
    if task is not None and task not in TASKS:
        raise InvalidParameterError(f"task must be one of {', '.join(TASKS)}, got {task!r}.")
    column = quoted(name)
    if kind_of(values.dtype) == "date":
        raise TableError(f"The target {column} of {label} holds dates, which cannot be predicted.")
    found, reason = find_task(values)
    notes: list[str] = []
    if task is None:
        other = TASKS[1 - TASKS.index(found)]
        near = "whole" in reason and values.nunique() <= NEARLY_CLASSES
        unsure = f" (task={other!r} would take it otherwise)" if near else ""
        notes.append(f"The task is {found}, because {column} holds {reason}{unsure}.")
    task = task or found
    y = _numbers(values, column, label) if task == "regression" else _classes(values)
    if y.nunique() < 2:
        what = "one class" if task == "classification" else "one value"
        raise TableError(
            f"The target {column} of {label} has only {what}, {quoted(y.iloc[0])}: there is "
            "nothing to learn."
        )
    if task == "classification":
        notes += _small_classes(y, column, label)
    return task, y, notes


def _are_whole(values: pd.Series) -> bool:
    if values.dtype.kind in "iu":
        return True
    return bool((values == np.floor(values)).all()) and bool((values.abs() < 2**53).all())


def _numbers(values: pd.Series, column: str, label: str) -> Any:
    if kind_of(values.dtype) != "text":
        return values.astype("float64")
    numbers = require("pandas").to_numeric(values.astype(object), errors="coerce")
    wrong = ~np.isfinite(numbers.to_numpy(dtype="float64"))
    if wrong.any():
        raise TableError(
            f"The target {column} of {label} cannot be used for regression: "
            f"{quoted(values[wrong].iloc[0])} is no number."
        )
    return numbers.astype("float64")


def _classes(values: pd.Series) -> Any:
    kind = kind_of(values.dtype)
    if kind == "boolean":
        return values.astype(bool)
    if kind == "number":
        # scikit-learn takes decimal numbers for a regression's target, so they become text.
        return values.astype("int64") if _are_whole(values) else values.map(str).astype(object)
    return values.astype(object).map(str.strip).astype(object)


def _small_classes(y: pd.Series, column: str, label: str) -> list[str]:
    counts = y.value_counts()
    if counts.iloc[0] < 2:
        raise TableError(
            f"The target {column} of {label} has a class of its own for each of its {len(y):,} "
            "rows: there is nothing to learn."
        )
    single = list(counts.index[counts == 1])
    if not single:
        return []
    if len(single) == 1:
        return [WarningNote(f"The class {quoted(single[0])} of {column} has a single member.")]
    which = f"{len(single):,} classes of {column}"
    return [WarningNote(f"{which} have a single member each: {listed(single)}.")]
