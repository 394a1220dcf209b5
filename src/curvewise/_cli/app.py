"""The command line: ``curvewise``, which `curvewise._cli.start` loads.

Exit codes: 0 done, 1 no candidate gave a result, 2 bad input (one sentence on standard error says
which), 130 interrupted; `curvewise advise` ends with 3 for no and 4 for cannot tell.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from curvewise import __version__
from curvewise._cli import advise_command as advise
from curvewise._cli import predict_command as predict
from curvewise._cli import replay_command as replay
from curvewise._cli import select_command as select
from curvewise._cli import store_commands as stores
from curvewise._cli import validate_command as validate
from curvewise._cli.bench_commands import bench_app
from curvewise.errors import CurvewiseError, NoResultError

NO_RESULT = 1
BAD_INPUT = 2

app = typer.Typer(
    name="curvewise",
    help="Choose models faster than cross-validation does, along their learning curves.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command("select", epilog=select.EPILOG)(select.select_command)
app.command("predict", epilog=predict.EPILOG)(predict.predict_command)
app.command("validate", epilog=validate.EPILOG)(validate.validate_command)
app.command("runs", epilog=stores.RUNS_EPILOG)(stores.runs_command)
app.command("report", epilog=stores.REPORT_EPILOG)(stores.report_command)
app.command("advise", epilog=advise.EPILOG)(advise.advise_command)
app.command("replay", epilog=replay.EPILOG)(replay.replay_command)
app.add_typer(bench_app, name="bench")


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
        sys.exit(NO_RESULT if isinstance(error, NoResultError) else BAD_INPUT)
