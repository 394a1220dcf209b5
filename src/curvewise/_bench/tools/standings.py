"""What results say about tools: scores, ranks, wins and losses, budgets kept.

Rules:

1. Tools are compared on rounds (a table, a split, a budget) that each of them has run, of those
   that have run anything with that budget. Who failed there has the worst rank, and the constant
   prediction's score. Rounds of a single tool compare nothing, and are left out.
2. A normalised score is 0 for the constant prediction and 1 for the best tool of the round.
3. Splits of a table are averaged first: tables count equally. Intervals are bootstrapped over
   tables, because the next user has another table.
4. Two tools tie on a table if their mean scores differ by no more than .002, or by no more than one
   standard error of a test score.
5. A budget is kept if the model stands at most 5 seconds or 5% after it, whichever is more. Who
   failed has not kept it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._bench.experiments.grid import load_pandas

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("accuracy", "log_loss", "auc", "r2", "rmse")
ROUND = ["budget", "table", "split"]
NUMBERS = (
    *("score", "score_error", "constant_score", *MEASURES),
    *(
        "seconds",
        "model_seconds",
        "first_seconds",
        "busy_share",
        "cpu_seconds",
        "other_cpu_seconds",
        "peak_mb",
    ),
)
TIE = 0.002
LATE_SECONDS, LATE_SHARE = 5.0, 0.05
N_RESAMPLES = 2_000
LEVEL = 0.95


def frame_of(results: Iterable[Mapping[str, Any]], tools: Sequence[str]) -> pd.DataFrame:
    """Put results of some tools into a data frame, a row per cell."""
    pandas = load_pandas()
    rows = [dict(result) for result in results if result["tool"] in tools]
    present = [key for row in rows for key in row]
    frame = pandas.DataFrame(rows).reindex(columns=list(dict.fromkeys([*present, *NUMBERS])))
    frame[list(NUMBERS)] = frame[list(NUMBERS)].astype(float)
    n_tools = frame.groupby(ROUND)["tool"].transform("nunique")
    if (n_tools > 1).any():
        frame = frame[n_tools > 1].copy()
    ran = [tool for tool in tools if (frame["tool"] == tool).any()]
    frame["tool"] = pandas.Categorical(frame["tool"], categories=ran)
    return frame.sort_values([*ROUND, "tool"], ignore_index=True)


def common_rounds(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep the rounds that every tool has run which has run anything with that budget."""
    names = frame["tool"].astype(str)
    n_here = names.groupby([frame[key] for key in ROUND]).transform("nunique")
    return frame[n_here == names.groupby(frame["budget"]).transform("nunique")]


def standings(frame: pd.DataFrame, *, seed: int = 0) -> list[dict[str, Any]]:
    """Mean ranks and normalised scores with intervals, per budget and tool."""
    rounds = _rated(common_rounds(frame))
    records = []
    for budget, own in rounds.groupby("budget"):
        for what in ("rank", "normalised"):
            wide = own.pivot_table(
                index="table", columns="tool", values=what, aggfunc="mean", observed=True
            )
            low, high = _interval(wide.to_numpy(), seed)
            for i, tool in enumerate(wide.columns):
                records.append(
                    {
                        "budget": budget,
                        "tool": tool,
                        "n_tables": len(wide),
                        f"{what}_mean": float(wide[tool].mean()),
                        f"{what}_low": float(low[i]),
                        f"{what}_high": float(high[i]),
                    }
                )
    return _merged(records, ("budget", "tool"))


def _rated(frame: pd.DataFrame) -> pd.DataFrame:
    """Give each cell its rank within its round and its normalised score."""
    rounds = [frame[key] for key in ROUND]
    constant = frame["constant_score"]
    filled = frame["score"].fillna(constant)
    best = filled.groupby(rounds).transform("max")
    room = (best - constant).where(best > constant)
    normalised = ((filled - constant) / room).where(room.notna(), (filled >= best).astype(float))
    rank = frame["score"].fillna(-np.inf).groupby(rounds).rank(ascending=False)
    return frame.assign(rank=rank, normalised=normalised)


def _interval(values: Any, seed: int) -> tuple[Any, Any]:
    """Bootstrap the means of columns over rows."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(values), size=(N_RESAMPLES, len(values)))
    means = np.nanmean(values[chosen], axis=1)
    tail = 100 * (1 - LEVEL) / 2
    return np.percentile(means, tail, axis=0), np.percentile(means, 100 - tail, axis=0)


def _merged(records: list[dict[str, Any]], keys: tuple[str, ...]) -> list[dict[str, Any]]:
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in records:
        merged.setdefault(tuple(record[key] for key in keys), {}).update(record)
    return list(merged.values())


def duels(frame: pd.DataFrame, reference: str) -> list[dict[str, Any]]:
    """The reference against each other tool, per budget: wins, ties and losses by table."""
    records = []
    for budget, own in frame.groupby("budget"):
        for other in [tool for tool in own["tool"].cat.categories if tool != reference]:
            pairs = table_differences(own, reference, other)
            if not len(pairs):
                continue
            tied = pairs["difference"].abs() <= np.maximum(TIE, pairs["tolerance"])
            won = ~tied & (pairs["difference"] > 0)
            lost = ~tied & (pairs["difference"] < 0)
            records.append(
                {
                    "budget": budget,
                    "reference": reference,
                    "tool": other,
                    "n_tables": len(pairs),
                    "wins": int(won.sum()),
                    "ties": int(tied.sum()),
                    "losses": int(lost.sum()),
                    "not_worse_share": float((~lost).mean()),
                    "difference_mean": float(pairs["difference"].mean()),
                    "difference_worst": float(pairs["difference"].min()),
                    "worst_table": str(pairs["difference"].idxmin()),
                }
            )
    return records


def table_differences(frame: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    """How much better one tool is than another, by table, on the splits that both have run."""
    pair = frame[frame["tool"].isin([one, other])]
    pair = pair.assign(tool=pair["tool"].astype(str))
    pair = pair[pair.groupby(ROUND)["tool"].transform("nunique") == 2]
    pair = pair.assign(filled=pair["score"].fillna(pair["constant_score"]))
    scores = pair.pivot_table(index="table", columns="tool", values="filled", aggfunc="mean")
    scores = scores.reindex(columns=[one, other])
    errors = pair.groupby("table")["score_error"].mean().fillna(0.0)
    return scores.assign(difference=scores[one] - scores[other], tolerance=errors)


def kept_budgets(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """How budgets were kept and what memory was taken, per budget and tool."""
    allowed = np.maximum(LATE_SECONDS, LATE_SHARE * frame["budget"])
    late = frame["model_seconds"].fillna(frame["seconds"]) - frame["budget"]
    failed = frame["error"].notna()
    counted = frame.assign(late=late, kept=(late <= allowed) & ~failed, failed=failed)
    grouped = counted.groupby(["budget", "tool"], observed=True)
    summary = grouped.agg(
        n_cells=("tool", "size"),
        n_failed=("failed", "sum"),
        model_seconds_mean=("model_seconds", "mean"),
        seconds_mean=("seconds", "mean"),
        first_worst=("first_seconds", "max"),
        busy_share=("busy_share", "mean"),
        late_worst=("late", "max"),
        kept_share=("kept", "mean"),
        peak_mb_mean=("peak_mb", "mean"),
        peak_mb_worst=("peak_mb", "max"),
        other_cpu_share=("other_cpu_seconds", "sum"),
    )
    summary["other_cpu_share"] /= grouped["seconds"].sum() * frame["n_cores"].max()
    return summary.reset_index().astype({"tool": str}).to_dict("records")


def score_means(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Mean scores over the splits of a table, a record per budget and table."""
    records = []
    for (budget, task, table), own in frame.groupby(["budget", "task", "table"]):
        groups = own.groupby("tool", observed=True)["score"]
        means, counts, sizes = groups.mean(), groups.count(), groups.size()
        records.append(
            {
                "budget": budget,
                "table": table,
                "task": task,
                "n_rows": int(own["n_rows"].iloc[0]),
                "constant": float(own["constant_score"].mean()),
                **{str(tool): float(means[tool]) for tool in means.index},
                "n_failed": {str(tool): int(sizes[tool] - counts[tool]) for tool in means.index},
            }
        )
    return records


def measure_means(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Every measure's mean over common rounds, per budget, task and tool."""
    grouped = common_rounds(frame).groupby(["budget", "task", "tool"], observed=True)
    means = grouped[list(MEASURES)].mean()
    means["n_cells"] = grouped["score"].count()
    return means.reset_index().astype({"tool": str}).to_dict("records")
