"""How the command line writes: answers on standard output, all else on standard error.

Names and messages may come from a stranger's table or store. All that is written goes through `say`
or a console of `console_of`: what a terminal would obey is shown there, and not obeyed.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import typer
from rich import box
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from curvewise._cli.option_words import in_option_words
from curvewise._text import visible
from curvewise._webpage import plain

# How wide bars and names in panels are.
BAR_WIDTH = 60


def say(text: str, *, err: bool = False) -> None:
    """Print a line of text; on standard error, whoever reads it may have gone."""
    with suppress(OSError) if err else nullcontext():
        typer.echo(visible(text), err=err)


def console_of(*, stderr: bool = False, quiet: bool = False, width: int | None = None) -> Console:
    """Make a console for tables, panels and whatever else is more than a line of text."""
    console = Console(stderr=stderr, quiet=quiet, width=width)
    console.push_render_hook(_Showing())
    return console


class _Showing(RenderHook):
    """Lets a console show what a terminal would obey."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Put everything that is printed behind a look at its text."""
        return [_Shown(each) for each in renderables]


class _Shown:
    """Something to print, whose text is looked at; what rich adds itself is not."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self._renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)


def print_json(facts: Any) -> None:
    """Print an answer for programs: what is not finite as null, what JSON lacks as text."""
    typer.echo(json.dumps(plain(facts), indent=1))


def print_line(console: Console, text: str) -> None:
    """Print a line as it is, however long: file names may look like markup.

    On standard error, whoever reads it may have gone: a terminal that was closed ends no search.
    """
    with suppress(OSError) if console.stderr else nullcontext():
        console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def warnings_as_notes(console: Console) -> Iterator[None]:
    """Print each warning once, as a note, when the work is done, also if it ended badly."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for text in dict.fromkeys(str(warning.message) for warning in caught):
                print_line(console, f"Note: {in_option_words(text)}")


def bar_of(unit: str, *, quiet: bool) -> Progress:
    """Make a bar that counts units, such as data sets."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=console_of(stderr=True),
        transient=True,
        disable=quiet,
    )


def panel_of(rows: Mapping[str, str | ProgressBar], running: Sequence[str], *, most: int) -> Table:
    """Make a panel of facts by their names, and of what is running."""
    grid = Table.grid(padding=(0, 2))
    for name, fact in rows.items():
        grid.add_row(Text(name, style="bold"), Text(fact) if isinstance(fact, str) else fact)
    for name in running[:most]:
        grid.add_row(Text("running", style="dim"), Text(name, style="dim"))
    if len(running) > most:
        grid.add_row("", Text(f"and {len(running) - most} more", style="dim"))
    return grid


def table_of(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Container[str] = (),
    breakable: Mapping[str, int] | None = None,
    **style: Any,
) -> Table:
    """Make a table of texts: numbers to the right, and only some columns may be broken.

    `left` names the columns that stand to the left, `breakable` gives the smallest width of those
    that may be broken into several lines.
    """
    table = Table(**{"box": box.SIMPLE_HEAD, "caption_justify": "left", **style})
    breakable = breakable or {}
    for heading in headings:
        table.add_column(
            Text(heading),
            justify="left" if heading in left else "right",
            no_wrap=heading not in breakable,
            min_width=breakable.get(heading),
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def percent(share: float | None) -> str:
    """Write a share in hundredths, as briefly as it can be read: 50, 12.3."""
    return "" if share is None else f"{100 * share:.1f}".removesuffix(".0")


def span(seconds: float) -> str:
    """Write a span of time as people say it: 42 s, 1 min 01 s, 2 h 01 min."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
