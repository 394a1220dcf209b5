"""naiveautoml's search with four evaluations: k-fold, LCCV twice, and CurveEvaluation.

    python benchmarks/naiveautoml_search.py TABLE.parquet ... [--seeds 0] [--hpo 10] [--timeout 20]
        [--only NAME ...] [--leave-out NAME ...] [--json out.json]

How naiveautoml 0.1.6 is installed beside curvewise is said in ``docs/how-to/naiveautoml.md``. Each
table is a Parquet file of numbers with its label in the column ``target``; a fifth of the rows is
set aside. All evaluations have the same search (the default pipelines slot by slot, then random
settings of the best, from the same seed), the same limit by naiveautoml, five folds or LCCV with at
most five repeats of 80%, accuracy, one thread.

*lccv* is naiveautoml's own, whose threshold is the score of the last pipeline; *lccv, best kept*
is the same with the best score as its threshold. Counted are CPU seconds with those of ended child
processes, fits, evaluations with a score; *test* is the accuracy on the rows set aside of the best
pipeline by the method's own scores, fitted on all others. naiveautoml 0.1.6 itself fits the best of
the first phase, whatever the second finds: *its own choice*.
"""

import argparse
import json
import math
import multiprocessing
import resource
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from naiveautoml import NaiveAutoML
from naiveautoml.algorithm_selection._pipeline import Pipeline
from naiveautoml.evaluators import KFoldEvaluator, LccvEvaluator
from naiveautoml.hpo.random_search import RandomHPO
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import LabelEncoder
from threadpoolctl import threadpool_limits

from curvewise import CurveEvaluation

N_FOLDS = 5
METRIC = "accuracy"
STEPS = ("data-pre-processor", "feature-pre-processor")
# Some pipelines are evaluated in a fork of this process: the count must be shared with it.
N_FITS = multiprocessing.Value("q", 0)


class BestKept(LccvEvaluator):
    """naiveautoml's LCCV with the best score so far as its threshold."""

    def update(self, pl, scores):
        """Keep the better threshold."""
        score = scores[METRIC]
        self.r = score if self.r is None or score > self.r else self.r


class SeededSearch(RandomHPO):
    """naiveautoml's search for settings, from a seed."""

    def __init__(self, seed):
        super().__init__(logger=None)
        self._seed = seed

    def reset(self, **given):
        """Begin with the space of the best pipeline."""
        super().reset(**given)
        self.config_space.seed(self._seed)


class Watched:
    """Hands an evaluation's answers through, and keeps the best pipeline."""

    def __init__(self, evaluation):
        self.evaluation = evaluation
        self.best_score, self.best = -math.inf, None
        self.n_evaluations = self.n_scores = 0

    def __call__(self, *given):
        """Evaluate, perhaps in a fork."""
        return self.evaluation(*given)

    def update(self, pipeline, scores):
        """Note what came of it, in this process."""
        if hasattr(self.evaluation, "update"):
            self.evaluation.update(pipeline, scores)
        self.n_evaluations += 1
        self.n_scores += int(not math.isnan(scores[METRIC]))
        if scores[METRIC] > self.best_score:
            self.best_score, self.best = scores[METRIC], clone(pipeline)

    def estimate_runtime(self, *given):
        """Foresee seconds."""
        return self.evaluation.estimate_runtime(*given)


def kfold(seed):
    """Five folds of every pipeline."""
    return KFoldEvaluator("classification", seed, kwargs_evaluation_fun={"n_splits": N_FOLDS})


def race(seed):
    """Ours, on the folds of k-fold."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    return CurveEvaluation(cv=folds, random_state=seed)


METHODS = {
    "k-fold": kfold,
    "lccv": lambda seed: LccvEvaluator("classification", random_state=seed),
    "lccv, best kept": lambda seed: BestKept("classification", random_state=seed),
    "CurveEvaluation": race,
}


def count_fits():
    """Let the fits of all pipelines be counted."""
    fit = Pipeline.fit

    def counted(self, *given, **options):
        with N_FITS.get_lock():
            N_FITS.value += 1
        return fit(self, *given, **options)

    Pipeline.fit = counted


def cpu_seconds():
    """CPU seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def search(method, X, y, *, seed, arguments):
    """Let naiveautoml search with one evaluation; give what it cost and found."""
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.2, stratify=y, random_state=seed
    )
    np.random.seed(seed)  # noqa: NPY002 - naiveautoml's learners have no seed of their own.
    watched = Watched(METHODS[method](seed))
    hpo = SeededSearch(seed)
    automl = NaiveAutoML(
        task_type="classification",
        scoring=METRIC,
        evaluation_fun=watched,
        hp_optimizer=hpo,
        max_hpo_iterations=arguments.hpo,
        timeout_candidate=arguments.timeout,
        kwargs_as={
            "excluded_components": {"learner": arguments.leave_out},
            "excluded_steps": [step for step in STEPS if step in arguments.leave_out],
        },
        random_state=seed,
    )
    hpo.logger = automl.logger
    N_FITS.value = 0
    begun, cpu = time.perf_counter(), cpu_seconds()
    automl.fit(X_train, y_train)
    row = {
        "method": method,
        "seed": seed,
        "cpu": cpu_seconds() - cpu,
        "wall": time.perf_counter() - begun,
        "fits": N_FITS.value,
        "evaluations": watched.n_evaluations,
        "scores": watched.n_scores,
        "timeouts": int((automl.history.status == "timeout").sum()),
        "own": automl.chosen_model.score(X_test, y_test),
    }
    best = watched.best.fit(X_train, y_train)
    return row | {"test": best.score(X_test, y_test), "chosen": type(best[-1]).__name__}


def show(row, whole):
    """Print one line."""
    print(
        f"{row['table']:20}{row['method']:18}{row['cpu']:9.1f}{row['cpu'] / whole['cpu']:7.2f}"
        f"{row['wall']:9.1f}{row['fits']:7,}{row['evaluations']:6}{row['scores']:6}"
        f"{row['timeouts']:6}{row['test']:9.4f}{row['own']:9.4f}  {row['chosen']}",
        flush=True,
    )


def summarise(rows):
    """Print the means over all searches."""
    table = pd.DataFrame(rows).set_index(["table", "seed"])
    whole = table[table.method == "k-fold"]
    for method, part in table.groupby("method", sort=False):
        ratios = part.cpu / whole.cpu
        difference = part.test - whole.test
        print(
            f"{method:18} CPU {part.cpu.sum():8.0f} s, ratio of sums "
            f"{part.cpu.sum() / whole.cpu.sum():.2f}, mean ratio {ratios.mean():.2f}, "
            f"fits {part.fits.sum():,}, test {part.test.mean():.4f} "
            f"(against k-fold {difference.mean():+.4f}), own choice {part.own.mean():.4f}"
        )


def main():
    """Read the arguments and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--hpo", type=int, default=10)
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument(
        "--leave-out", nargs="+", default=[], help=f"parts of learners' names, or {STEPS}"
    )
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    count_fits()
    print(
        f"{'table':20}{'evaluation':18}{'CPU s':>9}{'ratio':>7}{'wall s':>9}{'fits':>7}{'eval':>6}"
        f"{'score':>6}{'late':>6}{'test':>9}{'own':>9}  chosen"
    )
    rows = []
    for path in arguments.tables:
        frame = pd.read_parquet(path)
        X = frame.drop(columns="target").to_numpy(dtype=float)
        y = LabelEncoder().fit_transform(frame["target"].astype(str))
        for seed in arguments.seeds:
            first = len(rows)
            for method in arguments.only:
                with threadpool_limits(limits=1):
                    row = search(method, X, y, seed=seed, arguments=arguments)
                rows.append({"table": path.stem.split("-")[-1], "rows": len(y), **row})
                show(rows[-1], rows[first])
                if arguments.json:
                    arguments.json.write_text(json.dumps(rows, indent=1))
    if "k-fold" in arguments.only:
        summarise(rows)


if __name__ == "__main__":
    main()
