"""Which figures an experiment has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from curvewise._bench.experiments.convexity_study import Shape, measured_curves, shapes_of
from curvewise._bench.experiments.figures.boxes import draw_boxes
from curvewise._bench.experiments.figures.canvas import SUFFIXES, n_of, save
from curvewise._bench.experiments.figures.curve_shapes import draw_shapes, draw_shares
from curvewise._bench.experiments.figures.knobs import draw_knobs, knobs_of
from curvewise._bench.experiments.figures.scatter import draw_scatter
from curvewise._bench.experiments.figures.trade_off import draw_trade_off
from curvewise._bench.experiments.grid import file_name
from curvewise._bench.experiments.method_comparison import comparisons, slow_datasets
from curvewise._bench.experiments.results import Results

# With more methods than this, a picture for each says less than one of all.
MOST_SCATTERS = 12
# The worst curves say enough: a figure of them.
MOST_BENT = 24


def write_figures(results: Results, folder: Path, suffixes: Sequence[str] = SUFFIXES) -> list[Path]:
    """Draw all figures of an experiment into a folder, as PNG and SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = results.plan
    if plan.kind == "curves":
        curves = measured_curves(results)
        note = n_of(len(curves), len(results.cells), "cells")
        return write_shapes(shapes_of(curves), folder, plan.name, suffixes, note=note)
    return [
        file
        for name, figure in _figures(results)
        for file in save(figure, folder, f"{plan.name}-{name}", suffixes)
    ]


def _figures(results: Results) -> Iterator[tuple[str, Any]]:
    """The figures of a comparison, by name; none if there is nothing to compare yet."""
    title = results.plan.title
    found = comparisons(results)
    if not any(len(each.pairs) for each in found):
        return
    yield "boxes", draw_boxes(found, title)
    slow = [each.on(slow_datasets(results)) for each in found]
    if any(len(each.pairs) for each in slow):
        yield "boxes-slow", draw_boxes(slow, f"{title}: the slow ones")
    if len(found) <= MOST_SCATTERS:
        for each in found:
            if len(each.pairs):
                yield f"scatter-{file_name(each.method)}", draw_scatter(each, title)
    if knobs_of(found):
        yield "knobs", draw_knobs(found, title)
    yield "trade-off", draw_trade_off(found, title)


def write_study(
    study: Mapping[str, Any], folder: Path, suffixes: Sequence[str] = SUFFIXES
) -> list[Path]:
    """Draw how many curves are convex, and those that are not and end near the best."""
    folder.mkdir(parents=True, exist_ok=True)
    title = f"Convexity of learning curves: {study['name'].removeprefix('convexity-')}"
    shares = draw_shares(study["by_learner"], title)
    files = save(shares, folder, f"{study['name']}-shares", suffixes)
    bent = [Shape(**one) for one in study["bent"]]
    return files + write_shapes(bent[:MOST_BENT], folder, f"{study['name']}-competitive", suffixes)


def write_shapes(
    shapes: Sequence[Shape],
    folder: Path,
    name: str,
    suffixes: Sequence[str] = SUFFIXES,
    *,
    note: str = "",
) -> list[Path]:
    """Draw all learning curves into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, figure in enumerate(draw_shapes(shapes, note=note), start=1):
        files += save(figure, folder, f"{name}-curves-{number}", suffixes)
    return files
