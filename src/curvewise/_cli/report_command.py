"""``curvewise report``: a stored run as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curvewise._cli.output_paths import check_extras, check_outputs
from curvewise.executors._store import RunStore

EPILOG = """
**Examples**

    curvewise report run.db --output report.html

    curvewise report run.db --run 2 -o second.html
"""


def report_command(
    store: Annotated[Path, typer.Argument(help="What `curvewise select --store` wrote.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("report.html"),
    run: Annotated[
        str | None, typer.Option(help="A run's number or name.", show_default="the latest")
    ] = None,
) -> None:
    """Write one HTML page about a run; it works without a network."""
    from curvewise._report import write_report

    check_outputs({"--output": output}, source=store)
    check_extras(report=True)
    with RunStore.read(store) as opened:
        write_report(opened.run(run), output)
    typer.echo(f"Wrote {output}")
