"""The honest score of a choice against what the choice then scores on rows that nobody has seen.

    python benchmarks/honest_score.py FOLDER_OR_FILES... --splits 24 --results results.jsonl
    python benchmarks/honest_score.py --results results.jsonl

Tables are Parquet files with the label in the column `target`: numbers for regression. Of each,
300, 600 or 1,000 rows are drawn, a race chooses one of about 20 quick models on five folds, and
that is fitted on all of these rows and measured on up to 8,000 others. What is told of the choice
is compared with that. Tables with fewer than 1.5 times as many rows are left out; `--sizes 300`
admits smaller ones.

Results are JSON lines, one for each split, with everything that the honest score follows from:
without tables, they are judged anew and nothing is fitted. A run goes on where it stopped;
`--seconds` ends one early, and `--part 0/2` takes every second table.

Printed are the means over tables of what was told minus the test score, with the standard error
over tables, and how often the interval holds the test score. A test score is itself noisy: each
side of the interval is widened by the test score's standard error, as independent errors add up.
How often the interval holds it without that is printed as well.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LassoLars, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import curvewise as cw
from curvewise._selection.choice_noise import ChoiceNoise
from curvewise._selection.honest_choice import ChoiceEvidence, evidence_of
from curvewise.core import Scale
from curvewise.core._growth import USUAL, LowerAnchor

SIZES = (300, 600, 1000)
FEWEST_TIMES = 1.5
MOST_TEST_ROWS = 8000
MOST_COLUMNS = 120
NUMBERS = ("loss", "more_rows", "n_rows", "n_best")


def scaled(model):
    """Let a model see columns of one scale."""
    return make_pipeline(StandardScaler(), model)


def classifiers() -> dict:
    """Give quick models, some of them much alike."""
    tree, near = DecisionTreeClassifier, KNeighborsClassifier
    forest, extra = RandomForestClassifier, ExtraTreesClassifier
    trees = {f"tree {depth}": tree(max_depth=depth, random_state=0) for depth in (1, 3, 5, 8)}
    leaves = {f"leaf {n}": tree(min_samples_leaf=n, random_state=0) for n in (1, 5, 20)}
    return {
        **trees,
        **leaves,
        "entropy": tree(criterion="entropy", min_samples_leaf=3, random_state=0),
        **{f"near {k}": scaled(near(k)) for k in (1, 5, 15, 40)},
        "weighed 9": scaled(near(9, weights="distance")),
        "bayes": GaussianNB(),
        "smooth bayes": GaussianNB(var_smoothing=1e-3),
        "lda": LinearDiscriminantAnalysis(),
        "shrunk lda": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        **{f"linear {c}": scaled(LogisticRegression(C=c, max_iter=60)) for c in (0.01, 1)},
        "forest 8": forest(8, random_state=0),
        "forest 12": forest(12, min_samples_leaf=3, random_state=0),
        "extra 12": extra(12, random_state=0),
        "extra leaf 2": extra(12, min_samples_leaf=2, random_state=1),
    }


def regressors() -> dict:
    """Give quick models for numbers."""
    tree, near = DecisionTreeRegressor, KNeighborsRegressor
    forest, extra = RandomForestRegressor, ExtraTreesRegressor
    return {
        **{f"tree {depth}": tree(max_depth=depth, random_state=0) for depth in (2, 4, 6, 9)},
        **{f"leaf {n}": tree(min_samples_leaf=n, random_state=0) for n in (5, 20)},
        **{f"near {k}": scaled(near(k)) for k in (2, 5, 15)},
        "weighed 7": scaled(near(7, weights="distance")),
        **{f"ridge {alpha}": scaled(Ridge(alpha=alpha)) for alpha in (0.1, 10, 100)},
        "lasso": scaled(LassoLars(alpha=0.01)),
        "linear": LinearRegression(),
        "forest 8": forest(8, random_state=0),
        "forest 12": forest(12, min_samples_leaf=3, random_state=0),
        "extra 12": extra(12, random_state=0),
        "extra leaf 2": extra(12, min_samples_leaf=2, random_state=1),
    }


def load(path: Path):
    """Read a table: numbers, codes of categories, and whether classes are predicted."""
    frame = pd.read_parquet(path)
    y = frame.pop("target")
    columns = [
        column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column
        for _, column in frame.items()
    ]
    X = np.column_stack([pd.to_numeric(column).to_numpy(float) for column in columns])
    if X.shape[1] > MOST_COLUMNS:
        X = X[:, np.random.default_rng(0).permutation(X.shape[1])[:MOST_COLUMNS]]
    if pd.api.types.is_float_dtype(y):
        return X, y.to_numpy(float), False
    return X, np.unique(y.astype(str), return_inverse=True)[1], True


def without_gaps(train, test):
    """Fill gaps with the medians of the rows to learn from."""
    medians = np.nan_to_num(np.nanmedian(train, axis=0))
    return (np.where(np.isnan(part), medians, part) for part in (train, test))


def split_of(X, y, split: int, n: int, *, classes: bool):
    """Draw the rows of a split: n to learn from, and others to measure on."""
    learn, test = train_test_split(
        np.arange(len(y)), train_size=n, stratify=y if classes else None, random_state=1000 + split
    )
    test = np.random.default_rng(split).permutation(test)[:MOST_TEST_ROWS]
    return *without_gaps(X[learn], X[test]), y[learn], y[test]


def measured(model, X, y, *, classes: bool) -> tuple[float, float]:
    """Give a model's score on test rows, and its standard error."""
    predicted = model.predict(X)
    if classes:
        hits = predicted == y
        return float(hits.mean()), float(hits.std() / np.sqrt(len(y)))
    errors, whole = (predicted - y) ** 2, (y - y.mean()) ** 2
    share = errors.sum() / whole.sum()
    moved = (errors - share * whole) / whole.mean()
    return float(1 - share), float(moved.std() / np.sqrt(len(y)))


def searched(X, y, split: int, n: int, *, classes: bool) -> dict:
    """Search on a split; give what was told, from what, and what is true."""
    train, test, y_train, y_test = split_of(X, y, split, n, classes=classes)
    folds = StratifiedKFold if classes else KFold
    candidates = classifiers() if classes else regressors()
    names = list(candidates)
    np.random.default_rng(split).shuffle(names)
    gathered = {}

    def gather(refit) -> None:
        begun = time.perf_counter()
        evidence = evidence_of(refit, float(refit.given.best_score_))
        evidence.judged()
        gathered.update(seconds=time.perf_counter() - begun, evidence=as_plain(evidence))

    search = cw.CurveSearchCV(
        {name: candidates[name] for name in names},
        cv=folds(5, shuffle=True, random_state=split),
        policy=cw.Race(),
        keep_predictions="best",
        learning_curve=True,
        random_state=0,
    ).equip(cw.SearchExtras(lastly=(gather,)))
    begun = time.perf_counter()
    search.fit(train, y_train)
    seconds = time.perf_counter() - begun
    score, error = measured(search.best_estimator_, test, y_test, classes=classes)
    return {
        "n": len(y_train),
        "classes": classes,
        "test": score,
        "error": error,
        "search_seconds": seconds,
        **gathered,
    }


def as_plain(evidence: ChoiceEvidence) -> dict:
    """Write the evidence as JSON can."""
    noise = evidence.noise
    return {
        **{name: getattr(evidence, name) for name in NUMBERS},
        "table": numbers(evidence.table),
        "variances": noise.variances.tolist(),
        "kept": noise.kept.tolist(),
        "correlations": numbers(noise.correlations.round(4)),
        "how": noise.how,
        "points": [list(point) for point in evidence.points],
        "scale": [evidence.scale.best, evidence.scale.unit],
    }


def numbers(table) -> list:
    """Give a table as lists, with None for what is unknown."""
    return np.where(np.isnan(table), None, table).tolist()


def as_evidence(plain: dict) -> ChoiceEvidence:
    """Read it back."""
    noise = ChoiceNoise(
        np.array(plain["variances"]),
        np.array(plain["kept"], dtype=int),
        np.array(plain["correlations"], dtype=float).reshape(2 * (len(plain["kept"]),)),
        plain["how"],
    )
    return ChoiceEvidence(
        **{name: plain[name] for name in NUMBERS},
        table=np.array(plain["table"], dtype=float),
        noise=noise,
        points=[LowerAnchor(*point) for point in plain["points"]],
        usual=USUAL,
        scale=Scale(*plain["scale"]),
    )


def record(
    paths: list[Path], results: Path, *, sizes: list[int], n_splits: int, seconds: float
) -> None:
    """Search on all splits that are not there yet; of each table some before more of each."""
    known = {(row["table"], row["split"]) for row in rows_of(results)}
    until = time.monotonic() + seconds
    for first in range(0, n_splits, len(SIZES)):
        splits = range(first, min(first + len(SIZES), n_splits))
        for path in paths:
            missing = [split for split in splits if (path.stem, split) not in known]
            table = load(path) if missing else None
            if table is None or len(table[1]) < FEWEST_TIMES * max(sizes):
                continue
            for split in missing:
                if time.monotonic() > until:
                    return
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    row = searched(*table[:2], split, sizes[split % len(sizes)], classes=table[2])
                with results.open("a") as file:
                    file.write(json.dumps({"table": path.stem, "split": split, **row}) + "\n")


def rows_of(results: Path) -> list[dict]:
    """Read the results that are there."""
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text().splitlines()]


def judged(row: dict) -> dict:
    """Judge a split anew."""
    honest, test = as_evidence(row["evidence"]).judged(), row["test"]
    noise = NormalDist().inv_cdf((1 + honest.level) / 2) * row["error"]
    low = honest.score - np.hypot(honest.score - honest.interval.low, noise)
    high = honest.score + np.hypot(honest.interval.high - honest.score, noise)
    return {
        "raw": honest.raw - test,
        "honest": honest.score - test,
        "optimism": honest.optimism,
        "growth": honest.growth,
        "held": low <= test <= high,
        "held by the interval alone": honest.interval.low <= test <= honest.interval.high,
        "width": honest.interval.width,
    }


def over_tables(rows: list[dict], name: str) -> str:
    """Give the mean over tables of their means, and its standard error."""
    tables = defaultdict(list)
    for row in rows:
        tables[row["table"]].append(row[name])
    means = np.array([np.mean(values) for values in tables.values()])
    error = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.nan
    return f"{means.mean():+.4f} ± {error:.4f}"


def show(rows: list[dict]) -> None:
    """Print what was found, for all and by kind."""
    rows = [{**row, **judged(row)} for row in rows]
    kinds = {
        "all": rows,
        "classes": [row for row in rows if row["classes"]],
        "numbers": [row for row in rows if not row["classes"]],
        **{f"{n} rows": [row for row in rows if row["n"] == n] for n in SIZES},
    }
    print("| | tables | splits | raw - test | honest - test | held | by the interval alone |")
    print("|---|---|---|---|---|---|---|")
    for kind, some in kinds.items():
        if some:
            n_tables = len({row["table"] for row in some})
            held, alone = (
                np.mean([row[name] for row in some])
                for name in ("held", "held by the interval alone")
            )
            told = " | ".join(over_tables(some, name) for name in ("raw", "honest"))
            print(f"| {kind} | {n_tables} | {len(some)} | {told} | {held:.1%} | {alone:.1%} |")
    for name in ("optimism", "growth", "width"):
        print(f"mean {name}: {np.mean([row[name] for row in rows]):.4f}")
    share = sum(row["seconds"] for row in rows) / sum(row["search_seconds"] for row in rows)
    print(f"seconds of judging: {np.mean([row['seconds'] for row in rows]):.4f}, {share:.1%}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", type=Path, help="folders or Parquet files")
    parser.add_argument("--results", type=Path, required=True, help="a file of JSON lines")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--splits", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--part", default="0/1", help="such as 0/2: every second table")
    parser.add_argument("--by-table", action="store_true", help="print a line for each table")
    arguments = parser.parse_args()
    files = [
        sorted(path.glob("*.parquet")) if path.is_dir() else [path] for path in arguments.tables
    ]
    part, of = map(int, arguments.part.split("/"))
    paths = [path for several in files for path in several][part::of]
    limits = {"n_splits": arguments.splits, "seconds": arguments.seconds}
    record(paths, arguments.results, sizes=arguments.sizes, **limits)
    rows = rows_of(arguments.results)
    if rows and not arguments.tables:
        show(rows)
        if arguments.by_table:
            for table in sorted({row["table"] for row in rows}):
                some = [{**row, **judged(row)} for row in rows if row["table"] == table]
                told = {name: np.mean([row[name] for row in some]) for name in ("raw", "honest")}
                held = np.mean([row["held"] for row in some])
                print(f"{table}: raw {told['raw']:+.4f}, honest {told['honest']:+.4f}, {held:.0%}")


if __name__ == "__main__":
    main()
