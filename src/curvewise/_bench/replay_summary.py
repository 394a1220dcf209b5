"""What a table shows of many runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise._bench.replays import Run

TOLERANCES = {"within_001": 0.001, "within_005": 0.005, "within_01": 0.01, "within_015": 0.015}
LARGE = 4096
ROUNDING = 1e-9


def summarise(runs: Sequence[Run], *, n_folds: int) -> list[dict[str, Any]]:
    """Summarise runs per contestant, in the order in which contestants first appear.

    Costs are ratios to k-fold CV: ``*_mean`` is the mean over data sets, ``*_total`` the ratio of
    the totals. The same again under ``large``, for targets of 4,096 rows or more; None if there
    is no such data set.
    """
    labels = dict.fromkeys(run.label for run in runs)
    summaries = []
    for label in labels:
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
    gaps = np.array([run.gap for run in runs])
    seconds = _ratios(runs, "seconds")
    prunes = sum((Counter(run.prunes) for run in runs), Counter())
    n_prunes = sum(prunes.values())
    return {
        "cost_mean": seconds[0],
        "cost_total": seconds[1],
        "rows_mean": _ratios(runs, "rows")[0],
        "rows_total": _ratios(runs, "rows")[1],
        "clock_mean": _ratios(runs, "clock")[0],
        "clock_total": _ratios(runs, "clock")[1],
        **{name: float(np.mean(gaps <= most + ROUNDING)) for name, most in TOLERANCES.items()},
        "gap_mean": float(gaps.mean()),
        "gap_worst": float(gaps.max()),
        "dearer": seconds[2],
        "dearest": seconds[3],
        "prunes": {str(anchor): prunes[anchor] for anchor in sorted(prunes)},
        "prunes_by_share": _by_share(runs),
        "lost_winner": sum(run.lost for run in runs) / n_prunes if n_prunes else 0.0,
        "folds_of_winner": min(run.n_folds_winner for run in runs),
        "n_datasets": len({run.dataset for run in runs}),
        "n_runs": len(runs),
    }


def _ratios(runs: Sequence[Run], measure: str) -> tuple[float, float, float, float]:
    """Mean over data sets, ratio of totals, share of dearer data sets, and the dearest one."""
    spent: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        pair = (getattr(run.cost, measure), getattr(run.reference, measure))
        spent.setdefault(run.dataset, []).append(pair)
    means = np.array([np.mean(pairs, axis=0) for pairs in spent.values()])
    ratios = np.array([np.mean([own / other for own, other in pairs]) for pairs in spent.values()])
    total = means[:, 0].sum() / means[:, 1].sum()
    dearer = float(np.mean(ratios > 1 + ROUNDING))
    return float(ratios.mean()), float(total), dearer, float(ratios.max())


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
