"""``curvewise bench``: experiments, each a command of its own."""

from __future__ import annotations

import typer

from curvewise._cli.bench_commands import advice_command as advice
from curvewise._cli.bench_commands import automl_command as automl
from curvewise._cli.bench_commands import output_commands as outputs
from curvewise._cli.bench_commands import record_command as record
from curvewise._cli.bench_commands import run_command as run
from curvewise._cli.bench_commands import status_command as status

SUITES = ("paper-80", "paper-90", "sensitivity", "peers")

bench_app = typer.Typer(
    help="Measure what policies and tools cost, and how good their choices are.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
)
for name in SUITES:
    bench_app.command(name, epilog=run.EPILOG)(run.suite_command(name))
bench_app.command("convexity", epilog=run.CONVEXITY_EPILOG)(run.convexity_command)
bench_app.command("advice", epilog=advice.EPILOG)(advice.advice_command)
bench_app.command("automl", epilog=automl.EPILOG)(automl.automl_command)
bench_app.command("record", epilog=record.EPILOG)(record.record_command)
bench_app.command("run", epilog=run.EPILOG)(run.run_command)
bench_app.command("status", epilog=status.EPILOG)(status.status_command)
for name, command in outputs.COMMANDS.items():
    bench_app.command(name, epilog=outputs.EPILOG)(command)
