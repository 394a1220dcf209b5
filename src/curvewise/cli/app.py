"""The command line: ``curvewise``.

Exit codes: 0 done, 2 bad input (one sentence on standard error says which), 130 interrupted.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from curvewise import __version__
from curvewise.cli.replay import EPILOG, replay_command
from curvewise.errors import CurvewiseError

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="curvewise",
    help="Choose models faster than cross-validation does, along their learning curves.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command("replay", epilog=EPILOG)(replay_command)


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
        typer.echo(f"Error: {error}", err=True)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        typer.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
