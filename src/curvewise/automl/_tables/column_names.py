"""Names of columns: always text, stripped, never empty, never twice the same.

A column without a name is called by its position, counted from 0 as a target's position is:
``column_3`` is what ``target=3`` means. The second of two equal names gets a suffix, ``age_2``, and
a note says so; only if the target is among them is that an error, because nobody can tell which of
the two is meant.

Names come from other people's files: in messages they are quoted, escaped and cut short.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from curvewise._text import LONGEST_VALUE, cut_middle

MOST_SHOWN = 5
# Comparing a name with each of 100,000 others takes seconds; the nearest is among the first ones.
MOST_COMPARED = 20_000


def quoted(name: object) -> str:
    """Show a name or a value inside a sentence."""
    return repr(cut_middle(str(name), LONGEST_VALUE))


def listed(names: Iterable[object]) -> str:
    """List names inside a sentence, with the number of those that are left out."""
    every = list(names)
    shown = [quoted(name) for name in every[:MOST_SHOWN]]
    if len(every) > MOST_SHOWN:
        return f"{', '.join(shown)} and {len(every) - MOST_SHOWN} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Find the names that a misspelt one may have meant, the best first."""
    spellings: dict[str, str] = {}
    for known in names[:MOST_COMPARED]:
        spellings.setdefault(known.casefold(), known)
    close = difflib.get_close_matches(name.casefold(), list(spellings))
    return [spellings[spelling] for spelling in close]


def suggestion(name: str, names: Sequence[str]) -> str:
    """Say which names there are, as the second half of a sentence."""
    close = nearest(name, names)
    if close:
        return f"the nearest {'are' if len(close) > 1 else 'is'} {listed(close)}"
    return f"there {'are' if len(names) > 1 else 'is'} {listed(names)}"


def clean_names(raw: Iterable[object]) -> tuple[list[str], list[str]]:
    """Make names that can be used, and say which stood there more than once."""
    wanted = ["" if name is None else str(name).strip() for name in raw]
    wanted = [name or f"column_{position}" for position, name in enumerate(wanted)]
    repeated = [name for name, count in Counter(wanted).items() if count > 1]
    if not repeated:
        return wanted, []
    taken = set(wanted)
    last: dict[str, int] = {}
    names = []
    for name in wanted:
        unique = name
        if name in last:
            number = last[name] + 1
            while (unique := f"{name}_{number}") in taken:
                number += 1
            taken.add(unique)
            last[name] = number
        else:
            last[name] = 1
        names.append(unique)
    return names, repeated
