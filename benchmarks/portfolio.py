"""Learn the portfolio with which `curvewise select` begins, from runs on many tables.

    python benchmarks/portfolio.py record --data DIR --runs runs.jsonl
    python benchmarks/portfolio.py learn --runs runs.jsonl --output portfolio.toml

*Record* fits every configuration of a pool (those below and random draws from the space) once on
three quarters of each table, at most ``--rows`` of them, and scores it on the others. It goes on
where it stopped. Recordings of one table take from seconds to half an hour on one core.

*Learn* puts configurations into an order, greedily: the next one is that which most improves the
best of those before it, on average over tables, per second (what it costs on the tables, with a
fixed cost for each candidate, so that the quickest do not come first just for that). Improvements
count as shares of the distance between a constant prediction and the best known score. What the
list is worth is told with each table left out when it is learnt.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from curvewise.automl import FoundRounds, read_table
from curvewise.automl._budget import most_rounds
from curvewise.automl._space.default_spaces import default_space

SLOTS = {"classification": "classifier", "regression": "regressor"}
# Seconds that every candidate costs besides its fit, so that trifles do not come first.
FIXED_COST = 0.3
N_ENTRIES = 24

BOOSTING = [
    {"learning_rate": 0.1, "num_leaves": 31},
    {"learning_rate": 0.2, "num_leaves": 15, "colsample_bytree": 0.8},
    {"learning_rate": 0.05, "num_leaves": 63, "colsample_bytree": 0.8},
    {"learning_rate": 0.05, "num_leaves": 31, "min_child_samples": 10, "colsample_bytree": 0.6},
    {"learning_rate": 0.1, "num_leaves": 7},
    {"learning_rate": 0.1, "num_leaves": 4, "min_child_samples": 10},
    {"learning_rate": 0.05, "num_leaves": 255, "min_child_samples": 5, "colsample_bytree": 0.7},
    {"learning_rate": 0.1, "num_leaves": 63, "min_child_samples": 5, "extra_trees": True},
    {"learning_rate": 0.05, "num_leaves": 31, "colsample_bytree": 0.5, "extra_trees": True},
    {"learning_rate": 0.05, "num_leaves": 15, "min_child_samples": 1, "subsample": 0.7},
    {"learning_rate": 0.03, "num_leaves": 63, "reg_lambda": 10.0, "colsample_bytree": 0.5},
    {"learning_rate": 0.3, "num_leaves": 127, "max_bin": 1023, "reg_lambda": 3.0},
    {"learning_rate": 0.1, "num_leaves": 127, "max_bin": 1023, "colsample_bytree": 0.9},
    {"learning_rate": 0.5, "num_leaves": 31, "reg_lambda": 10.0},
]
# For classes, with more rounds than have the lowest loss.
BEYOND = [
    {"learning_rate": 0.1, "num_leaves": 31},
    {"learning_rate": 0.1, "num_leaves": 7},
    {"learning_rate": 0.1, "num_leaves": 63, "colsample_bytree": 0.6},
    {"learning_rate": 0.1, "num_leaves": 127, "max_bin": 1023},
]
LIGHTGBM = {
    "min_child_samples": 20,
    "colsample_bytree": 1.0,
    "subsample": 1.0,
    "reg_lambda": 1.0,
    "extra_trees": False,
    "max_bin": 255,
}
HISTOGRAMS = [
    {"learning_rate": 0.1, "max_leaf_nodes": 31, "min_samples_leaf": 20, "max_features": 1.0},
    {"learning_rate": 0.05, "max_leaf_nodes": 15, "min_samples_leaf": 20, "max_features": 0.5},
    {"learning_rate": 0.1, "max_leaf_nodes": 63, "min_samples_leaf": 5, "max_features": 0.7},
]
FORESTS = [
    {"max_features": 0.1, "min_samples_leaf": 1},
    {"max_features": 0.3, "min_samples_leaf": 1},
    {"max_features": 0.5, "min_samples_leaf": 1},
    {"max_features": 1.0, "min_samples_leaf": 1},
    {"max_features": 0.7, "min_samples_leaf": 3},
    {"max_features": 0.7, "min_samples_leaf": 10},
]
NETWORKS = [
    {"hidden_layer_sizes": (100,), "alpha": 1e-4, "learning_rate_init": 1e-3},
    {"hidden_layer_sizes": (256, 128), "alpha": 1e-3, "learning_rate_init": 1e-3},
    {"hidden_layer_sizes": (128, 128), "alpha": 1e-4, "learning_rate_init": 2e-3},
]
NEIGHBOURS = [
    {"n_neighbors": 1, "p": 2, "weights": "uniform"},
    {"n_neighbors": 5, "p": 2, "weights": "distance"},
    {"n_neighbors": 15, "p": 1, "weights": "distance"},
    {"n_neighbors": 40, "p": 2, "weights": "distance"},
]


def pool(task: str, n_draws: int) -> list[dict]:
    """List the configurations that may enter the portfolio."""
    space, slot = default_space(task), SLOTS[task]
    kind = "Classifier" if task == "classification" else "Regressor"
    chosen = [{"component": f"LGBM{kind}", **LIGHTGBM, **one} for one in BOOSTING]
    if task == "classification":
        lightgbm = {"component": "LGBMClassifier", **LIGHTGBM}
        chosen = [{**one, "beyond": 1} for one in chosen]
        chosen += [{**lightgbm, **one, "beyond": 3} for one in BEYOND]
    boosters = {"component": f"HistGradientBoosting{kind}", "l2_regularization": 0.001}
    chosen += [{**boosters, **one} for one in HISTOGRAMS]
    criterion = {"criterion": "gini"} if task == "classification" else {}
    for forest in ("ExtraTrees", "RandomForest"):
        chosen += [{"component": f"{forest}{kind}", **criterion, **one} for one in FORESTS]
    for view in ("scaled", "ranks"):
        chosen += [{"component": f"MLP{kind}", "view": view, **one} for one in NETWORKS]
        chosen += [{"component": f"KNeighbors{kind}", "view": view, **one} for one in NEIGHBOURS]
        for C in (1.0, 10.0, 100.0):
            if task == "classification":
                svc = {"component": "SVC(rbf)", "gamma": "scale"}
            else:
                svc = {"component": "SVR", "epsilon": 0.1}
            chosen.append({"view": view, "C": C, **svc})
        for penalty in (0.01, 0.1, 1.0, 10.0, 100.0):
            linear = {"component": "LogisticRegression", "C": penalty}
            if task == "regression":
                linear = {"component": "Ridge", "alpha": penalty}
            chosen.append({"view": view, **linear})
        if task == "classification":
            lda = {"component": "LinearDiscriminantAnalysis", "shrinkage": 0.1}
            naive = {"component": "GaussianNB", "var_smoothing": 1e-9}
            poly = {"component": "SVC(poly)", "C": 1.0, "degree": 3}
            chosen += [{"view": view, **one} for one in (lda, naive, poly)]
    configurations = [{"seed": 0, slot: one} for one in chosen]
    rng = np.random.RandomState(0)
    configurations += [space.draw(rng).configuration(seed=0) for _ in range(n_draws)]
    return configurations


def record(arguments: argparse.Namespace) -> None:
    """Fit all configurations on all tables, and write a line for each."""
    done = set()
    if arguments.runs.exists():
        lines = arguments.runs.read_text().splitlines()
        done = {(one["table"], one["key"]) for one in map(json.loads, lines)}
    files = sorted(arguments.data.glob("*.parquet"), key=lambda path: path.stat().st_size)
    for path in files:
        table = read_table(path, target="target")
        configurations = pool(table.task, arguments.draws)
        if arguments.only:
            configurations = [one for one in configurations if arguments.only in key_of(one)]
        left = [one for one in configurations if (path.stem, key_of(one)) not in done]
        if left:
            record_table(path.stem, table, left, arguments)


def record_table(name: str, table, configurations: list[dict], arguments) -> None:
    """Fit configurations on one table."""
    y = np.asarray(table.y)
    classes = table.task == "classification"
    strata = y if classes and pd.Series(y).value_counts().min() > 1 else None
    X, X_test, y, y_test = train_test_split(
        table.X, y, test_size=0.25, random_state=0, stratify=strata
    )
    X, y = X[: arguments.rows], y[: arguments.rows]
    X_test, y_test = X_test[: arguments.rows], y_test[: arguments.rows]
    space = default_space(table.task)
    rounds = most_rounds(y, task=table.task, seconds=arguments.seconds)
    for configuration in configurations:
        line = {"table": name, "task": table.task, "key": key_of(configuration), "rows": len(X)}
        begun = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pipeline = space.build(configuration)
                if isinstance(pipeline[-1], FoundRounds):
                    pipeline[-1].set_params(max_rounds=rounds)
                pipeline.fit(X, y)
                line["fit"] = time.process_time() - begun
                predicted = pipeline.predict(X_test)
            score = accuracy_score if classes else r2_score
            line["score"] = float(score(y_test, predicted))
        except Exception as error:
            line["error"] = f"{type(error).__name__}: {error}"[:200]
        line["seconds"] = time.process_time() - begun
        with arguments.runs.open("a") as file:
            file.write(json.dumps(line) + "\n")


def key_of(configuration: dict) -> str:
    """Give the text that stands for a configuration."""
    return json.dumps(configuration, sort_keys=True)


def learn(arguments: argparse.Namespace) -> None:
    """Put configurations into an order for each task, and say what the list is worth."""
    lines = [json.loads(line) for line in arguments.runs.read_text().splitlines()]
    runs = pd.DataFrame(lines)
    # A table that was recorded in two sizes counts as two.
    runs["table"] += " " + runs["rows"].astype(str)
    runs = runs.drop_duplicates(["table", "key"], keep="last")
    known = {key_of(one) for task in SLOTS for one in pool(task, arguments.draws)}
    runs = runs[runs["key"].isin(known)]
    chosen = {}
    for task, part in runs.groupby("task"):
        regret, cost = regrets(part)
        chosen[task] = greedy(regret, cost, N_ENTRIES)
        report(task, regret, cost)
    if arguments.output:
        arguments.output.write_text(as_toml(chosen))


def regrets(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give how far each configuration is from the best on each table, and what it costs.

    What was not recorded in a larger size of a table is taken from the smaller one, at the cost of
    the slowest.
    """
    scores = runs.pivot(index="key", columns="table", values="score")
    seconds = runs.pivot(index="key", columns="table", values="seconds")
    # A constant scores 0 by R², and about the worst known by accuracy.
    floor = scores.quantile(0.05)
    span = (scores.max() - floor).clip(lower=1e-9)
    regret = ((scores.max() - scores) / span).clip(upper=1.0)
    for table in regret.columns[regret.isna().mean() > 0.2]:
        name = table.rpartition(" ")[0]
        smaller = [one for one in regret if one != table and one.rpartition(" ")[0] == name]
        if not smaller:
            regret = regret.drop(columns=table)
            continue
        regret[table] = regret[table].fillna(regret[smaller[0]])
    relative = (seconds[regret.columns] + FIXED_COST).fillna(seconds.max() + FIXED_COST)
    return regret.fillna(1.0), relative / relative.median()


def greedy(regret: pd.DataFrame, cost: pd.DataFrame, n: int) -> list[str]:
    """Choose, again and again, what most improves the best so far per second."""
    best = pd.Series(1.0, index=regret.columns)
    entries: list[str] = []
    while len(entries) < min(n, len(regret)):
        gain = (best - regret).clip(lower=0).mean(axis=1)
        worth = (gain / cost.mean(axis=1)).drop(entries)
        if worth.max() <= 0:
            break
        entries.append(worth.idxmax())
        best = np.minimum(best, regret.loc[entries[-1]])
    return entries


def report(task: str, regret: pd.DataFrame, cost: pd.DataFrame) -> None:
    """Say what lists of some lengths are worth on tables that they were not learnt from."""
    rows = []
    for table in regret.columns:
        same = [one for one in regret if one.rpartition(" ")[0] == table.rpartition(" ")[0]]
        entries = greedy(regret.drop(columns=same), cost.drop(columns=same), N_ENTRIES)
        own = regret.loc[entries, table].cummin().reset_index(drop=True)
        rng = np.random.RandomState(0)
        draws = [
            regret[table].sample(N_ENTRIES, random_state=rng).cummin().reset_index(drop=True)
            for _ in range(50)
        ]
        rows.append((own, sum(draws) / len(draws)))
    print(f"\n{task}: {regret.shape[1]} tables, {len(regret)} configurations")
    print("regret after n candidates, table left out: the list, random order")
    for n in (1, 2, 3, 5, 8, 12, 16, 24):
        own = np.mean([listed.iloc[min(n, len(listed)) - 1] for listed, _ in rows])
        drawn = np.mean([random.iloc[n - 1] for _, random in rows])
        print(f"  {n:3d}  {own:.4f}  {drawn:.4f}")


def as_toml(chosen: dict[str, list[str]]) -> str:
    """Write the lists as a file that one can read."""
    lines = ["# Made by benchmarks/portfolio.py, which says how. The best first, per second.", ""]
    for task, entries in sorted(chosen.items()):
        slot = SLOTS[task]
        for key in entries:
            values = json.loads(key)[slot]
            values = {"component": values.pop("component"), **values}
            shown = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
            lines += [f"[[{task}]]", f"{slot} = {{ {shown} }}", ""]
    return "\n".join(lines)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    recorder = commands.add_parser("record")
    recorder.add_argument("--data", type=Path, required=True, help="a folder of Parquet files")
    recorder.add_argument("--runs", type=Path, required=True)
    recorder.add_argument("--rows", type=int, default=3000)
    recorder.add_argument("--draws", type=int, default=0, help="random draws besides the pool")
    recorder.add_argument(
        "--seconds", type=float, default=1e9, help="rounds as in a search of so many core seconds"
    )
    recorder.add_argument("--only", help="a text that must occur in a configuration")
    recorder.set_defaults(run=record)
    learner = commands.add_parser("learn")
    learner.add_argument("--runs", type=Path, required=True)
    learner.add_argument("--output", type=Path)
    learner.add_argument("--draws", type=int, default=0, help="as for record")
    learner.set_defaults(run=learn)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        arguments.run(arguments)


if __name__ == "__main__":
    main()
