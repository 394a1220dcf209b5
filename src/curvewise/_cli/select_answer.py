"""The answer of ``curvewise select``: the winner, its score, and what became of the others."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import typer

from curvewise._cli.terminal import print_json
from curvewise.automl import Table
from curvewise.automl._estimators import CurveAutoML
from curvewise.core import Status

NOT_BEGUN = "not begun"


def show_answer(model: CurveAutoML, table: Table, *, as_json: bool) -> None:
    """Print the answer, as a person or a program reads it."""
    facts = answer_of(model, table)
    if as_json:
        print_json(facts)
        return
    counts = ", ".join(f"{n} {status}" for status, n in facts["counts"].items())
    interval = ""
    if facts["low"] is not None:
        interval = f" (95% interval {facts['low']:.4f} to {facts['high']:.4f})"
    n_begun = len(model.leaderboard_) - facts["counts"].get(NOT_BEGUN, 0)
    typer.echo(f"Best of {n_begun}: {facts['best']}")
    typer.echo(f"Score {facts['score']:.4f}{interval}; {counts}; {facts['seconds']:.1f} s of fits")


def answer_of(model: CurveAutoML, table: Table) -> dict[str, Any]:
    """Give the answer as plain values."""
    rows = model.leaderboard_
    search = model.search_
    best = search.results_[search.best_index_]
    row = next(row for row in rows if row["candidate"] == best.candidate)
    counts = Counter(NOT_BEGUN if _untouched(each) else each["status"] for each in rows)
    return {
        "best": str(best.candidate),
        "pipeline": repr(model.best_estimator_),
        "score": float(model.best_score_),
        "low": row["low"] if math.isfinite(row["low"]) else None,
        "high": min(best.scale.best, row["high"]) if math.isfinite(row["high"]) else None,
        "task": table.task,
        "target": table.target,
        "rows": len(table.X),
        "columns": len(table.X.columns),
        "counts": dict(counts),
        "seconds": sum(each["seconds"] for each in rows),
        "training_rows": sum(each["training_rows"] for each in rows),
        "leaderboard": [{key: _plain(value) for key, value in each.items()} for each in rows],
    }


def _untouched(row: dict[str, Any]) -> bool:
    """Whether the search ended before a candidate's turn came."""
    return row["status"] == Status.STOPPED.value and not row["seconds"] and not row["training_rows"]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int | None | str) else str(value)
