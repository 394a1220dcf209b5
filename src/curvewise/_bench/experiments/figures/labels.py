"""Texts beside points that cover neither each other, nor points, nor lines.

One after the other takes the place around its point that covers least, the nearest of those; a thin
line leads to those farther away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise._bench.experiments.figures.canvas import plain

# Of a letter, in sizes of the font.
WIDTH, HEIGHT = 0.62, 1.2
# All others in printer's points.
DISTANCES = (5, 9, 15, 22, 30, 40, 55, 70)
N_DIRECTIONS = 16
FARTHEST_WITHOUT_LINE = 9
DOT, LINE, STEP = 4.0, 1.0, 3.0
OUTSIDE, PER_POINT = 1000.0, 0.3


def place_labels(
    axes: Any,
    texts: Sequence[str],
    points: Any,
    *,
    colors: Sequence[str],
    lines: Sequence[Any] = (),
    size: float = 7,
) -> None:
    """Write a text beside each point; everything else must have been drawn before."""
    axes.figure.draw_without_rendering()
    scale = 72 / axes.figure.dpi
    spots = axes.transData.transform(np.asarray(points, dtype=float)) * scale
    frame = axes.get_window_extent().get_points() * scale
    ends = [axes.transData.transform(np.asarray(line, dtype=float)) * scale for line in lines]
    taken = np.vstack([_boxes(spots, DOT, DOT), *(_along(*line) for line in ends)])
    for text, point, spot, color in zip(texts, points, spots, colors, strict=True):
        width, height = WIDTH * size * len(text), HEIGHT * size
        offsets = _offsets(width, height)
        boxes = _boxes(spot + offsets[:, :2], width, height)
        beyond = np.clip(frame[0] - boxes[:, :2], 0, None) + np.clip(
            boxes[:, 2:] - frame[1], 0, None
        )
        cost = _covered(boxes, taken) + OUTSIDE * beyond.sum(1) + PER_POINT * offsets[:, 2]
        best = int(np.argmin(cost))
        taken = np.vstack([taken, boxes[best]])
        far = offsets[best, 2] > FARTHEST_WITHOUT_LINE
        note = axes.annotate(
            plain(text),
            point,
            xytext=tuple(offsets[best, :2]),
            textcoords="offset points",
            fontsize=size,
            color=color,
            ha="center",
            va="center_baseline",
            zorder=5,
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "0.5"} if far else None,
        )
        note.set_in_layout(False)


def _offsets(width: float, height: float) -> Any:
    """Where the middle of a text may be, seen from its point, and how far it is off."""
    angles = math.pi + 2 * math.pi * np.arange(N_DIRECTIONS) / N_DIRECTIONS
    return np.array(
        [
            (math.cos(a) * (width / 2 + d), math.sin(a) * (height / 2 + d), d)
            for d in DISTANCES
            for a in angles
        ]
    )


def _boxes(middles: Any, width: float, height: float) -> Any:
    half = np.array([width, height]) / 2
    return np.hstack([middles - half, middles + half])


def _along(start: Any, end: Any) -> Any:
    n = max(2, math.ceil(float(np.hypot(*(end - start))) / STEP))
    return _boxes(np.linspace(start, end, n), LINE, LINE)


def _covered(boxes: Any, taken: Any) -> Any:
    """How much each box covers of what is taken."""
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
    return np.clip(high - low, 0, None).prod(2).sum(1)
