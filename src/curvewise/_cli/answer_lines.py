"""The answer of ``curvewise select`` in lines: who won, how sure that is, and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from curvewise._cli.terminal import span
from curvewise.automl._curve_automl import CurveAutoML
from curvewise.automl._default_model import sentence
from curvewise.core._certainty import certainty_of
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult

NOT_BEGUN = "not begun"
# How a search ended that did not come to its end by itself.
ENDINGS = {
    "out of time": "; the budget ended the search",
    "interrupted": "; the search was interrupted",
}
METRICS = {"r2": "R²"}


def answer_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Say who won with which score, how sure that is, what it took, and what simpler models do."""
    n_begun = sum(facts["counts"].values()) - facts["counts"].get(NOT_BEGUN, 0)
    yield f"Best of {n_begun}: {facts['best']}"
    folds = "1 fold" if facts["n_folds"] == 1 else f"{facts['n_folds']} folds"
    interval = f" on {folds}"
    if math.isfinite(facts["low"]):
        low, high = facts["low"], facts["high"]
        interval = f" (95% interval {low:.4f} to {high:.4f}, on {folds})"
    metric = METRICS.get(facts["metric"], facts["metric"].replace("_", " "))
    yield f"Score ({metric}) {facts['score']:.4f}{interval}"
    yield facts["certainty"]["sentence"]
    counts = ", ".join(f"{n} {status}" for status, n in facts["counts"].items())
    took = (
        ""
        if facts["elapsed_seconds"] is None
        else f"{span(facts['elapsed_seconds'])} with its start-up, "
    )
    ending = ENDINGS.get(facts["ending"], "")
    yield f"Candidates: {counts}; took {took}{facts['seconds']:.1f} s of core time{ending}"
    if facts["baseline"] is not None:
        constant = "the commonest class" if facts["task"] == "classification" else "the mean"
        yield f"Always predicting {constant} scores {facts['baseline']:.4f}"
    if facts["default_model"] is not None:
        yield sentence(facts["default_model"])


def certainty_facts(search: Any, best: ValidationResult) -> dict[str, Any]:
    """Say how sure the choice is, as plain values."""
    others = [
        result.curve
        for result in search.results_
        if result is not best and result.status is not Status.FAILED
    ]
    target = max(best.curve.anchors, default=0)
    certainty = certainty_of(best.curve, others, target=target, scale=best.scale)
    return {**asdict(certainty), "sentence": certainty.sentence}


def default_facts(model: CurveAutoML) -> dict[str, Any] | None:
    """Say what a default model came to; None if it was not looked at."""
    found = getattr(model, "default_model_", None)
    return None if found is None else found.facts()
