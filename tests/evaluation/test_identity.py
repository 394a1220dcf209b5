"""What tells one estimator, scorer or splitter from another."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from curvewise._evaluation.identity import identity

LONG = np.arange(5000.0)
OTHER = np.where(np.arange(5000) == 2500, -1.0, LONG)


def double(X):
    return 2 * X


def with_prior(priors):
    return make_pipeline(StandardScaler(), GaussianNB(priors=priors))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LogisticRegression(C=1), LogisticRegression(C=2)),
        (with_prior(LONG), with_prior(OTHER)),
        (lambda e, X, y: 1.0, lambda e, X, y: -1.0),
        (make_scorer(f1_score), make_scorer(f1_score, average="macro")),
        (KFold(3), KFold(3, shuffle=True, random_state=0)),
        (FunctionTransformer(double), FunctionTransformer(np.log1p)),
        ({"a": 1}, {"a": 2}),
        ([1, 2], [2, 1]),
        (1, 1.0),
        (LogisticRegression, GaussianNB),
    ],
    ids=[
        "numbers",
        "long arrays",
        "functions",
        "scorers",
        "splitters",
        "transformers",
        "dicts",
        "lists",
        "types",
        "classes",
    ],
)
def test_what_differs_has_another_identity(one, other):
    assert identity(one) != identity(other)
    assert identity(one) == identity(one)


def test_copies_are_the_same():
    assert identity(with_prior(LONG)) == identity(with_prior(LONG.copy()))


def test_it_is_the_same_in_another_process():
    script = (
        "import numpy as np; from sklearn.pipeline import make_pipeline;"
        "from sklearn.preprocessing import FunctionTransformer;"
        "from sklearn.model_selection import KFold;"
        "from curvewise._evaluation.identity import identity;"
        "print(identity([FunctionTransformer(np.log1p), KFold(3), lambda x: x + 1]))"
    )

    answers = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }

    assert len(answers) == 1
