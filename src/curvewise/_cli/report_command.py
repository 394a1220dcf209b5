"""``curvewise report``: a stored run as a page."""

from __future__ import annotations

from pathlib import Path

import typer

from curvewise._cli import options
from curvewise._cli.output_paths import check_extras, check_outputs
from curvewise.executors import RunStore

EPILOG = """
**Examples**

    curvewise report run.db --output report.html

    curvewise report run.db --run 2 -o second.html
"""


def report_command(
    store: options.StoreFile,
    output: options.OutputFile = Path("report.html"),
    run: options.Run = None,
) -> None:
    """Write one HTML page about a run; it works without a network."""
    from curvewise._report import write_report

    check_outputs({"--output": output}, source=store)
    check_extras(report=True)
    with RunStore.read(store) as opened:
        write_report(opened.run(run), output)
    typer.echo(f"Wrote {output}")
