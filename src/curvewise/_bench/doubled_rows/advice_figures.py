"""The figures of the paper's Sec. V-B, each for learners and for portfolios.

- ``improvement``: predicted against true improvement; of learners, the five that the paper colours,
  by its rule (dots) and by ours (crosses), and in the others by its rule (dotted lines);
- ``tolerance``: the share of predictions that are wrong by at most gamma;
- ``decisions``: the accuracy of the decision over the wished gain beta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.doubled_rows.forecasts import LEVELS, Forecast

COLOURS = {
    "last": "#9a9a9a",
    "ipl": "#d55e00",
    "curve": "#0072b2",
    "curve-unbounded": "#56b4e9",
    "measured": "#000000",
}
NAMES = {
    "last": "last value (always no)",
    "ipl": "the paper's rule (IPL)",
    "curve": "curvewise",
    "curve-unbounded": "curvewise, scale unknown",
    "measured": "really measuring it",
}
# Others would hide what is to be seen in a cloud of points.
IN_CLOUDS = ("ipl", "curve")
MARKS = {"ipl": "o", "curve": "x"}
# Mohr & van Rijn 2023, Sec. V-B: the learners that it shows, in its colours, as files name them.
FIVE = {
    "linear SVC": ("tab:blue", ("SVC(linear)", "SVC_linear", "SVM_Linear", "LinearSVC")),
    "gradient boosting": (
        "tab:orange", ("GradientBoosting", "GradientBoostingClassifier", "ens.GradientBoosting")
    ),
    "LDA": ("tab:green", ("LDA", "LinearDiscriminantAnalysis")),
    "QDA": ("tab:red", ("QDA", "QuadraticDiscriminantAnalysis")),
    "random forest": (
        "tab:purple", ("RandomForest", "RandomForestClassifier", "ens.RandomForest")
    ),
}  # fmt: skip
ASPIRED = 0.9


def draw_figures(forecasts: Sequence[Forecast], folder: Path) -> list[Path]:
    """Draw the figures into a folder, and name them."""
    folder.mkdir(exist_ok=True)
    drawn = []
    for name, draw in (
        ("improvement", _improvement),
        ("tolerance", _tolerance),
        ("decisions", _decisions),
    ):
        figure = new_figure(10, 4.4)
        panels = figure.subplots(1, len(LEVELS))
        for ax, level in zip(panels, reversed(LEVELS), strict=True):
            own = [each for each in forecasts if each.level == level]
            draw(ax, own)
            ax.set_title(f"per {level}", fontsize=10)
            ax.grid(alpha=0.25)
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=150)
        drawn.append(path)
    return drawn


def _of(forecasts: Sequence[Forecast], method: str) -> tuple[Any, Any]:
    own = [each for each in forecasts if each.method == method]
    return np.array([each.outlook.gain for each in own]), np.array([each.gain for each in own])


def _methods(forecasts: Sequence[Forecast]) -> list[str]:
    return list(dict.fromkeys(each.method for each in forecasts))


def _improvement(ax: Any, forecasts: Sequence[Forecast]) -> None:
    shown = [method for method in _methods(forecasts) if method in IN_CLOUDS]
    limit = max((float(np.quantile(np.abs(_of(forecasts, m)), 0.99)) for m in shown), default=0.1)
    for label, colour, method, own in _clouds(forecasts, shown):
        predicted, true = _of(own, method)
        line = 0.8 if MARKS[method] == "x" else 0
        ax.scatter(predicted, true, s=10, lw=line, alpha=0.45, color=colour, marker=MARKS[method],
                   label=label)  # fmt: skip
    ax.axline((0, 0), slope=1, color="0.4", ls="--", lw=1)
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit))
    ax.locator_params(nbins=6)
    ax.set_xlabel("predicted improvement")
    ax.set_ylabel("true improvement")
    ax.legend(fontsize=8, loc="upper left", title="dots: the paper's rule, x: curvewise",
              title_fontsize=8)  # fmt: skip


def _clouds(
    forecasts: Sequence[Forecast], methods: Sequence[str]
) -> Iterator[tuple[str, str, str, Sequence[Forecast]]]:
    """What is a cloud of its own: a method, or a method for one of the paper's five learners."""
    known = {each.learner for each in forecasts}
    five = {name: own for name, own in FIVE.items() if known.intersection(own[1])}
    for method in methods:
        if not five:
            yield NAMES[method], COLOURS[method], method, forecasts
        for name, (colour, names) in five.items():
            own = [each for each in forecasts if each.learner in names]
            yield name if method == methods[0] else "", colour, method, own


def _tolerance(ax: Any, forecasts: Sequence[Forecast]) -> None:
    gammas = np.linspace(0, 0.1, 201)
    # Deviates: 14. The printed formula compares with the score on half of the data.
    _shares(ax, forecasts, gammas, lambda predicted, true, gamma: abs(predicted - true) <= gamma)
    ax.axhline(ASPIRED, color="0.6", ls="--", lw=1)
    ax.set(ylim=(0, 1.02), xlabel=r"tolerance $\gamma$", ylabel="share of predictions within it")


def _decisions(ax: Any, forecasts: Sequence[Forecast]) -> None:
    betas = np.linspace(0, 0.2, 101)[1:]
    _shares(ax, forecasts, betas, lambda said, true, beta: (said >= beta) == (true >= beta))
    ax.axhline(0.95, color="0.6", ls="--", lw=1)
    ax.set(ylim=(0.4, 1.01), xlabel=r"wished gain $\beta$", ylabel="accuracy of the decision")


def _shares(ax: Any, forecasts: Sequence[Forecast], values: Any, right: Callable[..., Any]) -> None:
    """Draw the share of right predictions by a value: of methods, and of the paper's learners."""
    methods = _methods(forecasts)
    lines = [(NAMES[one], COLOURS[one], one, forecasts) for one in methods]
    learners = _clouds(forecasts, [one for one in methods if one == "ipl"])
    lines += [line for line in learners if line[3] is not forecasts]
    for i, (label, colour, method, own) in enumerate(lines):
        predicted, true = _of(own, method)
        shares = [np.mean(right(predicted, true, value)) for value in values]
        thin = i >= len(methods)
        ax.plot(values, shares, ":" if thin else "-", color=colour, lw=1 if thin else 1.5,
                label=label)  # fmt: skip
    ax.legend(fontsize=7, loc="lower right")
