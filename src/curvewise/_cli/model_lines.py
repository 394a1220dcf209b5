"""What ``curvewise select`` tells of the model: columns that matter, and scores by level."""

from __future__ import annotations

import math
from typing import Any

from curvewise._text import cut, one_line
from curvewise.automl._curve_automl import CurveAutoML
from curvewise.automl._tables.table import Table

N_COLUMNS = 5
LONGEST = 40


def model_lines(model: CurveAutoML, table: Table) -> list[str]:
    """Give a line for what was measured: importances, then the levels of a column."""
    lines = []
    useful = [one for one in getattr(model, "importances_", ()) if one["importance"] > 0]
    if useful:
        shown = [f"{_name(one['column'])} {one['importance']:.4f}" for one in useful[:N_COLUMNS]]
        lines.append(
            f"Columns that matter, by what the score loses without them: {', '.join(shown)}"
        )
    levels = getattr(model, "scores_by_", None)
    if levels and table.by is not None:
        scores = "; ".join(_level(one) for one in levels)
        lines.append(f"Score by {_name(table.by.name)}: {scores}")
    return lines


def model_facts(model: CurveAutoML) -> dict[str, Any]:
    """Give the same for programs; None for what there is not."""
    return {
        "importances": getattr(model, "importances_", None),
        "scores_by": getattr(model, "scores_by_", None),
    }


def _level(one: dict[str, Any]) -> str:
    rows = f"{one['n_rows']:,} row" + ("" if one["n_rows"] == 1 else "s")
    score = f"{one['score']:.4f}" if math.isfinite(one["score"]) else "no score"
    return f"{_name(one['level'])} {score} ({rows})"


def _name(value: object) -> str:
    return cut(one_line(str(value)), LONGEST)
