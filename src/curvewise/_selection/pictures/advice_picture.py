"""How an advice is drawn: the best curves, and where the best score is expected to go.

The band is that of the best score, whoever has it; single candidates go on less steadily, and only
their observed curves are drawn. The shaded line marks the score from which more rows are worth it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise._selection.pictures.axes import (
    BLACK,
    COLOURS,
    GREY,
    RED,
    name_of,
    rows_axis,
    scores_axis,
    show_legend,
    show_title,
)
from curvewise._sketch import lowest_shown
from curvewise.advice._answer import Advice, Place, headline

if TYPE_CHECKING:
    from curvewise._selection.pictures.curve_display import CurveDisplay

N_CURVES = 5


def draw_advice(display: CurveDisplay, advice: Advice) -> None:
    """Draw an advice into a display that has its axes."""
    ax = display.ax_
    shown = [each.candidate for each in advice.predictions[:N_CURVES]]
    if advice.leader_now not in shown:
        shown[-1] = advice.leader_now
    scores = []
    for candidate, colour in zip(shown, COLOURS, strict=False):
        scores += _draw_curve(display, advice, candidate, colour)
    _draw_path(display, advice)
    _show_axes(ax, advice, scores)
    show_title(ax, headline(advice))
    # The legend's patch is as faint as the band itself.
    show_legend(ax, opaque=False)


def _draw_curve(display: CurveDisplay, advice: Advice, candidate: Any, colour: str) -> list[float]:
    """The mean scores of one candidate; give them back."""
    curve = advice.curves[candidate]
    scores = [advice.scale.score(curve.mean(anchor)) for anchor in curve.anchors]
    leads = candidate == advice.leader_now
    label = f"{'leads now: ' if leads else ''}{name_of(candidate)}"
    display.lines_ += display.ax_.plot(
        curve.anchors, scores, marker="o", ms=4, color=colour, lw=2.4 if leads else 1.2,
        zorder=4 if leads else 3, label=label,
    )  # fmt: skip
    return scores


def _draw_path(display: CurveDisplay, advice: Advice) -> None:
    """The expected best score out to the asked size, its band, and what would be worth it."""
    ax = display.ax_
    known = [place for place in advice.path() if math.isfinite(place.score)]
    rows = [place.rows for place in known]
    text = f"expected best: {advice.score_then:.4g}" if len(known) > 1 else "best now"
    display.bands_ += ax.plot(
        rows, [place.score for place in known], color=BLACK, ls=(0, (6, 2)), lw=1.4, label=text
    )
    sure = [place for place in known if math.isfinite(place.low) and math.isfinite(place.high)]
    if len(sure) > 1:
        _draw_band(display, advice, sure)
    wish = advice.score_now + advice.min_gain
    ends = (advice.training_rows_now, advice.training_rows_then)
    (display.threshold_,) = ax.plot(
        ends, (wish, wish), color=RED, ls="--", lw=1.2, label=f"worth it from {wish:.4g}"
    )
    ax.axvline(advice.training_rows_now, color=GREY, ls=":", lw=1)


def _draw_band(display: CurveDisplay, advice: Advice, places: list[Place]) -> None:
    band = display.ax_.fill_between(
        [place.rows for place in places],
        [place.low for place in places],
        [place.high for place in places],
        color=BLACK, alpha=0.12, lw=0, label=f"{advice.level:.0%} interval",
    )  # fmt: skip
    display.bands_.append(band)


def _show_axes(ax: Any, advice: Advice, scores: list[float]) -> None:
    """Rows out to the asked size; the scores where curves and band are."""
    anchors = {anchor for curve in advice.curves.values() for anchor in curve.anchors}
    rows_axis(ax, anchors | {advice.training_rows_then})
    ends = [end for end in advice.score_interval if math.isfinite(end)]
    low = min([lowest_shown(scores, bounded=advice.scale.unit is not None), *ends])
    scores_axis(ax, low, max([*scores, *ends, advice.score_now + advice.min_gain]))
