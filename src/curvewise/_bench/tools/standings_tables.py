"""The tables of a comparison of tools, as Markdown, LaTeX and CSV."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.experiments.grid import (
    MARK,
    Columns,
    Grid,
    figure,
    figure_in,
    percent_in,
)
from curvewise._bench.tools.result_file import reason_of
from curvewise._bench.tools.standings import (
    duels,
    kept_budgets,
    measure_means,
    score_means,
    standings,
)

if TYPE_CHECKING:
    import pandas as pd


def tables_of(frame: pd.DataFrame, *, reference: str) -> list[Grid]:
    """Make all tables of a comparison."""
    grids = [rank_grid(frame), duel_grid(frame, reference), budget_grid(frame)]
    return [*grids, measure_grid(frame), score_grid(frame), failure_grid(frame)]


def write_tables(grids: Sequence[Grid], folder: Path) -> list[Path]:
    """Write tables into a folder, each in three formats, and all of them as one page."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [file for grid in grids for file in grid.write(folder)]
    page = folder / "automl.md"
    page.write_text("\n".join(grid.markdown() for grid in grids), encoding="utf-8")
    return [*files, page]


def rank_grid(frame: pd.DataFrame) -> Grid:
    """Mean ranks and normalised scores with their intervals."""
    columns: Columns = {
        "budget, s": figure_in("budget", 0),
        "tool": itemgetter("tool"),
        "mean rank": lambda record: _with_interval(record, "rank", 2),
        "normalised score": lambda record: _with_interval(record, "normalised", 3),
        "tables": lambda record: str(record["n_tables"]),
    }
    notes = [
        "Over the tables and splits that every tool has run; who failed has the worst rank. "
        "Normalised: 0 is the constant prediction, 1 the best tool on that split. Intervals: 95%, "
        "bootstrapped over tables."
    ]
    records = sorted(standings(frame), key=lambda each: (each["budget"], each["rank_mean"]))
    return Grid.of("automl-ranks", "Mean ranks and normalised scores", columns, records, notes)


def _with_interval(record: Mapping[str, Any], what: str, digits: int) -> str:
    mean, low, high = (figure(record[f"{what}_{end}"], digits) for end in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"


def duel_grid(frame: pd.DataFrame, reference: str) -> Grid:
    """The reference against each of the others."""
    columns: Columns = {
        "budget, s": figure_in("budget", 0),
        "against": itemgetter("tool"),
        "wins": lambda record: str(record["wins"]),
        "ties": lambda record: str(record["ties"]),
        "losses": lambda record: str(record["losses"]),
        "not worse, %": percent_in("not_worse_share"),
        "mean difference": figure_in("difference_mean", 4, sign=True),
        "worst": figure_in("difference_worst", 4, sign=True),
        "worst on": itemgetter("worst_table"),
    }
    notes = [
        "By table, on the splits that both have run. A tie: mean scores (accuracy, R²) within .002 "
        "or one standard error of the test score. A difference above 0 is in favour of "
        f"{reference}. Who failed has the score of the constant prediction."
    ]
    title = f"{reference} against each of the others"
    return Grid.of("automl-duels", title, columns, duels(frame, reference), notes)


def budget_grid(frame: pd.DataFrame) -> Grid:
    """How budgets were kept, and what memory was taken."""
    columns: Columns = {
        "budget, s": figure_in("budget", 0),
        "tool": itemgetter("tool"),
        "model, s": figure_in("model_seconds_mean", 1),
        "process, s": figure_in("seconds_mean", 1),
        "kept, %": percent_in("kept_share"),
        "latest, s": figure_in("late_worst", 1, sign=True),
        "first, s": figure_in("first_worst", 1),
        "busy, %": percent_in("busy_share"),
        "memory, MB": figure_in("peak_mb_mean", 0),
        "most, MB": figure_in("peak_mb_worst", 0),
        "others, %": percent_in("other_cpu_share"),
        "failed": lambda record: str(record["n_failed"]),
        "cells": lambda record: str(record["n_cells"]),
    }
    notes = [
        "Model: seconds from the start of the process until the model stood; process: until its "
        "end, predictions included; means. Kept: models that stood at most 5 s or 5% after the "
        "budget; who failed has not. Latest: the worst, against the budget. First: when a first "
        "candidate was known, at the latest, and busy: the share of the cores' time that was fits, "
        "for tools that tell. Memory: peak of the whole process tree. Others: what everything else "
        "on the machine took of the cores meanwhile."
    ]
    title = "Budgets and memory"
    return Grid.of("automl-budgets", title, columns, kept_budgets(frame), notes)


def measure_grid(frame: pd.DataFrame) -> Grid:
    """All measures, as means."""
    columns: Columns = {
        "budget, s": figure_in("budget", 0),
        "task": itemgetter("task"),
        "tool": itemgetter("tool"),
        "accuracy": figure_in("accuracy", 4),
        "log loss": figure_in("log_loss", 4),
        "AUC": figure_in("auc", 4),
        "R²": figure_in("r2", 4),
        "RMSE": figure_in("rmse", 4),
        "cells": lambda record: str(record["n_cells"]),
    }
    notes = [
        "Means over the tables and splits that every tool has run. AUC of more than two classes: "
        "the mean of each against the rest. Log loss and AUC only where a tool gives probabilities."
    ]
    return Grid.of("automl-measures", "All measures", columns, measure_means(frame), notes)


def score_grid(frame: pd.DataFrame) -> Grid:
    """Scores by table."""
    records = score_means(frame)
    tools = [str(tool) for tool in frame["tool"].cat.categories]
    columns: dict[str, Any] = {
        "budget, s": figure_in("budget", 0),
        "table": itemgetter("table"),
        "rows": figure_in("n_rows", 0),
        "metric": lambda record: "R²" if record["task"] == "regression" else "accuracy",
        "constant": figure_in("constant", 4),
    }
    columns |= {tool: partial(_score, tool=tool) for tool in tools}
    columns["best"] = partial(_best, tools=tools)
    notes = ["Means over splits, and the tool with the best of them."]
    if any(n for record in records for n in record["n_failed"].values()):
        notes.append(f"{MARK} a split or more failed and is not in this mean.")
    flat = [{k: v for k, v in record.items() if k != "n_failed"} for record in records]
    grid = Grid.of("automl-scores", "Scores by table", columns, records, notes)
    return replace(grid, records=flat)


def _score(record: Mapping[str, Any], *, tool: str) -> str:
    if tool not in record:
        return ""
    text = figure(record[tool], 4) or "none"
    return text + (MARK if record["n_failed"][tool] else "")


def _best(record: Mapping[str, Any], *, tools: Sequence[str]) -> str:
    """Name the tools that are the best as far as the digits say."""
    shown = {tool: round(record[tool], 4) for tool in tools if tool in record}
    shown = {tool: score for tool, score in shown.items() if not math.isnan(score)}
    return ", ".join(tool for tool in shown if shown[tool] == max(shown.values()))


def failure_grid(frame: pd.DataFrame) -> Grid:
    """Which cells failed, and why."""
    failed = frame[frame["error"].notna()]
    records = [
        {
            **{key: row[key] for key in ("tool", "table", "split", "budget", "error")},
            "reason": reason_of(row["error"]),
        }
        for row in failed.to_dict("records")
    ]
    columns: Columns = {
        "tool": itemgetter("tool"),
        "table": itemgetter("table"),
        "split": lambda record: str(record["split"]),
        "budget, s": figure_in("budget", 0),
        "reason": itemgetter("reason"),
    }
    notes = [] if records else ["Every cell has a result."]
    return Grid.of("automl-failures", "What failed", columns, records, notes)
