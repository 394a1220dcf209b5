"""Which column is the target.

A text names a column; if none is called so but in another case, that one; and if the text is a
whole number that names no column, it is a position like a number is: 0 is the first column, -1 the
last. Without any word from the user it is the column that the source declares (as OpenML does), or
the only one called target, class, label or y in whatever case, or else the last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curvewise.automl._tables.column_names import quoted, suggestion
from curvewise.errors import InvalidParameterError, TableError

USUAL_NAMES = frozenset({"target", "class", "label", "y"})


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
