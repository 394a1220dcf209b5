"""Facts that take less room: what a page of 20,000 candidates says again and again is in it once.

1. Texts of candidates that come more than once stand in one list, and their numbers in their place:
   steps such as "went on to 1,250 rows", names of algorithms.
2. A candidate's last step says why it ended; that stands there once. Its headline is the beginning
   of that sentence: how many characters of it.
3. What is still too large loses the code and the steps of the candidates that are far from the top;
   the store has them.

`unpack` in ``assets/text.js`` undoes the first two when the page is opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

# Shorter ones take no more room than a number.
SHORTEST = 8
FIELDS = ("algorithm", "recipe", "why")
DETAILS = ("recipe", "failures", "key")


def packed(facts: dict[str, Any]) -> dict[str, Any]:
    """Say once what candidates have in common (rules 1 and 2)."""
    candidates = [_without_repetition(each) for each in facts["candidates"]]
    counts = Counter(text for each in candidates for text in _texts(each))
    shared = {text: i for i, text in enumerate(text for text, n in counts.items() if n > 1)}
    return {
        **facts,
        "candidates": [_numbered(each, shared) for each in candidates],
        "texts": list(shared),
    }


def without_details(facts: dict[str, Any], n_whole: int) -> dict[str, Any]:
    """Leave out the details of all candidates but the first (rule 3)."""
    first, rest = facts["candidates"][:n_whole], facts["candidates"][n_whole:]
    brief = [
        {name: value for name, value in each.items() if name not in DETAILS}
        | {"steps": each["steps"][-1:]}
        for each in rest
    ]
    return {**facts, "candidates": [*first, *brief]}


def _without_repetition(candidate: dict[str, Any]) -> dict[str, Any]:
    kept = dict(candidate)
    why, brief = kept.get("why", ""), kept.get("brief")
    if brief and why.startswith(brief):
        kept["brief"] = len(brief)
    if kept["steps"] and kept["steps"][-1] == why:
        del kept["why"]
    if kept.get("folds") == []:
        del kept["folds"]
    return kept


def _texts(candidate: dict[str, Any]) -> Iterator[str]:
    own = (candidate.get(name) for name in FIELDS)
    for text in (*own, *candidate["steps"]):
        if isinstance(text, str) and len(text) >= SHORTEST:
            yield text


def _numbered(candidate: dict[str, Any], shared: dict[str, int]) -> dict[str, Any]:
    candidate["steps"] = [shared.get(text, text) for text in candidate["steps"]]
    for name in FIELDS:
        if name in candidate:
            candidate[name] = shared.get(candidate[name], candidate[name])
    return candidate
