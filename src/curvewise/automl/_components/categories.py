"""Categories as columns of zeros and ones.

Rules, learnt from training rows:

1. Missing values become the most frequent level, as in the paper.
2. Two levels make one column. More levels make a column each, and at most `max_categories`: then
   the most frequent ones have their own, and all others share the last one.
3. A level that was not seen in training counts as one of the others, if there are any; with two
   levels as the most frequent one; else no column is set.

This is scikit-learn's ``OneHotEncoder`` with ``infrequent_if_exist``, but for two things: it needs
no loop over rows for coded columns, which matters as it is done per fold and anchor, and 100,000
columns take seconds and not minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise.automl._components.values import as_text

NOWHERE = -1
OTHERS = "others"


def count_levels(codes: np.ndarray, values: Sequence[Any]) -> dict[str, int]:
    """Count how often each level occurs, in the order of their names."""
    counts = np.bincount(codes[codes >= 0], minlength=len(values)).tolist()
    totals: dict[str, int] = {}
    for value, count in zip(values, counts, strict=True):
        if count:
            text = as_text(value)
            totals[text] = totals.get(text, 0) + count
    return dict(sorted(totals.items()))


def learn_levels(counts: dict[str, int], max_categories: int) -> dict[str, Any]:
    """Decide which level sets which column."""
    mode = max(counts, key=lambda level: counts[level])
    if len(counts) == 2:
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
    return {"places": places, "missing": places[mode], "unseen": unseen, "names": names}


def place_levels(codes: np.ndarray, values: Sequence[Any], levels: dict[str, Any]) -> np.ndarray:
    """Say for each row which column is set, -1 for none."""
    places, unseen = levels["places"], levels["unseen"]
    found = [places.get(as_text(value), unseen) for value in values]
    # A code of -1 finds the last entry.
    return np.array([*found, levels["missing"]], dtype=np.intp)[codes]
