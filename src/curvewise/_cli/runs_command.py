"""``curvewise runs``: what a store holds."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from curvewise.executors._store import RunStore, RunSummary

EPILOG = """
**Examples**

    curvewise runs run.db

    curvewise runs run.db --json
"""

# What may be broken into several lines, and how wide it is at least.
FLEXIBLE = {"name": 4, "ended": 10, "best": 9}
WIDE = 160


def runs_command(
    store: Annotated[Path, typer.Argument(help="What `curvewise select --store` wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the runs of a store; it may be one that is being written."""
    with RunStore.read(store) as opened:
        summaries = opened.runs()
    if as_json:
        typer.echo(json.dumps([_facts(summary) for summary in summaries], indent=1))
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("run", "name", "status", "begun", "tried", "score", "ended", "best"):
        right = heading in ("run", "tried", "score")
        table.add_column(
            heading,
            justify="right" if right else "left",
            no_wrap=heading not in FLEXIBLE,
            min_width=FLEXIBLE.get(heading),
            overflow="fold",
        )
    for summary in summaries:
        facts = _facts(summary)
        score = "" if facts["score"] is None else f"{facts['score']:.4f}"
        ended = ", ".join(f"{n} {word}" for word, n in facts["ended"].items() if n)
        begun = f"{summary.created:%Y-%m-%d %H:%M}"
        texts = [str(summary.id), summary.name or "", summary.status.value, begun]
        texts += [str(summary.n_candidates), score, ended, facts["best"] or ""]
        table.add_row(*(Text(text) for text in texts))
    # A file or a pipe has no width.
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def _facts(summary: RunSummary) -> dict[str, Any]:
    score = summary.best_score
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
        "score": score if math.isfinite(score) else None,
    }
