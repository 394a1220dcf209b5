"""A small picture of a learning curve as an SVG element, from plain values; for notebooks.

1. Nothing but the standard library is needed.
2. Where a score has no lower end, a few that are far below the others are left outside: they would
   flatten the rest to a line.
3. Text and axes have the colour of the text around the picture, so that it can be read on light and
   dark pages.
4. Names and messages come from users and learners: they are escaped, and characters that no
   document may have are replaced.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 52, 326, 12, 128
# Both are told apart by everybody, on white as well as on black.
CURVE, THRESHOLD = "#2b8cc4", "#d55e00"
# A score is far below if it is so many times as far from the best as three of four are.
FAR_BELOW = 4.0
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class CurvePoint(NamedTuple):
    """The mean score at an anchor and its interval, from minus to plus infinity if unknown."""

    anchor: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Picture:
    """What there is to see of a curve, in scores.

    ``threshold`` had to be beaten, at ``threshold_anchor`` if it belongs to one. ``failures`` are
    the anchors at which something failed, ``ending`` says in a few words how it ended. Scores that
    are not ``bounded`` have no lower end.
    """

    points: tuple[CurvePoint, ...]
    folds: tuple[tuple[int, float], ...]
    threshold: float | None
    threshold_anchor: int | None
    optimistic: tuple[tuple[float, float], ...]
    failures: tuple[int, ...]
    target: int | None
    ending: str
    bounded: bool


def draw_svg(picture: Picture, *, title: str) -> str:
    """Draw a picture as a small, self-contained SVG element."""
    parts = [f"<title>{escape(title)}</title>"]
    if picture.target is None:
        parts.append(_text(WIDTH / 2, HEIGHT / 2, "no observations", anchor="middle"))
    else:
        parts += _draw(picture, _Frame(picture))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" '
        f'fill="currentColor" stroke="none">{"".join(parts)}</svg>'
    )


def escape(text: object) -> str:
    r"""Make text from outside fit for HTML and XML."""
    return html.escape(NOT_IN_XML.sub("\ufffd", str(text)))


def html_table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Make a table of texts from outside."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    cells = ("".join(f"<td>{escape(text)}</td>" for text in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def lowest_shown(scores: Sequence[float], *, bounded: bool) -> float:
    """The score at which a picture ends below (rule 2)."""
    ordered = sorted(scores)
    best, low = ordered[-1], ordered[0]
    reach = FAR_BELOW * (best - ordered[len(ordered) // 4])
    return best - reach if not bounded and 0 < reach < best - low else low


class _Frame:
    """Where rows and scores are in the picture."""

    def __init__(self, picture: Picture) -> None:
        anchors = [anchor for anchor, _ in picture.folds]
        anchors += [*picture.failures, picture.target or 1]
        self.rows = _range([math.log2(max(1, row)) for row in anchors])
        folds = [score for _, score in picture.folds]
        scores = [score for _, score in picture.optimistic]
        scores += [lowest_shown(folds, bounded=picture.bounded), max(folds)] if folds else []
        scores += [picture.threshold] if picture.threshold is not None else []
        self.scores = _range([_within(score) for score in scores])

    def x(self, row: float) -> float:
        low, high = self.rows
        return LEFT + 8 + (RIGHT - LEFT - 16) * (math.log2(max(1, row)) - low) / (high - low)

    def y(self, score: float) -> float:
        # An interval that is wider than the picture ends at its edge, and so do scores far below.
        low, high = self.scores
        place = BOTTOM - 8 - (BOTTOM - TOP - 16) * (_within(score) - low) / (high - low)
        return min(max(place, TOP), BOTTOM)


def _within(score: float) -> float:
    """Give what a difference can be computed with: twice the largest float is infinite."""
    return min(max(score, -1e300), 1e300)


def _range(values: list[float]) -> tuple[float, float]:
    """The least and the greatest value; where they are the same, some space around it."""
    low, high = min(values, default=0.5), max(values, default=0.5)
    if high - low > 1e-12 * max(abs(low), abs(high)):
        return low, high
    space = 0.1 * abs(low) or 0.5
    return low - space, high + space


def _draw(picture: Picture, frame: _Frame) -> list[str]:
    """The elements of a picture, those in front last."""
    parts = _axes(picture, frame)
    if picture.threshold is not None:
        y = frame.y(picture.threshold)
        parts.append(_line([(LEFT, y), (RIGHT, y)], THRESHOLD, extra='stroke-dasharray="5 3"'))
    for anchor, score in picture.folds:
        parts.append(_circle(frame.x(anchor), frame.y(score), 1.8, extra='fill-opacity="0.35"'))
    for point in picture.points:
        if math.isfinite(point.low) and math.isfinite(point.high):
            x = frame.x(point.anchor)
            ends = [(x, frame.y(point.low)), (x, frame.y(point.high))]
            parts.append(_line(ends, CURVE, extra='stroke-opacity="0.6"'))
    if picture.optimistic:
        way = [(frame.x(row), frame.y(score)) for row, score in picture.optimistic]
        parts.append(_line(way, CURVE, extra='stroke-dasharray="2 3"'))
    means = [(frame.x(point.anchor), frame.y(point.score)) for point in picture.points]
    parts.append(_line(means, CURVE, extra='stroke-width="2"'))
    parts += [_circle(x, y, 3) for x, y in means]
    parts += [_cross(frame.x(anchor), BOTTOM) for anchor in sorted(set(picture.failures))]
    return parts


def _axes(picture: Picture, frame: _Frame) -> list[str]:
    """The lines at the left and below, and a few words along them."""
    corner = [(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)]
    parts = [_line(corner, "currentColor", extra='stroke-opacity="0.4"')]
    scores = [score for _, score in picture.folds]
    parts += [
        _text(LEFT - 5, frame.y(score) + 4, f"{score:.4g}", anchor="end")
        for score in (sorted({min(scores), max(scores)}) if scores else ())
    ]
    if picture.threshold is not None:
        y = frame.y(picture.threshold)
        where = f" at {picture.threshold_anchor:,}" if picture.threshold_anchor else ""
        text = f"to beat{where}: {picture.threshold:.4g}"
        # Below the line where there is no space above it.
        y = y - 4 if y > TOP + 14 else y + 12
        parts.append(_text(LEFT + 6, y, text, anchor="start", colour=THRESHOLD))
    rows = sorted({*(point.anchor for point in picture.points), *picture.failures})
    rows = [row for row in rows if row != picture.target]
    if rows:
        parts.append(_text(frame.x(rows[0]), HEIGHT - 6, f"{rows[0]:,}", anchor="middle"))
    parts.append(_text(LEFT + (RIGHT - LEFT) / 2, HEIGHT - 6, picture.ending, anchor="middle"))
    parts.append(_text(RIGHT, HEIGHT - 6, f"{picture.target:,} rows", anchor="end"))
    return parts


def _line(points: Sequence[tuple[float, float]], colour: str, *, extra: str = "") -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" {extra}/>'


def _circle(x: float, y: float, radius: float, *, extra: str = "") -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{CURVE}" {extra}/>'


def _cross(x: float, y: float) -> str:
    path = f"M{x - 4:.1f},{y - 4:.1f}l8,8m0,-8l-8,8"
    return f'<path d="{path}" fill="none" stroke="{THRESHOLD}" stroke-width="2"/>'


def _text(x: float, y: float, text: str, *, anchor: str, colour: str = "currentColor") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def describe_html(
    picture: Picture, *, headline: str, facts: Mapping[str, str], steps: Sequence[str]
) -> str:
    """Describe a curve for a notebook: the picture, the facts, and each decision folded away."""
    cells = " &#183; ".join(f"{name} <b>{escape(value)}</b>" for name, value in facts.items())
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in steps)
    summary = "1 decision" if len(steps) == 1 else f"{len(steps)} decisions"
    trace = f"<details><summary>{summary}</summary><ol>{items}</ol></details>" if steps else ""
    return (
        f"<div><p><strong>{escape(headline)}</strong></p>{draw_svg(picture, title=headline)}"
        f"<p>{cells}</p>{trace}</div>"
    )
