"""What a page says of an experiment before its tables and charts: terms and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from curvewise._bench.experiments.figures.figure_words import short_names
from curvewise._bench.experiments.method_comparison import comparisons, slow_datasets
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.results_page import COST, reductions, verdicts


def glance(results: Results) -> list[tuple[str, str]]:
    """Say what was run on what, what is missing and what was reduced."""
    return [(term, text) for term, text in _all(results) if text]


def _all(results: Results) -> Iterator[tuple[str, str]]:
    plan, at = results.plan, results.background
    yield "Cells", _cells(results)
    yield "Scale", f"{plan.scale}; {len(plan.datasets)} data sets, {plan.settings.seeds} seeds"
    yield "Not as in the whole suite", "; ".join(reductions(results))
    yield "Run time", COST.get(plan.kind, "")
    if plan.kind == "peers":
        yield "Verdict", " ".join(filter(None, verdicts(comparisons(results))))
    slow = short_names(slow_datasets(results))
    if slow:
        limit = f"at least {plan.settings.slow_seconds:,.0f} s with the reference"
        yield "Slow data sets", f"{', '.join(slow.values())} ({limit}, else the slowest)"
    yield "Begun", str(at.get("begun", ""))[:10]
    yield "Machine", "; then ".join(map(_machine, (at, *at.get("later", ()))))
    yield "Versions", ", ".join(f"{name} {said}" for name, said in at.get("versions", {}).items())


def _cells(results: Results) -> str:
    counts = Counter(cell.state.value for cell in results.cells)
    others = ", ".join(f"{n:,} {state}" for state, n in counts.items() if state != "done")
    said = f"{counts['done']:,} of {len(results.cells):,} done"
    return f"{said}; {others}: they are in no mean and no chart" if others else said


def _machine(at: Mapping[str, Any]) -> str:
    cores, memory = at.get("cores", "?"), at.get("memory_gb", "?")
    return f"{at.get('processor') or 'unknown processor'}, {cores} cores, {memory} GB"
