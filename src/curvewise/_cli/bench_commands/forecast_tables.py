"""The tables of ``curvewise bench advice``."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from curvewise._bench.doubled_rows.forecast_summary import MIN_GAINS, TOLERANCES
from curvewise._bench.doubled_rows.forecasts import LEVELS
from curvewise._cli.terminal import percent, table_of

FIGURES = (
    "MAE: mean error of the predicted gain. .01, .025, .07: % of predictions within it. right: % "
    "of right decisions by wished gain."
)
CERTAINTY = (
    "cover: % of true gains within the 90% interval, and by third of the rows and of the data "
    "sets' sizes. sure: % of probabilities above .9 or below .1, and % of these that are right. "
    "open: % of cases without yes or no, by wished gain."
)
STYLE: dict[str, Any] = {"padding": 0, "show_edge": False}


def print_forecasts(summaries: list[dict[str, Any]], *, folds: int | None = None) -> None:
    """Print the figures of each level as a table, and then how far certainty can be trusted."""
    console = Console()
    for level in LEVELS:
        own = [summary for summary in summaries if summary["level"] == level]
        if own:
            _print_figures(console, own, folds)
    certain = [summary for summary in summaries if summary["coverage_90"] is not None]
    if certain:
        _print_certainty(console, certain)


def _print_figures(console: Console, summaries: list[dict[str, Any]], folds: int | None) -> None:
    first = summaries[0]
    n_predictions, n_datasets = (
        _count(first["n"], "prediction"),
        _count(first["n_datasets"], "data set"),
    )
    seen = "" if folds is None else f", {folds} folds"
    at = first.get("at", "all")
    some = "" if at == "all" else f", at {at} only"
    title = f"per {first['level']}: {n_predictions}, {n_datasets}{seen}{some}"
    decisions = f"right at {'/'.join(f'{gain:g}'[1:] for gain in MIN_GAINS)}"
    within = [f"{most:g}"[1:] for most in TOLERANCES.values()]
    rows = [
        [
            each["method"],
            f"{each['mae']:.4f}"[1:],
            *(percent(each[name]) for name in TOLERANCES),
            "" if each["correlation"] is None else f"{each['correlation']:.2f}".replace("0.", "."),
            "/".join(percent(share) for share in each["accuracy"].values()),
        ]
        for each in summaries
    ]
    for name in ("always_no", "always_yes"):
        shares = "/".join(percent(share) for share in first[name].values())
        rows.append([name.replace("_", " "), "", *[""] * len(TOLERANCES), "", shares])
    headings = ("method", "MAE", *within, "corr.", decisions)
    left = ("method", decisions)
    console.print(table_of(headings, rows, left=left, title=title, caption=FIGURES, **STYLE), "")


def _print_certainty(console: Console, summaries: list[dict[str, Any]]) -> None:
    headings = ("method", "level", "cover", "by rows", "by size", "sure", "right", "open")
    rows = [
        [
            each["method"],
            each["level"],
            percent(each["coverage_90"]),
            *(_several(each[name]) for name in ("coverage_by_rows", "coverage_by_size")),
            _several([each["sure_share"]]),
            percent(each["sure_accuracy"]),
            _several(each["cannot_tell"].values()),
        ]
        for each in summaries
    ]
    title = "how far its certainty can be trusted"
    left = ("method", "level")
    console.print(table_of(headings, rows, left=left, title=title, caption=CERTAINTY, **STYLE), "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _several(shares: Any) -> str:
    return "/".join("" if share is None else f"{100 * share:.0f}" for share in shares)
