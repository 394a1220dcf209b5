"""A figure and its files; matplotlib is loaded only here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curvewise.errors import MissingExtraError

# Told apart by everybody: the method, its reference, faster, slower.
METHOD, REFERENCE, FASTER, SLOWER = "#0072b2", "#e69f00", "#009e73", "#d55e00"
SUFFIXES = (".png", ".svg")
# What a log scale has labels at, below a ratio of its ends; without, steps as on a linear one.
LABELS = ((1.5, ()), (10, (1, 1.5, 2, 3, 4, 6, 8)), (100, (1, 2, 5)), (float("inf"), (1,)))


def new_figure(width: float, height: float) -> Any:
    """Begin a figure of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("Drawing figures", "plot") from None
    return Figure(figsize=(width, height), layout="constrained")


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
    r"""Keep matplotlib from reading mathematics into a user's name.

    Examples
    --------
    >>> plain("a$b")
    'a\\$b'
    """
    return text.replace("$", r"\$")
