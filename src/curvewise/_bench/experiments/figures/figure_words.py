"""What figures and pages call things: data sets, knobs, and how many cells of how many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from curvewise._bench.experiments.method_comparison import Comparison

SOURCE = re.compile(r"^(openml-\d+-|other-)(?=.)")


def short_names(datasets: Iterable[str]) -> dict[str, str]:
    """Leave out where data sets come from, unless two would have the same name then.

    Examples
    --------
    >>> short_names(["openml-23-cmc", "other-electricity", "openml-3"])
    {'openml-23-cmc': 'cmc', 'other-electricity': 'electricity', 'openml-3': 'openml-3'}
    """
    short = {name: SOURCE.sub("", name) for name in datasets}
    counts = Counter(short.values())
    return {name: text if counts[text] == 1 else name for name, text in short.items()}


def knob_of(method: str) -> tuple[str, str]:
    """Take a method's name apart: which knob, and what it is set to.

    Examples
    --------
    >>> knob_of("lccv max_width=0.05"), knob_of("race")
    (('lccv max_width', '0.05'), ('race', ''))
    """
    knob, _, value = method.partition("=")
    return knob, value


def n_of(n: int, n_all: int, what: str = "") -> str:
    """Say how many are there of how many; nothing if all are.

    Examples
    --------
    >>> n_of(26, 45, "cells"), n_of(45, 45, "cells")
    ('26 of 45 cells', '')
    """
    return "" if n == n_all else f"{n:,} of {n_all:,} {what}".strip()


def cells_in(found: Sequence[Comparison]) -> str:
    """Say how many cells are compared, if some are missing, and which methods have none."""
    n = sum(len(each.pairs) for each in found)
    said = n_of(n, n + sum(each.n_missing for each in found), "cells")
    none = [each.method for each in found if not each.pairs]
    return f"{said}, none of {', '.join(none)}" if none else said
