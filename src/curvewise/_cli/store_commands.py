"""``curvewise runs`` and ``curvewise report``: what a store holds, and a run of it as a page."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from curvewise._cli import options
from curvewise._cli.terminal import console_of, print_json, say, table_of
from curvewise._files import check_outputs
from curvewise._packages import require
from curvewise.executors import RunStore, RunSummary

RUNS_EPILOG = """
**Examples**

    curvewise runs run.db

    curvewise runs run.db --json
"""
REPORT_EPILOG = """
**Examples**

    curvewise report run.db --output report.html

    curvewise report run.db --run 2 -o second.html
"""

HEADINGS = ("run", "name", "status", "begun", "tried", "score", "ended", "best")
LEFT = ("name", "status", "begun", "ended", "best")
BREAKABLE = {"name": 4, "ended": 10, "best": 9}
WIDE = 160


def report_command(
    store: options.StoreFile,
    output: options.OutputFile = Path("report.html"),
    run: options.Run = None,
) -> None:
    """Write one HTML page about a run; it works without a network."""
    check_outputs({"--output": output}, source=store)
    require("plotly", "Writing a report", extra="report")
    write_report_of(store, run, output)
    say(f"Wrote {output}")


def write_report_of(store: Path, run: str | None, output: Path) -> None:
    """Write the page about a run of a store."""
    from curvewise._report import write_report

    with RunStore.read(store) as opened:
        write_report(opened.run(run), output)


def runs_command(store: options.StoreFile, as_json: options.Json = False) -> None:
    """List the runs of a store, also while it is being written."""
    with RunStore.read(store) as opened:
        facts = [_facts(summary) for summary in opened.runs()]
    if as_json:
        print_json(facts)
        return
    rows = map(_row, facts)
    table = table_of(HEADINGS, rows, left=LEFT, breakable=BREAKABLE, padding=(0, 1, 0, 0))
    # A file or a pipe has no width.
    console_of(width=None if sys.stdout.isatty() else WIDE).print(table)


def _row(facts: dict[str, Any]) -> list[str]:
    ended = ", ".join(f"{n} {word}" for word, n in facts["ended"].items() if n)
    return [
        str(facts["run"]),
        facts["name"] or "",
        facts["status"],
        facts["begun"][:16],
        str(facts["candidates"]),
        f"{facts['score']:.4f}" if math.isfinite(facts["score"]) else "",
        ended,
        facts["best"] or "",
    ]


def _facts(summary: RunSummary) -> dict[str, Any]:
    return {
        "run": summary.id,
        "name": summary.name,
        "status": summary.status.value,
        "begun": summary.created.isoformat(sep=" ", timespec="seconds"),
        "candidates": summary.n_candidates,
        "ended": {
            "completed": summary.n_completed,
            "pruned": summary.n_pruned,
            "stopped": summary.n_stopped,
            "failed": summary.n_failed,
        },
        "evaluations": summary.n_observations,
        "seconds": summary.seconds,
        "best": None if summary.best is None else str(summary.best),
        "score": summary.best_score,
    }
