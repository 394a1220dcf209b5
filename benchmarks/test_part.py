"""What LCCV should test on at inner anchors: the fold's test part, or all rows not trained on.

    python benchmarks/test_part.py TABLE.parquet ... [--seeds 2] [--every 2] [--out test_part.csv]

Every learner is fitted once per fold and anchor, and scored on both test parts and on its training
rows; then searches are played on these records, in a random order of the learners. Seconds are
those of the processor, for fitting and for predicting the rows that a policy asks for. Cost:
seconds as a ratio to k-fold on the same splits. Gap: how much worse the choice's mean over the
folds is.
"""

import argparse
import csv
import os
from pathlib import Path
from statistics import fmean
from time import process_time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from noise import learners
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit

import curvewise as cw
from curvewise._evaluation.folds import Folds
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables import read_table
from curvewise.core._policies.policy_text import parse_policy
from curvewise.core._policy import demands_of

POLICIES = {
    "kfold": "kfold",
    "lccv": "lccv:test_part=fold",
    "lccv, rest": "lccv:test_part=rest",
    "lccv, training": "lccv:test_part=fold:prune_by_training=True",
    "lccv, rest, training": "lccv:test_part=rest:prune_by_training=True",
    "lccv, no pruning": "lccv:prune=False",
}
SPLITS = {"80": (0.8, 5), "90": (0.9, 10)}


class Stage:
    """One table, one set of splits: what fitting and predicting gave and took, found out once."""

    def __init__(self, X, y, *, train_size, n_folds, seed, every):
        splitter = StratifiedShuffleSplit(n_folds, train_size=train_size, random_state=seed)
        self.X, self.y = X, y
        self.learners = learners(of_classes=True)[::every]
        self.folds = Folds(X, y, cv=splitter, classifier=True, random_state=seed)
        self.order = np.random.default_rng(seed).permutation(len(self.learners)).tolist()
        self._known = {}

    def measure(self, task):
        """Give loss and seconds on each part: fold, rest, train; and the seconds of the fit."""
        if task not in self._known:
            train = self.folds.train(task.fold, task.anchor)
            inner = task.anchor if task.anchor < self.folds.target else None
            parts = {
                "fold": self.folds.test(task.fold),
                "rest": self.folds.test(task.fold, outside=inner),
                "train": train,
            }
            begun = process_time()
            model = clone(self.learners[task.candidate]).fit(self.X[train], self.y[train])
            fitting = process_time() - begun
            self._known[task] = fitting, {name: self._score(model, parts[name]) for name in parts}
        return self._known[task]

    def _score(self, model, rows):
        begun = process_time()
        loss = float(np.mean(model.predict(self.X[rows]) != self.y[rows]))
        return loss, process_time() - begun

    def play(self, policy):
        """Search with a policy; give the search, and the seconds of fitting and predicting."""
        asked = demands_of(policy)
        search = cw.Search(
            self.order, schedule=self.folds.target, policy=policy, n_folds=len(self.folds)
        )
        fits = predictions = 0.0
        while not search.done:
            for task in search.ask():
                fitting, parts = self.measure(task)
                loss, predicting = parts[asked.test_part]
                if asked.train_scores:
                    predicting += parts["train"][1]
                trained = {"accuracy": 1 - parts["train"][0]}
                seconds = fitting + predicting
                search.tell(cw.Observation(task, loss, seconds=seconds, train_scores=trained))
                fits, predictions = fits + fitting, predictions + predicting
        return search, fits, predictions

    def truth(self, candidate):
        """The mean loss of a candidate over all folds of the target."""
        tasks = [cw.Task(candidate, self.folds.target, fold) for fold in range(len(self.folds))]
        return fmean(self.measure(task)[1]["fold"][0] for task in tasks)


def load(path):
    """Read a table, and prepare it as a whole: what is compared does not depend on it."""
    table = read_table(path)
    X = np.asarray(TablePreparation().fit_transform(table.X), dtype=float)
    return Path(path).stem, X, np.unique(np.asarray(table.y).astype(str), return_inverse=True)[1]


def rows_of(text, seeds, every):
    """Play every policy on one table."""
    name, X, y = load(text)
    for seed in range(seeds):
        for split, (train_size, n_folds) in SPLITS.items():
            stage = Stage(X, y, train_size=train_size, n_folds=n_folds, seed=seed, every=every)
            reference, best = None, None
            for label, policy in POLICIES.items():
                search, fitting, predicting = stage.play(parse_policy(policy))
                seconds = fitting + predicting
                reference = reference or seconds
                best = search.best.candidate if best is None else best
                statuses = [result.status.value for result in search.results.values()]
                yield {
                    "table": name,
                    "seed": seed,
                    "split": split,
                    "method": label,
                    "cost": seconds / reference,
                    "predicting": predicting / seconds,
                    "pruned": statuses.count("pruned"),
                    "gap": stage.truth(search.best.candidate) - stage.truth(best),
                }


def main():
    """Print a line per table, and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="take every n-th learner only")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows = []
    for text in given.tables:
        rows += rows_of(text, given.seeds, given.every)
        if given.out is not None:
            with given.out.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(rows)
    for split in SPLITS:
        for label in POLICIES:
            own = [row for row in rows if (row["split"], row["method"]) == (split, label)]
            means = {key: fmean(row[key] for row in own) for key in own[0] if key in MEANS}
            worst = max(row["gap"] for row in own)
            figures = "  ".join(f"{key} {value:.4f}" for key, value in means.items())
            print(f"{split}  {label:22}  {figures}  worst gap {worst:.4f}")


MEANS = ("cost", "predicting", "pruned", "gap")

if __name__ == "__main__":
    main()
