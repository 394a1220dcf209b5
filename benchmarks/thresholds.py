"""Thresholds from out-of-fold predictions against scikit-learn's `TunedThresholdClassifierCV`.

    python benchmarks/thresholds.py --splits 10

Bundled tables with two classes, half of the rows held out, many times. Both choose a threshold for
the same model on five folds: ours from the predictions that a search has kept, scikit-learn's by
fitting the model once more for each fold, and then on all rows. What is told of ours is compared
with what the held-out rows say. Seconds are those of choosing, with the fits that it needs.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise.automl import CurveAutoMLClassifier
from curvewise.automl._threshold import threshold_wish
from curvewise.automl._winner_predictions import WinnerPredictions

MODELS = {
    "linear": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    "bayes": GaussianNB(),
    "forest": RandomForestClassifier(50, random_state=0),
}
METRICS = ("f1", "balanced_accuracy")


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Give tables with two classes, most of them unbalanced."""
    cancer, wine, digits = load_breast_cancer(), load_wine(), load_digits()
    return {
        "breast_cancer, 4 columns": (cancer.data[:, [1, 4, 9, 18]], 1 - cancer.target),
        "wine, third class, 3 columns": (wine.data[:, [1, 2, 4]], (wine.target == 2).astype(int)),
        "digits, 8": (digits.data, (digits.target == 8).astype(int)),
        "digits, 3, 16 pixels": (digits.data[:, ::4], (digits.target == 3).astype(int)),
    }


def ours(model, metric: str, X, y, cv):
    """Search with a single candidate; give the fitted estimator, and the seconds of choosing."""
    automl = CurveAutoMLClassifier(
        space=lambda _: clone(model),
        n_iter=1,
        cv=cv,
        timeout_per_candidate=None,
        tune_threshold=metric,
        random_state=0,
    ).fit(X, y)
    (kept,) = automl.oof_predictions_.values()
    parts = [test for _, test in cv.split(X, y)]
    found = WinnerPredictions(kept.method, kept.values, kept.places, y, kept.classes, parts)
    begun = time.perf_counter()
    threshold_wish(metric, y).of(found)
    return automl, time.perf_counter() - begun


def theirs(model, metric: str, X, y, cv):
    """Let scikit-learn tune the threshold; give what it fitted, and the seconds."""
    begun = time.perf_counter()
    tuned = TunedThresholdClassifierCV(model, scoring=metric, cv=cv).fit(X, y)
    return tuned, time.perf_counter() - begun


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--model", action="append", choices=list(MODELS))
    arguments = parser.parse_args()
    print("table | model | metric | default | ours | told | scikit-learn | tuned | times cheaper")
    rows = []
    for name, (X, y) in tables().items():
        for chosen in arguments.model or MODELS:
            for metric in METRICS:
                row = compared(X, y, MODELS[chosen], metric, arguments.splits)
                rows.append(row)
                shown = " | ".join(f"{value:.4f}" for value in row[:4])
                print(f"{name} | {chosen} | {metric} | {shown} | {row[4]:.0%} | {row[5]:.0f}")
    means = np.mean(rows, axis=0)
    print("mean | | | " + " | ".join(f"{value:.4f}" for value in means[:4]))


def compared(X, y, model, metric: str, n_splits: int) -> list[float]:
    """Give means over the splits: default, ours, told, scikit-learn, share tuned, cost ratio."""
    scorer, found = get_scorer(metric), []
    for seed in range(n_splits):
        train, test, y_train, y_test = train_test_split(
            X, y, test_size=0.5, stratify=y, random_state=seed
        )
        cv = StratifiedKFold(5, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            automl, seconds = ours(model, metric, train, y_train, cv)
            tuned, longer = theirs(model, metric, train, y_train, cv)
            told = automl.threshold_
            found.append(
                [
                    scorer(automl.search_.best_estimator_, test, y_test),
                    scorer(automl.best_estimator_, test, y_test),
                    max(told.score, told.default_score),
                    scorer(tuned, test, y_test),
                    told.tuned,
                    longer / seconds,
                ]
            )
    return np.mean(found, axis=0).tolist()


if __name__ == "__main__":
    main()
