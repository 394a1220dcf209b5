"""The plan for a table: what becomes of each column, learnt from training rows.

A plan is made of lists, dictionaries and arrays only, so that it can be saved anywhere:

- ``numbers``: positions of the columns that are read as numbers;
- ``dates``: position and kept parts (`frames.py`) of each date;
- ``date_orders``: the order of day and month of each (`written_dates.py`); older plans have none;
- ``levels``: position and columns, or codes, of each category;
- ``texts``: positions of the columns of text, if these are wanted;
- ``fill``: what a gap in each number and each part of a date becomes; None if gaps stay;
- ``names``: the names of the resulting columns: numbers, then dates, then categories;
- ``report``: for each column of the table what it is and what was done.

Gaps in numbers become the median. For arrays one sort of all columns tells everything; that is five
to fifteen times quicker than scikit-learn's ``SimpleImputer``, which does the job for sparse
matrices. Sparse matrices come by columns (CSC).

Categories become columns of zeros and ones:

1. Missing values become the most frequent level, as in the paper.
2. Two levels make one column. More levels make a column each, and at most `max_categories`: then
   the most frequent ones have their own, and all others share the last one.
3. A level that was not seen in training counts as one of the others, if there are any; with two
   levels as the most frequent one; else no column is set.

Or each category stays one column, of codes in the order of the levels' names: missing values stay
missing, and so do levels that were not seen in training, unless rare ones share a code.

The columns of zeros and ones are those of scikit-learn's ``OneHotEncoder`` with
``infrequent_if_exist``, but for two things: there is no loop over rows for coded columns, which
matters as it is done per fold and anchor, and 100,000 columns take seconds and not minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.impute import SimpleImputer

from curvewise.automl._components.frames import (
    PARTS,
    Frame,
    date_order,
    find_kinds,
    read_date_parts,
    read_numbers,
)
from curvewise.automl._components.values import as_text

NUMERIC = ("number", "boolean", "duration")
# With fewer rows, all distinct says nothing yet.
FEWEST_ROWS = 10
EMPTY = {"kind": "empty", "action": "dropped: no value at all"}
CONSTANT = {"kind": "constant", "action": "dropped: one value only"}
# No column, and the name of the column that rare levels share.
NOWHERE = -1
OTHERS = "others"
# Levels of so many words on average are text, if there are many.
FEWEST_WORDS = 3.0

Plan = dict[str, Any]


class Wishes(NamedTuple):
    """How a table is to be seen: what becomes of categories, gaps and text."""

    max_categories: int
    identifier_share: float
    as_codes: bool = False
    with_text: bool = False


def learn_plan(
    frame: Frame, names: list[str], wishes: Wishes
) -> tuple[Plan, np.ndarray, list[np.ndarray]]:
    """Learn what becomes of each column; give also the training rows as numbers and places."""
    kinds = find_kinds(frame)
    plan: Plan = {"numbers": [], "dates": [], "date_orders": [], "levels": []}
    plan |= {"texts": [], "names": []}
    report: list[dict[str, str]] = [{} for _ in names]
    numbers = _plan_numbers(frame, kinds, names, plan, report, gaps_stay=wishes.as_codes)
    places = []
    for i in _columns_of(kinds, "category"):
        codes, values = frame.values(i)
        counts = count_levels(codes, values)
        report[i] = _reported_category(counts, frame.n_rows, wishes)
        if report[i]["kind"] == "text":
            plan["texts"].append(i)
        elif report[i]["kind"] == "category":
            levels = learn_levels(counts, wishes.max_categories, as_codes=wishes.as_codes)
            plan["levels"].append((i, levels))
            own = [f"{names[i]}_{level}" for level in levels["names"]]
            plan["names"].extend([names[i]] if wishes.as_codes else own)
            places.append(place_levels(codes, values, levels))
    plan["report"] = [{"column": name, **one} for name, one in zip(names, report, strict=True)]
    return plan, numbers, places


def carry_out(plan: Plan, frame: Frame) -> tuple[Any, list[np.ndarray]]:
    """Do to other rows what was learnt: give their numbers and places of levels."""
    numbers, _ = _read_planned(frame, plan)
    places = [place_levels(*frame.values(i), levels) for i, levels in plan["levels"]]
    return numbers if plan["fill"] is None else close_gaps(numbers, plan["fill"]), places


def _read_planned(frame: Frame, plan: Plan) -> tuple[Any, np.ndarray]:
    """Read the numbers and the parts of dates of a plan; count infinite ones, now gaps."""
    numbers = read_numbers(frame, plan["numbers"])
    orders = plan.get("date_orders") or [""] * len(plan["dates"])
    dates = [
        read_date_parts(frame, i, order)[:, kept]
        for (i, kept), order in zip(plan["dates"], orders, strict=True)
    ]
    numbers = np.hstack([numbers, *dates]) if dates else numbers
    return numbers, open_infinities(numbers)


def _plan_numbers(
    frame: Frame,
    kinds: list[str],
    names: list[str],
    plan: Plan,
    report: list[dict[str, str]],
    *,
    gaps_stay: bool,
) -> Any:
    """Plan all numbers and parts of dates at once, and give those that are kept."""
    columns, dates = _columns_of(kinds, *NUMERIC), _columns_of(kinds, "date")
    orders = [date_order(frame, i) for i in dates]
    every = {"numbers": columns, "dates": [(i, range(len(PARTS))) for i in dates]}
    every["date_orders"] = orders
    numbers, n_infinite = _read_planned(frame, every)
    n_missing, varies, fill = summarise(numbers)
    booleans = [place for place, i in enumerate(columns) if kinds[i] == "boolean"]
    # Between as many of both there is no majority: false.
    fill[booleans] = np.floor(fill[booleans])
    gone = [EMPTY if n == frame.n_rows else CONSTANT for n in n_missing.tolist()]
    become = ["stay"] * len(fill) if gaps_stay else [f"become {one:g}" for one in fill.tolist()]
    actions = map(_number_action, n_missing.tolist(), n_infinite.tolist(), become)
    for i, is_kept, action, dropped in zip(columns, varies.tolist(), actions, gone, strict=False):
        report[i] = {"kind": kinds[i], "action": action} if is_kept else dropped
        plan["numbers"] += [i] if is_kept else []
    plan["names"].extend(names[i] for i in plan["numbers"])
    for place, (i, order) in enumerate(zip(dates, orders, strict=True)):
        start = len(columns) + place * len(PARTS)
        kept = np.flatnonzero(varies[start : start + len(PARTS)]).tolist()
        parts = [PARTS[part] for part in kept]
        action = ", ".join(parts) + (f" (read {order})" if order else "")
        report[i] = {"kind": "date", "action": action} if kept else gone[start]
        plan["dates"] += [(i, kept)] if kept else []
        plan["date_orders"] += [order] if kept else []
        plan["names"].extend(f"{names[i]}_{part}" for part in parts)
    plan["fill"] = None if gaps_stay else fill[varies]
    numbers = numbers if varies.all() else numbers[:, varies]
    return numbers if gaps_stay else close_gaps(numbers, plan["fill"])


def _columns_of(kinds: list[str], *wanted: str) -> list[int]:
    return [i for i, kind in enumerate(kinds) if kind in wanted]


def _number_action(n_missing: int, n_infinite: int, become: str) -> str:
    if not n_missing:
        return "as it is"
    also = f" (of which {n_infinite} infinite)" if n_infinite else ""
    return f"{n_missing} missing{also} {become}"


def _reported_category(counts: dict[str, int], n_rows: int, wishes: Wishes) -> dict[str, str]:
    if len(counts) < 2:
        return CONSTANT if counts else EMPTY
    n_known, n_levels = sum(counts.values()), len(counts)
    is_identifier = n_known >= FEWEST_ROWS and n_levels > wishes.identifier_share * n_known
    many = is_identifier or n_levels > wishes.max_categories
    if wishes.with_text and many and _n_words(counts) >= FEWEST_WORDS:
        return {"kind": "text", "action": f"words of {n_levels} different texts"}
    if is_identifier:
        action = f"dropped: {n_levels} different values in {n_known} rows"
        return {"kind": "identifier", "action": action}
    action = f"{'coded' if wishes.as_codes else 'binarised'}: {n_levels} levels"
    if n_levels > wishes.max_categories:
        own = "a code" if wishes.as_codes else "a column"
        action += f", of which the {wishes.max_categories - 1} most frequent have {own}"
    if n_rows > n_known:
        mode = max(counts, key=lambda level: counts[level])
        become = "stay" if wishes.as_codes else f"become {mode!r}"
        action += f"; {n_rows - n_known} missing {become}"
    return {"kind": "category", "action": action}


def _n_words(counts: dict[str, int]) -> float:
    """Count the words of a level, on average over rows."""
    n_words = sum(len(level.split()) * count for level, count in counts.items())
    return n_words / sum(counts.values())


def count_levels(codes: np.ndarray, values: Sequence[Any]) -> dict[str, int]:
    """Count how often each level occurs, in the order of their names."""
    counts = np.bincount(codes[codes >= 0], minlength=len(values)).tolist()
    totals: dict[str, int] = {}
    for value, count in zip(values, counts, strict=True):
        if count:
            text = as_text(value)
            totals[text] = totals.get(text, 0) + count
    return dict(sorted(totals.items()))


def learn_levels(
    counts: dict[str, int], max_categories: int, *, as_codes: bool = False
) -> dict[str, Any]:
    """Decide which level sets which column, or has which code."""
    mode = max(counts, key=lambda level: counts[level])
    if len(counts) == 2 and not as_codes:
        first, second = counts
        places = {first: NOWHERE, second: 0}
        unseen = places[mode]
        names = [second]
    else:
        names, unseen = list(counts), NOWHERE
        if len(counts) > max_categories:
            by_count = sorted(counts, key=lambda level: -counts[level])
            names = sorted(by_count[: max_categories - 1])
            unseen = len(names)
        places = {level: place for place, level in enumerate(names)}
        if unseen >= 0:
            names = [*names, OTHERS]
    missing = NOWHERE if as_codes else places[mode]
    return {"places": places, "missing": missing, "unseen": unseen, "names": names}


def place_levels(codes: np.ndarray, values: Sequence[Any], levels: dict[str, Any]) -> np.ndarray:
    """Say for each row which column is set, -1 for none."""
    places, unseen = levels["places"], levels["unseen"]
    found = [places.get(as_text(value), unseen) for value in values]
    # A code of -1 finds the last entry.
    return np.array([*found, levels["missing"]], dtype=np.intp)[codes]


class Summary(NamedTuple):
    """What there is to know about columns of numbers."""

    n_missing: np.ndarray
    varies: np.ndarray
    medians: np.ndarray


def summarise(numbers: Any) -> Summary:
    """Look at columns of numbers."""
    if sparse.issparse(numbers):
        return _summarise_sparse(numbers)
    n_rows, n_columns = numbers.shape
    columns = np.arange(n_columns)
    ordered = np.sort(numbers, axis=0)  # NaN comes last.
    n_known = n_rows - np.isnan(numbers).sum(axis=0)
    last = np.maximum(n_known, 1) - 1
    lower, upper = ordered[last // 2, columns], ordered[(last + 1) // 2, columns]
    # Half of each, as their sum may be too large.
    medians = lower / 2 + upper / 2
    return Summary(n_rows - n_known, ordered[0] < ordered[last, columns], medians)


def open_infinities(numbers: Any) -> np.ndarray:
    """Turn infinite values into gaps, in place, and count them per column."""
    values = numbers.data if sparse.issparse(numbers) else numbers
    infinite = np.isinf(values)
    if not infinite.any():
        return np.zeros(numbers.shape[1], dtype=int)
    values[infinite] = np.nan
    if not sparse.issparse(numbers):
        return infinite.sum(axis=0)
    return np.bincount(_columns_of_stored(numbers)[infinite], minlength=numbers.shape[1])


def close_gaps(numbers: Any, fill: np.ndarray) -> Any:
    """Put a value into each gap, in place."""
    if sparse.issparse(numbers):
        gaps = np.isnan(numbers.data)
        numbers.data[gaps] = fill[_columns_of_stored(numbers)[gaps]]
        return numbers
    rows, columns = np.nonzero(np.isnan(numbers))
    numbers[rows, columns] = fill[columns]
    return numbers


def _summarise_sparse(numbers: Any) -> Summary:
    n_rows, n_columns = numbers.shape
    gaps = np.isnan(numbers.data)
    n_missing = np.bincount(_columns_of_stored(numbers)[gaps], minlength=n_columns)
    medians = SimpleImputer(strategy="median", keep_empty_features=True).fit(numbers).statistics_
    # Zeros that are not stored are values too. Filled with the median, nothing new comes in.
    filled = close_gaps(numbers.copy(), medians)
    low, high = filled.min(axis=0).toarray(), filled.max(axis=0).toarray()
    return Summary(n_missing, (low < high).ravel(), np.where(n_missing < n_rows, medians, np.nan))


def _columns_of_stored(numbers: Any) -> np.ndarray:
    return np.repeat(np.arange(numbers.shape[1]), np.diff(numbers.indptr))
