"""What a table shows of many runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from curvewise._bench.replays import Run
from curvewise._packages import require

if TYPE_CHECKING:
    import pandas as pd

TOLERANCES = {"within_001": 0.001, "within_005": 0.005, "within_01": 0.01, "within_015": 0.015}
LARGE = 4096
ROUNDING = 1e-9
# What a row tells of a run.
FACTS = ("dataset", "gap", "lost", "n_folds_winner", "last_gap")
# What is spent, and how columns call it.
MEASURES = {"cost": "seconds", "rows": "rows", "clock": "clock"}


def summarise(runs: Sequence[Run], *, n_folds: int) -> list[dict[str, Any]]:
    """Summarise runs per contestant, in the order in which contestants first appear.

    Costs are ratios to k-fold CV: ``*_mean`` is the mean over data sets, ``*_total`` the ratio of
    the totals. The same again under ``large``, for targets of 4,096 rows or more; None if there
    is no such data set.
    """
    summaries = []
    for label in dict.fromkeys(run.label for run in runs):
        own = [run for run in runs if run.label == label]
        large = [run for run in own if run.target >= LARGE]
        summaries.append(
            {
                "policy": label,
                "folds": n_folds,
                **_figures(own),
                "large": _figures(large) if large else None,
            }
        )
    return summaries


def _figures(runs: Sequence[Run]) -> dict[str, Any]:
    frame = _frame(runs)
    prunes = sum((Counter(run.prunes) for run in runs), Counter())
    ratios = _ratios(frame, "seconds")
    return {
        **{
            f"{name}_{kind}": figure
            for name, measure in MEASURES.items()
            for kind, figure in (
                ("mean", float(_ratios(frame, measure).to_numpy().mean())),
                ("total", _total_ratio(frame, measure)),
            )
        },
        **{name: float((frame.gap <= most + ROUNDING).mean()) for name, most in TOLERANCES.items()},
        "gap_mean": float(frame.gap.mean()),
        "gap_worst": float(frame.gap.max()),
        "same_winners": float((frame.last_gap <= ROUNDING).mean()),
        "last_gap_mean": float(frame.last_gap.mean()),
        "last_gap_worst": float(frame.last_gap.max()),
        "costs_more": float((ratios > 1 + ROUNDING).mean()),
        "largest_cost": float(ratios.max()),
        "prunes": {str(anchor): prunes[anchor] for anchor in sorted(prunes)},
        "prunes_by_share": _by_share(runs),
        "lost_winner": int(frame.lost.sum()) / prunes.total() if prunes else 0.0,
        "folds_of_winner": int(frame.n_folds_winner.min()),
        "n_datasets": int(frame.dataset.nunique()),
        "n_runs": len(frame),
    }


def _frame(runs: Sequence[Run]) -> pd.DataFrame:
    """A row per run: its facts, and what it and its reference spent."""
    return require("pandas", "Summarising replays", extra="replay").DataFrame(
        [
            {
                **{key: getattr(run, key) for key in FACTS},
                **{key: getattr(run.cost, key) for key in MEASURES.values()},
                **{f"reference_{key}": getattr(run.reference, key) for key in MEASURES.values()},
            }
            for run in runs
        ]
    )


def _ratios(frame: pd.DataFrame, measure: str) -> pd.Series:
    """The mean ratio to the reference, by data set."""
    return _means(frame[measure] / frame[f"reference_{measure}"], frame.dataset)


def _total_ratio(frame: pd.DataFrame, measure: str) -> float:
    own, reference = (
        _means(frame[column], frame.dataset).to_numpy().sum()
        for column in (measure, f"reference_{measure}")
    )
    return float(own / reference)


def _means(values: pd.Series, datasets: pd.Series) -> pd.Series:
    """The mean by data set, in their order; numpy's sums keep published figures to the digit."""
    return values.groupby(datasets, sort=False).agg(lambda own: own.to_numpy().mean())


def _by_share(runs: Sequence[Run]) -> dict[str, float]:
    """The share of prunes up to each fraction of the target."""
    edges = {"1/64": 1 / 64, "1/16": 1 / 16, "1/4": 1 / 4, "inner": 1 - ROUNDING, "target": 1.0}
    shares = dict.fromkeys(edges, 0)
    for run in runs:
        for anchor, n in run.prunes.items():
            # An anchor that was recorded near a fraction counts as that fraction.
            name = next(name for name, most in edges.items() if anchor / run.target <= most * 1.42)
            shares[name if anchor < run.target else "target"] += n
    total = sum(shares.values())
    return {name: n / total if total else 0.0 for name, n in shares.items()}
