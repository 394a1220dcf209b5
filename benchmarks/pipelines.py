"""The paper's pipelines under a time limit: k-fold and the race on the same candidates.

    python benchmarks/pipelines.py FOLDER [--only NAME ...] [--candidates 40] [--timeout 20]
        [--folds 5] [--jobs 1] [--seed 0] [--json out.json]

Each table is a Parquet file with its label in the column ``target``. Both methods draw the same
pipelines and have the same limit for each of them. Counted are the seconds from the first candidate
to the choice (*wall*), those of all evaluations (*work*), and where these went: by what k-fold says
of the candidate, and by what was done. *Gap*: k-fold's score of its own choice, less its score of
the race's choice.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from curvewise import CurveAutoMLClassifier, KFoldCV, Race
from curvewise.automl._table_preparation import TablePreparation
from curvewise.core._outcome import Observation
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult

METHODS = {"k-fold": KFoldCV(), "race": Race()}
# In units of the score: what is this near to the best could as well have been chosen.
NEAR = 0.005
FATES = ("winner", "near-tie", "worse", "timed out", "failed")
PARTS = ("target", "inner anchors", "predicting", "lost to limits and failures")


def main() -> None:
    """Run both methods on all tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", help="parts of file names")
    parser.add_argument("--candidates", type=int, default=40)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    cells = []
    for path in sorted(given.folder.glob("*.parquet")):
        if given.only is None or any(part in path.name for part in given.only):
            cells.append(cell(path, given))
            print(sentence(cells[-1]), flush=True)
            if given.json:
                given.json.write_text(json.dumps(cells, indent=1))
    print("\n".join(["", *table(cells), "", *time_table(cells)]))


def cell(path: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Run both methods on one table."""
    frame = pd.read_parquet(path)
    X, y = frame.drop(columns="target"), frame["target"]
    searches, walls = {}, {}
    for name, policy in METHODS.items():
        begun = perf_counter()
        automl = CurveAutoMLClassifier(
            n_iter=given.candidates,
            timeout_per_candidate=given.timeout,
            cv=StratifiedKFold(given.folds, shuffle=True, random_state=given.seed),
            policy=policy,
            n_jobs=given.jobs,
            random_state=given.seed,
        ).fit(X, y)
        searches[name] = automl.search_
        walls[name] = perf_counter() - begun - automl.search_.refit_time_
    fates = fates_of(searches["k-fold"].results_)
    chosen = searches["race"].best_index_
    truth = searches["k-fold"].results_[chosen].score
    if math.isnan(truth):
        # It ran out of time under k-fold; the race gave it the same folds.
        truth = searches["race"].results_[chosen].score
    return {
        "table": path.stem,
        "rows": len(frame),
        "candidates": given.candidates,
        "best": searches["k-fold"].best_score_,
        "gap": searches["k-fold"].best_score_ - truth,
        "same": chosen == searches["k-fold"].best_index_,
        "fates": dict(Counter(fates)),
        "preparing": preparing(X, y, given.folds),
        "methods": {
            name: {"wall": walls[name], **spending(search.results_, fates)}
            for name, search in searches.items()
        },
        "pipelines": [
            {
                "name": str(pair[0].candidate),
                "fate": fate,
                **{
                    name: {"seconds": one.seconds, "score": one.score, "end": one.explain()}
                    for name, one in zip(METHODS, pair, strict=True)
                },
            }
            for fate, pair in zip(
                fates, zip(*(each.results_ for each in searches.values()), strict=True), strict=True
            )
        ],
    }


def fates_of(results: list[ValidationResult]) -> list[str]:
    """Say of each candidate what k-fold found."""
    completed = [result.score for result in results if result.status is Status.COMPLETED]
    best = max(completed)
    fates = []
    for result in results:
        if result.status is Status.COMPLETED:
            near = "near-tie" if result.score >= best - NEAR else "worse"
            fates.append("winner" if result.score == best else near)
        else:
            fates.append("timed out" if result.status is Status.STOPPED else "failed")
    return fates


def spending(results: list[ValidationResult], fates: list[str]) -> dict[str, Any]:
    """Add up the seconds of all evaluations: by fate, and by what was done."""
    by_fate, by_part = dict.fromkeys(FATES, 0.0), dict.fromkeys(PARTS, 0.0)
    target = max(each.task.anchor for result in results for each in result.curve)
    for result, fate in zip(results, fates, strict=True):
        by_fate[fate] += result.seconds
        for outcome in (*result.curve, *result.failures):
            if not isinstance(outcome, Observation):
                by_part["lost to limits and failures"] += outcome.seconds
                continue
            predicting = outcome.score_seconds or 0.0
            by_part["predicting"] += predicting
            place = "target" if outcome.task.anchor == target else "inner anchors"
            by_part[place] += outcome.seconds - predicting
    return {
        "work": math.fsum(by_fate.values()),
        "fits": sum(len(result.curve) + len(result.failures) for result in results),
        "rows": sum(result.training_rows for result in results),
        "ended": Counter(result.status.value for result in results),
        "fate": by_fate,
        "part": by_part,
    }


def preparing(X: pd.DataFrame, y: pd.Series, n_folds: int) -> float:
    """Measure what imputing and binarising a fold takes; without sharing, each fit pays it."""
    train, test = next(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(X, y))
    begun = perf_counter()
    prepared = TablePreparation().fit(X.iloc[train], y.iloc[train])
    prepared.transform(X.iloc[train])
    prepared.transform(X.iloc[test])
    return perf_counter() - begun


def sentence(cell: dict[str, Any]) -> str:
    """Say how one table went."""
    kfold, race = cell["methods"]["k-fold"], cell["methods"]["race"]
    return (
        f"{cell['table']:<36} k-fold {kfold['wall']:7.1f} s, race {race['wall']:7.1f} s "
        f"({race['wall'] / kfold['wall']:.2f}; work {race['work'] / kfold['work']:.2f}), "
        f"gap {cell['gap']:+.4f}"
    )


def table(cells: list[dict[str, Any]]) -> list[str]:
    """Set the methods beside each other."""
    lines = [
        "| table | rows | k-fold, s | race, s | ratio | work | fits | gap "
        "| timed out / failed | race: finished / pruned / stopped / failed |",
        "|---" * 10 + "|",
    ]
    for each in cells:
        kfold, race = each["methods"]["k-fold"], each["methods"]["race"]
        ended = race["ended"]
        counts = [ended.get(word, 0) for word in ("completed", "pruned", "stopped", "failed")]
        fates = each["fates"]
        lines.append(
            f"| {each['table']} | {each['rows']:,} | {kfold['wall']:.0f} | {race['wall']:.0f} "
            f"| {race['wall'] / kfold['wall']:.2f} | {race['work'] / kfold['work']:.2f} "
            f"| {race['fits'] / kfold['fits']:.2f} | {each['gap']:+.4f} "
            f"| {fates.get('timed out', 0)} / {fates.get('failed', 0)} "
            f"| {' / '.join(map(str, counts))} |"
        )
    walls = [[each["methods"][name]["wall"] for each in cells] for name in METHODS]
    ratios = np.divide(walls[1], walls[0])
    lines.append(
        f"| **all** | | {sum(walls[0]):.0f} | {sum(walls[1]):.0f} "
        f"| **{sum(walls[1]) / sum(walls[0]):.2f}** (mean {ratios.mean():.2f}) | | "
        f"| {max(each['gap'] for each in cells):+.4f} at the most | | |"
    )
    return lines


def time_table(cells: list[dict[str, Any]]) -> list[str]:
    """Say where the time went, over all tables together."""
    lines = ["| share of k-fold's work | k-fold | race |", "|---|---|---|"]
    whole = sum(each["methods"]["k-fold"]["work"] for each in cells)
    for side, names in (("fate", FATES), ("part", PARTS)):
        for name in names:
            shares = [
                sum(each["methods"][method][side][name] for each in cells) / whole
                for method in METHODS
            ]
            lines.append(f"| {name} | {shares[0]:.3f} | {shares[1]:.3f} |")
    shares = [
        sum(each["methods"][method]["fits"] * each["preparing"] for each in cells) / whole
        for method in METHODS
    ]
    lines.append(f"| preparing, if each fit did it | {shares[0]:.3f} | {shares[1]:.3f} |")
    return lines


if __name__ == "__main__":
    main()
