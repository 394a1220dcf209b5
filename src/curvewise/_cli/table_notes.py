"""The notes on a table, as a command prints them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from curvewise._cli.option_words import in_option_words
from curvewise._cli.terminal import console_of, print_line
from curvewise.automl import Table
from curvewise.automl._tables.warning_note import WarningNote


def show_notes(table: Table, console: Console, *, more: Iterable[str] = ()) -> None:
    """Print the notes on a table; a quiet console hides all but the warnings."""
    loud = console_of(stderr=True) if console.quiet else console
    for note in (*table.notes, *more):
        text = f"Note: {in_option_words(note)}"
        print_line(loud if isinstance(note, WarningNote) else console, text)
