"""Record the learning curves that the tests and the demo replay.

    python examples/record_curves.py examples/curves/bundled.parquet

Data: scikit-learn's bundled sets and tasks derived from them. Splits as in the Learning Curve
Database: a tenth of the rows for the test error, a tenth of the rest for the validation error, the
same for every learner; training sets are nested, 32, 64, 128, ... rows and all. Takes a few
minutes; the seconds in the file are those of the machine it ran on.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from threadpoolctl import threadpool_limits

LEARNERS = {
    "BernoulliNB": BernoulliNB(),
    "DecisionTree": DecisionTreeClassifier(random_state=0),
    "ExtraTree": ExtraTreeClassifier(random_state=0),
    "ExtraTrees": ExtraTreesClassifier(50, random_state=0),
    "GaussianNB": GaussianNB(),
    "KNeighbors": KNeighborsClassifier(),
    "LDA": LinearDiscriminantAnalysis(),
    "LogisticRegression": LogisticRegression(max_iter=200),
    "Perceptron": Perceptron(random_state=0),
    "NearestCentroid": NearestCentroid(),
    "RandomForest": RandomForestClassifier(50, random_state=0),
    "Ridge": RidgeClassifier(),
    "SGD": SGDClassifier(random_state=0),
    "SVC_linear": SVC(kernel="linear"),
    "SVC_poly": SVC(kernel="poly"),
    "SVC_rbf": SVC(),
}


def datasets():
    """Name the data sets: bundled ones, and tasks derived from them."""
    digits, labels = load_digits(return_X_y=True)
    noisy = digits + np.random.default_rng(0).normal(0, 6, digits.shape)
    yield "digits", digits, labels
    yield "digits-parity", digits, labels % 2
    yield "digits-above-four", digits, (labels > 4).astype(int)
    yield "digits-noisy", noisy, labels
    yield "digits-every-third-pixel", digits[:, ::3], labels
    yield "breast-cancer", *load_breast_cancer(return_X_y=True)


def sizes(n_rows):
    """Give the powers of two from 32 on, then all rows."""
    powers = [2**e for e in range(5, 30) if 2**e < n_rows]
    return [*powers, n_rows]


def curve(learner, X, y, seed):
    """Fit one learner on growing parts of one split."""
    rest, X_test, y_rest, y_test = train_test_split(
        X, y, test_size=0.1, random_state=seed, stratify=y
    )
    X_train, X_valid, y_train, y_valid = train_test_split(
        rest, y_rest, test_size=0.1, random_state=seed, stratify=y_rest
    )
    for n in sizes(len(X_train)):
        model = clone(learner)
        start = time.perf_counter()
        model.fit(X_train[:n], y_train[:n])
        seconds = time.perf_counter() - start
        yield {
            "anchor": n,
            "valid_err": round(10_000 * (1 - model.score(X_valid, y_valid))),
            "test_err": round(10_000 * (1 - model.score(X_test, y_test))),
            "fit_time": seconds,
            "n_valid": len(X_valid),
        }


def record(n_seeds):
    """Give one row per evaluation."""
    for dataset, X, y in datasets():
        for name, learner in LEARNERS.items():
            for seed in range(n_seeds):
                for row in curve(learner, X, y, seed):
                    yield {"dataset": dataset, "learner": name, "seed": seed, **row}
        print(f"recorded {dataset}: {len(X)} rows")


def main():
    """Write the file that is named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--seeds", type=int, default=15)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        rows = list(record(arguments.seeds))
    schema = pa.schema(
        [
            ("dataset", pa.dictionary(pa.int8(), pa.string())),
            ("learner", pa.dictionary(pa.int8(), pa.string())),
            ("seed", pa.int16()),
            ("anchor", pa.int32()),
            ("valid_err", pa.int16()),
            ("test_err", pa.int16()),
            ("fit_time", pa.float32()),
            ("n_valid", pa.int32()),
        ]
    )
    parquet.write_table(pa.Table.from_pylist(rows, schema), arguments.path, compression="zstd")


if __name__ == "__main__":
    main()
