"""The plan for a table: what becomes of each column, learnt from training rows.

A plan is made of lists, dictionaries and arrays only, so that it can be saved anywhere:

- ``numbers``: positions of the columns that are read as numbers;
- ``dates``: position and kept parts (`column_kinds.py`) of each date;
- ``levels``: position and columns (`categories.py`) of each category;
- ``fill``: what a gap in each number and each part of a date becomes;
- ``names``: the names of the resulting columns: numbers, then dates, then categories;
- ``report``: for each column of the table what it is and what was done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from curvewise.automl._components.categories import count_levels, learn_levels, place_levels
from curvewise.automl._components.column_kinds import (
    PARTS,
    find_kinds,
    read_date_parts,
    read_numbers,
)
from curvewise.automl._components.frames import Frame
from curvewise.automl._components.gaps import close_gaps, open_infinities, summarise

NUMERIC = ("number", "boolean", "duration")
# With fewer rows, all distinct says nothing yet.
FEWEST_ROWS = 10
EMPTY = {"kind": "empty", "action": "dropped: no value at all"}
CONSTANT = {"kind": "constant", "action": "dropped: one value only"}

Plan = dict[str, Any]


def learn_plan(
    frame: Frame, names: list[str], *, max_categories: int, identifier_share: float
) -> tuple[Plan, np.ndarray, list[np.ndarray]]:
    """Learn what becomes of each column."""
    kinds = find_kinds(frame)
    plan: Plan = {"numbers": [], "dates": [], "levels": [], "names": []}
    report: list[dict[str, str]] = [{} for _ in names]
    blocks, fills = [], []
    for part in (_plan_numbers, _plan_dates):
        for block, fill in part(frame, kinds, names, plan, report):
            blocks.append(block)
            fills.append(fill)
    plan["fill"] = np.concatenate(fills)
    numbers = close_gaps(np.hstack(blocks) if len(blocks) > 1 else blocks[0], plan["fill"])

    places = []
    for i in _columns_of(kinds, "category"):
        codes, values = frame.values(i)
        counts = count_levels(codes, values)
        report[i] = _reported_category(counts, frame.n_rows, max_categories, identifier_share)
        if report[i]["kind"] == "category":
            levels = learn_levels(counts, max_categories)
            plan["levels"].append((i, levels))
            plan["names"].extend(f"{names[i]}_{level}" for level in levels["names"])
            places.append(place_levels(codes, values, levels))
    plan["report"] = [{"column": name, **one} for name, one in zip(names, report, strict=True)]
    return plan, numbers, places


def _columns_of(kinds: list[str], *wanted: str) -> list[int]:
    return [i for i, kind in enumerate(kinds) if kind in wanted]


def _plan_numbers(
    frame: Frame, kinds: list[str], names: list[str], plan: Plan, report: list[dict[str, str]]
) -> Iterator[tuple[Any, np.ndarray]]:
    """Plan the columns of numbers at once, and give those that are kept with their medians."""
    columns = _columns_of(kinds, *NUMERIC)
    numbers = read_numbers(frame, columns)
    n_infinite = open_infinities(numbers)
    summary = summarise(numbers)
    fill = summary.medians
    booleans = [place for place, i in enumerate(columns) if kinds[i] == "boolean"]
    # Between as many of both there is no majority: false.
    fill[booleans] = np.floor(fill[booleans])
    kept = np.flatnonzero(summary.varies)
    plan["numbers"] = [columns[place] for place in kept]
    plan["names"].extend(names[i] for i in plan["numbers"])
    facts = (summary.varies, summary.n_missing, n_infinite, fill)
    for i, varies, n_missing, *rest in zip(columns, *map(np.ndarray.tolist, facts), strict=True):
        if varies:
            report[i] = {"kind": kinds[i], "action": _number_action(n_missing, *rest)}
        else:
            report[i] = EMPTY if n_missing == frame.n_rows else CONSTANT
    yield (numbers if len(kept) == len(columns) else numbers[:, kept]), fill[kept]


def _plan_dates(
    frame: Frame, kinds: list[str], names: list[str], plan: Plan, report: list[dict[str, str]]
) -> Iterator[tuple[Any, np.ndarray]]:
    """Plan each column of dates, and give its parts that are kept with their medians."""
    for i in _columns_of(kinds, "date"):
        parts = read_date_parts(frame, i)
        summary = summarise(parts)
        kept = np.flatnonzero(summary.varies).tolist()
        if not kept:
            report[i] = EMPTY if summary.n_missing[0] == frame.n_rows else CONSTANT
            continue
        plan["dates"].append((i, kept))
        plan["names"].extend(f"{names[i]}_{PARTS[part]}" for part in kept)
        report[i] = {"kind": "date", "action": ", ".join(PARTS[part] for part in kept)}
        yield parts[:, kept], summary.medians[kept]


def _number_action(n_missing: int, n_infinite: int, median: float) -> str:
    if not n_missing:
        return "as it is"
    also = f" (of which {n_infinite} infinite)" if n_infinite else ""
    return f"{n_missing} missing{also} become {median:g}"


def _reported_category(
    counts: dict[str, int], n_rows: int, max_categories: int, identifier_share: float
) -> dict[str, str]:
    if len(counts) < 2:
        return CONSTANT if counts else EMPTY
    n_known = sum(counts.values())
    if n_known >= FEWEST_ROWS and len(counts) > identifier_share * n_known:
        action = f"dropped: {len(counts)} different values in {n_known} rows"
        return {"kind": "identifier", "action": action}
    action = f"binarised: {len(counts)} levels"
    if len(counts) > max_categories:
        action += f", of which the {max_categories - 1} most frequent have a column"
    if n_rows > n_known:
        mode = max(counts, key=lambda level: counts[level])
        action += f"; {n_rows - n_known} missing become {mode!r}"
    return {"kind": "category", "action": action}
