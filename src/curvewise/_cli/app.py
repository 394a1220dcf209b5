"""The command line: ``curvewise``, which `curvewise._cli.start` loads.

Exit codes: 0 done, 1 no candidate gave a result, 2 bad input (one sentence on standard error says
which), 130 interrupted; `curvewise advise` ends with 3 for no and 4 for cannot tell.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from curvewise import __version__
from curvewise._cli.lazy_commands import CommandPlace, LazyGroup
from curvewise._cli.option_words import in_option_words
from curvewise._text import visible
from curvewise.errors import CurvewiseError, NoResultError

NO_RESULT = 1
BAD_INPUT = 2
# What a full disk, or a terminal that has gone, says to whoever writes.
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

PLACES = {
    "select": CommandPlace(
        "Find the best pipeline for a table.",
        "curvewise._cli.select_command",
        "select_command",
        extra="select",
    ),
    "predict": CommandPlace(
        "Predict with a saved pipeline.",
        "curvewise._cli.predict_command",
        "predict_command",
        extra="select",
    ),
    "validate": CommandPlace(
        "Evaluate one model, perhaps against a score to beat.",
        "curvewise._cli.validate_command",
        "validate_command",
        extra="select",
    ),
    "runs": CommandPlace(
        "List the runs of a store, also while it is being written.",
        "curvewise._cli.store_commands",
        "runs_command",
        "RUNS_EPILOG",
    ),
    "report": CommandPlace(
        "Write one HTML page about a run; it works without a network.",
        "curvewise._cli.store_commands",
        "report_command",
        "REPORT_EPILOG",
    ),
    "watch": CommandPlace(
        "Show a run in a browser while it is being written.",
        "curvewise._cli.watch_command",
        "watch_command",
    ),
    "advise": CommandPlace(
        "Say whether more rows would improve the best score enough.",
        "curvewise._cli.advise_command",
        "advise_command",
        extra="select",
    ),
    "replay": CommandPlace(
        "Replay policies over recorded learning curves and compare cost and choices with k-fold.",
        "curvewise._cli.replay_command",
        "replay_command",
        extra="replay",
    ),
    "bench": CommandPlace(
        "Measure what policies and tools cost, and how good their choices are.",
        "curvewise._cli.bench_commands",
        "bench_app",
        extra="bench",
    ),
}


class Commands(LazyGroup):
    """All commands."""

    places = PLACES


app = typer.Typer(
    name="curvewise",
    help="Choose models faster than cross-validation does, and see why.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"curvewise {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that all commands share."""


def main() -> None:
    """Run the command line; bad input becomes one sentence and an exit code."""
    try:
        app()
    except CurvewiseError as error:
        typer.echo(f"Error: {visible(in_option_words(str(error)))}", err=True)
        sys.exit(NO_RESULT if isinstance(error, NoResultError) else BAD_INPUT)
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        with suppress(OSError):
            typer.echo(f"Error: The answer cannot be written: {error.strerror}.", err=True)
        # What is still to be written would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BAD_INPUT)
