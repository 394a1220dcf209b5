"""How the command line writes: answers on standard output, all else on standard error."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def print_json(facts: Any) -> None:
    """Print an answer for programs."""
    typer.echo(json.dumps(facts, indent=1))


def print_line(console: Console, text: str) -> None:
    """Print a line as it is, however long: file names may look like markup."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def warnings_as_notes(console: Console) -> Iterator[None]:
    """Print each warning once, as a note, when the work is done."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print_line(console, f"Note: {text}")


def bar_of(unit: str, *, quiet: bool) -> Progress:
    """Make a bar that counts units, such as data sets."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet,
    )


def percent(share: float | None) -> str:
    """Write a share in hundredths, as briefly as it can be read.

    Examples
    --------
    >>> percent(0.5), percent(0.123), percent(None)
    ('50', '12.3', '')
    """
    return "" if share is None else f"{100 * share:.1f}".removesuffix(".0")


def span(seconds: float) -> str:
    """Write a span of time as people say it.

    Examples
    --------
    >>> span(42), span(61), span(7300)
    ('42 s', '1 min 01 s', '2 h 01 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
