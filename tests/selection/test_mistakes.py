"""A user who makes a mistake is told what is wrong, with which value, and what to do."""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise import CurveSearchCV, InvalidParameterError, NoResultError, Race
from curvewise.errors import StoreError

X, y = load_iris(return_X_y=True)
HOLED = X.copy()
HOLED[3, 1] = np.nan
BAYES = GaussianNB()
SPACE = {"var_smoothing": [1e-9, 1e-2]}
RIDGE = Ridge()
PENALTIES = {"alpha": [0.1, 1.0]}
TWO_METRICS = ["accuracy", "f1_macro"]


def draw(rng):
    return GaussianNB(var_smoothing=rng.uniform())


@dataclass
class Mistake:
    """A search that cannot work, and what the user is told."""

    message: str
    estimator: Any = BAYES
    space: Any = None
    settings: dict = field(default_factory=dict)
    data: tuple = (X, y)
    params: dict = field(default_factory=dict)
    error: type[Exception] = InvalidParameterError


def setting(message, **settings):
    """A setting that cannot work, of a search that would."""
    return Mistake(message, BAYES, SPACE, settings)


MISTAKES = {
    "a metric that does not exist": setting(
        "scoring='acuracy' is not a scorer of scikit-learn; did you mean 'accuracy'",
        scoring="acuracy",
    ),
    "a metric of several that does not exist": setting(
        "scoring='luck' is not a scorer of scikit-learn",
        scoring=["accuracy", "luck"],
        refit="accuracy",
    ),
    "a metric function": setting(
        "looks like it is a metric function rather than a scorer", scoring=accuracy_score
    ),
    "no metric": setting("scoring must have at least one metric, got []", scoring=[], refit=False),
    "scoring of a wrong type": setting("scoring must be a name, a callable, a list", scoring=3),
    "no score": Mistake(
        "StandardScaler has no score of its own; name a metric in scoring",
        StandardScaler(),
        {"with_mean": [True, False]},
    ),
    "more folds than a class has members": setting(
        "cv=60 cannot split the data: n_splits=60 cannot be greater than the number of members in "
        "each class",
        cv=60,
    ),
    "a single fold": setting("cv=1 cannot split the data", cv=1),
    "cv of a wrong type": setting("cv='five' cannot split the data: Expected `cv`", cv="five"),
    "groups that are missing": setting(
        "The 'groups' parameter should not be None", cv=GroupKFold(3)
    ),
    "a constant class": Mistake(
        "y has a single class", BAYES, SPACE, data=(X, np.zeros(150, dtype=int))
    ),
    "a constant target": Mistake("y has a single value", RIDGE, PENALTIES, data=(X, np.ones(150))),
    "y of a different length": Mistake(
        "inconsistent numbers of samples: [150, 149]",
        BAYES,
        SPACE,
        data=(X, y[:-1]),
        error=ValueError,
    ),
    "y that is missing": Mistake("GaussianNB requires y to be passed", BAYES, SPACE, data=(X,)),
    "groups of a different length": Mistake(
        "groups must have as many rows as X, got 149 for 150",
        BAYES,
        SPACE,
        {"cv": GroupKFold(3)},
        params={"groups": y[:-1]},
    ),
    "one row": Mistake("X must have at least 2 rows", BAYES, SPACE, data=(X[:1], y[:1])),
    "holes that no candidate can take": Mistake(
        "No candidate gave a result; the commonest reason, 2 of 2: ValueError: Input X contains "
        "NaN",
        RidgeClassifier(),
        PENALTIES,
        data=(HOLED, y),
        error=NoResultError,
    ),
    "a parameter of fit that does not exist": Mistake(
        "got an unexpected keyword argument 'sample_wait'",
        BAYES,
        SPACE,
        params={"sample_wait": np.ones(150)},
        error=NoResultError,
    ),
    "no space": Mistake("There is nothing to search over: give a space for GaussianNB"),
    "an empty space": Mistake("space is empty: there is nothing to search over", BAYES, {}),
    "an empty list of spaces": Mistake("space is empty", BAYES, []),
    "a list with an empty space": Mistake("space is empty", BAYES, [SPACE, {}]),
    "a parameter without values": Mistake(
        "'var_smoothing' need to be a non-empty sequence",
        BAYES,
        {"var_smoothing": []},
        error=ValueError,
    ),
    "a parameter with a single value": Mistake(
        "Single values need to be wrapped in a list", BAYES, {"var_smoothing": 1}, error=TypeError
    ),
    "a space that is text": Mistake(
        "space must be a dictionary of lists or distributions, or a list of such, got 'C'",
        BAYES,
        "C",
    ),
    "a space that is a list of lists": Mistake("space must be a dictionary", BAYES, [["C"]]),
    "a parameter that does not exist": Mistake(
        "Invalid parameter 'smoothing' for estimator GaussianNB()",
        BAYES,
        {"smoothing": [1]},
        error=ValueError,
    ),
    "a class": Mistake(
        "estimator must be an estimator, got the class GaussianNB; write GaussianNB()",
        GaussianNB,
        SPACE,
    ),
    "a class without a space": Mistake("got the class GaussianNB; write GaussianNB()", GaussianNB),
    "a class among candidates": Mistake(
        "The candidate 'GaussianNB' must be an estimator, got the class GaussianNB",
        [RidgeClassifier(), GaussianNB],
    ),
    "a class among named candidates": Mistake(
        "The candidate 'bayes' must be an estimator, got the class", {"bayes": GaussianNB}
    ),
    "text": Mistake("estimator must be an estimator, got 'bayes'", "bayes"),
    "nothing": Mistake("estimator must be an estimator, got None", None),
    "candidates and a space": Mistake("estimator must be an estimator, got [", [BAYES], SPACE),
    "no candidates": Mistake("There are no candidates: give at least one estimator", []),
    "no named candidates": Mistake("There are no candidates", {}),
    "a sampler without an end": Mistake(
        "say how many to draw (n_iter) or for how long (time_budget)", draw
    ),
    "a sampler of other things": Mistake(
        "The candidate 'int' must be an estimator, got 3", lambda rng: 3, settings={"n_iter": 2}
    ),
    "a sampler of nothing": Mistake("There are no candidates", iter([]), settings={"n_iter": 3}),
    "no draws": setting("n_iter must be at least 1, got 0", n_iter=0),
    "half a draw": setting("n_iter must be a whole number, got 2.5", n_iter=2.5),
    "no jobs": setting("n_jobs must be a whole number other than 0", n_jobs=0),
    "half a job": setting("n_jobs must be a whole number other than 0", n_jobs=0.5),
    "a negative budget": setting("must be above 0, got -1", time_budget=-1),
    "no time for a candidate": setting(
        "timeout_per_candidate must be above 0, got 0", timeout_per_candidate=0
    ),
    "a negative time for a fit": setting(
        "timeout_per_fit must be above 0, got -5", timeout_per_fit=-5
    ),
    "negative memory": setting("memory_limit must be a positive number of bytes", memory_limit=-1),
    "memory in an unknown unit": setting(
        "memory_limit must be a positive number of bytes or text such as '4GB'",
        memory_limit="5 parsecs",
    ),
    "no test rows": setting("test_cap must be at least 1, got 0", test_cap=0),
    "a refit of a wrong type": setting("refit must be True, False, the name of a metric", refit=3),
    "several metrics without a choice": setting(
        "the parameter refit must be set to a scorer key", scoring=TWO_METRICS
    ),
    "a choice that is none of the metrics": setting(
        "'recall' was passed, and the metrics are ['accuracy', 'f1_macro']",
        scoring=TWO_METRICS,
        refit="recall",
    ),
    "an error score of a wrong type": setting(
        "error_score must be a number or 'raise', got 'ignore'", error_score="ignore"
    ),
    "a class of policies": setting("policy must be a policy such as Race()", policy=Race),
    "a store without a seed": setting(
        "needs a number as random_state, got None", store="runs.sqlite"
    ),
    "a store in a folder that does not exist": Mistake(
        "There is no folder /nowhere: create it first",
        BAYES,
        SPACE,
        {"store": "/nowhere/runs.sqlite", "random_state": 0},
        error=StoreError,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named(mistake):
    search = CurveSearchCV(mistake.estimator, mistake.space, **mistake.settings)

    with pytest.raises(mistake.error, match=re.escape(mistake.message)):
        search.fit(*mistake.data, **mistake.params)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (
            {"time_budget": 1e-6},
            "within time_budget=1e-06 s; the commonest reason, 2 of 2: stopped",
        ),
        ({"timeout_per_fit": 1e-6}, "the commonest reason, 2 of 2: stopped, timeout"),
        ({"timeout_per_candidate": 1e-6}, "the commonest reason, 2 of 2: stopped, timeout"),
    ],
    ids=["search", "fit", "candidate"],
)
def test_a_limit_too_small_for_one_fit_is_named(limit, reason):
    search = CurveSearchCV(BAYES, SPACE, **limit)

    with pytest.raises(NoResultError, match=f"No candidate gave a result.*{reason}"):
        search.fit(X, y)


def test_a_constructor_refuses_nothing():
    search = CurveSearchCV(None, 3, n_iter=-1, n_jobs=0, scoring="luck", refit=3, cv="five")

    assert search.get_params()["n_jobs"] == 0


def test_who_cannot_take_holes_fails_with_its_reason_and_the_others_are_searched():
    able = make_pipeline(SimpleImputer(), GaussianNB())
    search = CurveSearchCV({"unable": RidgeClassifier(), "able": able})

    with pytest.warns(FitFailedWarning, match="1 of 2 candidates failed.*Input X contains NaN"):
        search.fit(HOLED, y)

    assert search.best_params_ == {"candidate": "able"}
    assert search.cv_results_["status"].tolist() == ["failed", "completed"]
    assert "Input X contains NaN" in search.cv_results_["reason"][0]


def test_the_commonest_of_several_reasons_is_named():
    candidates = [RidgeClassifier(), RidgeClassifier(alpha=2), GaussianNB(priors=[2, 3])]

    with pytest.raises(NoResultError, match="2 of 3: ValueError: Input X contains NaN"):
        CurveSearchCV(candidates).fit(HOLED, y)


def test_what_is_known_is_kept_when_there_is_no_result():
    search = CurveSearchCV(RidgeClassifier(), PENALTIES)

    with pytest.raises(NoResultError):
        search.fit(HOLED, y)

    assert search.cv_results_["status"].tolist() == ["failed", "failed"]


def test_an_error_that_is_to_be_raised_is_the_learners_own():
    search = CurveSearchCV(RidgeClassifier(), PENALTIES, error_score="raise")

    with pytest.raises(ValueError, match="Input X contains NaN") as raised:
        search.fit(HOLED, y)

    assert not isinstance(raised.value, NoResultError)


def test_a_class_with_fewer_members_than_folds_is_warned_of():
    with pytest.warns(UserWarning, match="The least populated class in y has only 3 members"):
        CurveSearchCV(BAYES, SPACE, cv=5).fit(X[:53], y[:53])


@pytest.mark.parametrize(
    "limit",
    [{"n_iter": 9}, pytest.param({"time_budget": 60}, marks=pytest.mark.slow)],
    ids=["n_iter", "budget"],
)
def test_a_sampler_that_runs_dry_ends_the_search(limit):
    candidates = iter([GaussianNB(), GaussianNB(var_smoothing=0.1)])

    search = CurveSearchCV(candidates, **limit).fit(X, y)

    assert len(search.results_) == 2
    assert search.best_params_ == {"candidate": "GaussianNB"}


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_a_search_that_is_not_fitted_says_so(method):
    with pytest.raises(NotFittedError, match="This CurveSearchCV instance is not fitted yet"):
        getattr(CurveSearchCV(BAYES, SPACE), method)(X)


def test_a_search_without_a_refit_says_why_it_cannot_predict():
    search = CurveSearchCV(BAYES, SPACE, refit=False).fit(X, y)

    with pytest.raises(AttributeError, match="has no attribute 'predict'") as raised:
        search.predict(X)

    assert "initialized with `refit=False`" in str(raised.value.__cause__)
