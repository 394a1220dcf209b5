"""Notes on a table that are warnings: something was lost, or a guess may be wrong.

Other notes say what was found and decided; whoever asks for quiet does not see them.
"""

from __future__ import annotations

from collections.abc import Sequence

# Of many notes that say the same of different columns.
_MOST = 5


class WarningNote(str):
    """A note after which the user may want to do something."""

    __slots__ = ()


def first_warnings(notes: Sequence[str], more: str) -> list[str]:
    """Make warnings of notes that are alike; of many the first, and how many `more` there are."""
    n_more = len(notes) - _MOST
    rest = [f"{more.format(n_more)}."] if n_more > 0 else []
    return [WarningNote(note) for note in (*notes[:_MOST], *rest)]
