"""What figures have in common: colours, scales, headlines, files, and what they call things."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curvewise._bench.experiments.method_comparison import MethodComparison

# Told apart by everybody: the method, its reference, faster, slower.
METHOD, REFERENCE, FASTER, SLOWER = "#0072b2", "#e69f00", "#009e73", "#d55e00"
SUFFIXES = (".png", ".svg")
# What a log scale has labels at, below a ratio of its ends; without, steps as on a linear one.
LABELS = ((1.5, ()), (10, (1, 1.5, 2, 3, 4, 6, 8)), (100, (1, 2, 5)), (float("inf"), (1,)))

# Where a data set comes from, in front of its name.
SOURCE = re.compile(r"^(openml-\d+-|other-)(?=.)")


def save(figure: Any, folder: Path, name: str, suffixes: Sequence[str] = SUFFIXES) -> list[Path]:
    """Write a figure in some formats."""
    files = [folder / f"{name}{suffix}" for suffix in suffixes]
    for file in files:
        figure.savefig(file, dpi=150)
    return files


def headline(figure: Any, title: str, *notes: str) -> None:
    """Write a title above all panels, and what else there is to say below it."""
    said = ", ".join(note for note in notes if note)
    figure.suptitle(plain(f"{title}\n{said}" if said else title), fontsize=11)


def log_seconds(axes: Any) -> None:
    """Make the horizontal axis one of seconds on a log scale, with labels as people write them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    labels = next(labels for times, labels in LABELS if high < times * low)
    axes.xaxis.set_major_locator(LogLocator(subs=labels) if labels else MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def plain(text: str) -> str:
    """Keep matplotlib from reading mathematics into a user's name."""
    return text.replace("$", r"\$")


def short_names(datasets: Iterable[str]) -> dict[str, str]:
    """Leave out where data sets come from, unless two would have the same name then."""
    short = {name: SOURCE.sub("", name) for name in datasets}
    counts = Counter(short.values())
    return {name: text if counts[text] == 1 else name for name, text in short.items()}


def knob_of(method: str) -> tuple[str, str]:
    """Take a method's name apart: which knob, and what it is set to."""
    knob, _, value = method.partition("=")
    return knob, value


def n_of(n: int, n_all: int, what: str = "") -> str:
    """Say how many are there of how many; nothing if all are."""
    return "" if n == n_all else f"{n:,} of {n_all:,} {what}".strip()


def cells_in(found: Sequence[MethodComparison]) -> str:
    """Say how many cells are compared, if some are missing, and which methods have none."""
    n = sum(len(each.pairs) for each in found)
    said = n_of(n, n + sum(each.n_missing for each in found), "cells")
    none = [each.method for each in found if not len(each.pairs)]
    return f"{said}, none of {', '.join(none)}" if none else said
