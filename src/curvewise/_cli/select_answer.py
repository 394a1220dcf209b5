"""What ``curvewise select`` answers: the facts of a search, as JSON or in lines."""

from __future__ import annotations

from collections import Counter
from typing import Any

from curvewise._cli.answer_lines import NOT_BEGUN, answer_lines, certainty_facts, default_facts
from curvewise._cli.curve_line import curve_facts, curve_line
from curvewise._cli.model_lines import model_facts, model_lines
from curvewise._cli.prediction_lines import honest_lines, prediction_facts, prediction_lines
from curvewise._cli.table_search import Stopwatch
from curvewise._cli.terminal import print_json, say
from curvewise._selection.estimator_code import code_of
from curvewise.automl import Table
from curvewise.automl._curve_automl import CurveAutoML
from curvewise.core import Status

# What a search without --scoring goes by.
OWN_METRICS = {"classification": "accuracy", "regression": "r2"}


def show_answer(model: CurveAutoML, table: Table, stopwatch: Stopwatch, *, as_json: bool) -> None:
    """Print the winner, its score, and what became of the others."""
    facts = _facts(model, table, stopwatch)
    if as_json:
        print_json(facts)
        return
    for line in (*answer_lines(facts), *honest_lines(model)):
        say(line)
    if facts["refit_reason"] is not None:
        say(f"The simplest choice: {facts['refit_reason']}")
    if facts["learning_curve"] is not None:
        say(curve_line(facts["learning_curve"]))
    if facts["ensemble"] is not None:
        say(ensemble_line(facts["ensemble"]))
    for line in (*prediction_lines(model), *model_lines(model, table)):
        say(line)


def ensemble_line(ensemble: dict[str, Any]) -> str:
    """Say who predicts together, what that brings, and what it costs."""
    members = ", ".join(f"{weight:.0%} {name}" for name, weight in ensemble["weights"].items())
    gain = ensemble["score"] - ensemble["single_score"]
    return (
        f"Ensemble: {members}. Score {ensemble['score']:.4f} on rows that its weights were not "
        f"chosen on, {gain:+.4f} against the best alone; predictions take "
        f"{ensemble['prediction_cost']:.1f} times as long"
    )


def _facts(model: CurveAutoML, table: Table, stopwatch: Stopwatch) -> dict[str, Any]:
    rows = model.leaderboard_
    search = model.search_
    best = search.results_[search.best_index_]
    row = next(row for row in rows if row["candidate"] == best.candidate)
    counts = Counter(NOT_BEGUN if _untouched(each) else each["status"] for each in rows)
    return {
        "best": str(best.candidate),
        "pipeline": repr(getattr(model, "best_estimator_", search.candidates_[best.candidate])),
        "fitted": hasattr(model, "best_estimator_"),
        "code": code_of(getattr(model, "best_estimator_", search.candidates_[best.candidate])),
        "score": float(search.best_score_),
        "baseline": stopwatch.baseline,
        "default_model": default_facts(model),
        **prediction_facts(model),
        **model_facts(model),
        "refit_reason": getattr(search, "refit_reason_", None),
        "ensemble": model.ensemble_.facts() if hasattr(model, "ensemble_") else None,
        "learning_curve": curve_facts(search),
        "metric": model.scoring or OWN_METRICS[table.task],
        "low": row["low"],
        "high": row["high"],
        "n_folds": row["n_folds"],
        "certainty": certainty_facts(search, best),
        "ending": search.ending_.value,
        "left_out": dict(table.left_out),
        "task": table.task,
        "target": table.target,
        "rows": len(table.X),
        "columns": len(table.X.columns),
        "counts": dict(counts),
        "seconds": sum(each["seconds"] for each in rows),
        "first_seconds": stopwatch.first,
        "elapsed_seconds": stopwatch.last,
        "training_rows": sum(each["training_rows"] for each in rows),
        "leaderboard": rows,
    }


def _untouched(row: dict[str, Any]) -> bool:
    """Whether the search ended before a candidate's turn came."""
    return row["status"] == Status.STOPPED.value and not row["seconds"] and not row["training_rows"]
