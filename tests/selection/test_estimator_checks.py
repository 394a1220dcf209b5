"""`CurveSearchCV` passes scikit-learn's checks for estimators."""

from dataclasses import dataclass

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import parametrize_with_checks

from curvewise import LCCV, CurveSearchCV

COSTS = {"C": [0.1, 1.0]}
PENALTIES = {"alpha": [0.1, 1.0]}

# As scikit-learn checks its own searches.
RAISING = {"cv": 2, "error_score": "raise"}


@dataclass
class Uniform:
    """A distribution that reads the same in every process, as the names of tests have to."""

    low: float
    high: float

    def rvs(self, random_state=None):
        return check_random_state(random_state).uniform(self.low, self.high)


SEARCHES = [
    CurveSearchCV(LogisticRegression(), COSTS, **RAISING),
    CurveSearchCV(Ridge(), PENALTIES, **RAISING),
    CurveSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.1, 1.0]},
        **RAISING,
    ),
    CurveSearchCV(Ridge(), {"alpha": Uniform(0.1, 2)}, n_iter=2, random_state=0, **RAISING),
    CurveSearchCV([GaussianNB(), GaussianNB(var_smoothing=0.01)], **RAISING),
    CurveSearchCV({"weak": Ridge(alpha=0.1), "strong": Ridge()}, policy=LCCV(), **RAISING),
]
FORGIVING = [
    CurveSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, cv=2),
    CurveSearchCV(Ridge(), PENALTIES, cv=2),
]

# What the checks skip on this machine, and what solvers and metrics say about tiny data.
pytestmark = pytest.mark.filterwarnings("ignore")


@parametrize_with_checks(SEARCHES)
def test_a_search_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@parametrize_with_checks(FORGIVING)
def test_a_search_that_forgives_failures_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)
