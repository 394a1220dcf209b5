"""Whether what a run notes of its data is the profile of a table, which the page shows in words.

A store may come from a stranger, and everybody may note what they like: what does not have the form
of a profile is shown as it is.
"""

from __future__ import annotations

from typing import Any

from curvewise._report.checked_notes import UnexpectedNoteError, items, mapping, number

ANY_NUMBER = 10**9


def is_profile(noted: Any) -> bool:
    """Tell what `curvewise.automl._tables.table.profile` gives."""
    try:
        found = mapping(noted)
        number(found.get("columns"))
        for n in mapping(found.get("kinds", {})).values():
            number(n)
        items(found.get("features", []), mapping, most=ANY_NUMBER)
        items(found.get("notes", []), lambda each: each, most=ANY_NUMBER)
        target = mapping(found.get("target"))
        if target.get("classes") is not None:
            number(found.get("rows")), number(target.get("n_classes"))
            items(target["classes"], _class, most=ANY_NUMBER)
    except UnexpectedNoteError:
        return False
    return True


def _class(noted: Any) -> float:
    return number(mapping(noted).get("count"))
