"""Learners that cannot do what is wanted are left out before the search."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from curvewise.automl import (
    Component,
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
    SearchSpace,
    Slot,
    default_space,
    paper_space,
)
from curvewise.automl._learner_abilities import (
    gives_probabilities,
    takes_weights,
    unable,
    with_ability,
)
from curvewise.errors import InvalidParameterError

TASKS = ("classification", "regression")
LEARNERS = {
    CurveAutoMLClassifier: (DecisionTreeClassifier, KNeighborsClassifier),
    CurveAutoMLRegressor: (DecisionTreeRegressor, KNeighborsRegressor),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("make", [default_space, paper_space])
def test_learners_that_take_weights_are_fitted_with_them(task, make):
    space, _ = with_ability(make(task), takes_weights, "takes weights")
    kept = space.slots[-1].components
    rng = np.random.RandomState(0)
    X = np.abs(rng.randn(60, 3))
    y = X[:, 0] if task == "regression" else np.where(X[:, 0] > 0.6, "yes", "no")

    assert len(kept) > 5
    for component in kept:
        learner = component.build(component.draw(rng))
        known = learner.get_params(deep=False)
        learner.set_params(**{one: 5 for one in ("max_rounds", "max_iter") if one in known})
        with warnings.catch_warnings():
            # Five rounds are too few for some.
            warnings.simplefilter("ignore")
            learner.fit(X, y, sample_weight=rng.rand(60))


@pytest.mark.parametrize("make", [default_space, paper_space])
def test_learners_without_probabilities_are_known(make):
    names = unable(make("classification"), gives_probabilities)

    assert any(name.startswith("SVC") for name in names)
    assert not {"LogisticRegression", "RandomForestClassifier", "KNeighborsClassifier"} & {*names}


def test_a_space_without_anybody_is_refused():
    space = default_space("classification")
    others = [one.name for one in space.components("classifier") if one.name != "SVC(rbf)"]

    with pytest.raises(InvalidParameterError, match="No learner of the space gives probabilities"):
        with_ability(space.without(*others), gives_probabilities, "gives probabilities")


def table(task, n=120):
    rng = np.random.RandomState(0)
    X = pd.DataFrame({"a": rng.rand(n), "b": rng.rand(n), "c": rng.choice(list("xyz"), n)})
    y = X["a"] + 0.1 * rng.rand(n)
    return X, (y if task == "regression" else np.where(y > 0.5, "yes", "no"))


def automl_of(kind):
    """Trees and neighbours, of which the latter take no weights."""
    trees, neighbours = LEARNERS[kind]
    components = [Component(target=one) for one in (trees, neighbours)]
    space = SearchSpace([Slot("learner", components)])
    return kind(n_iter=2, space=space, timeout_per_candidate=None, random_state=0)


@pytest.mark.parametrize("kind", LEARNERS)
def test_rows_without_weight_do_not_count(kind):
    """Weights decide: rows of weight 0 with a wrong target leave no trace in fits and scores."""
    X, y = table(kind.task)
    spoilt = np.asarray(y).copy()
    spoilt[::3] = "yes" if kind.task == "classification" else 100.0
    weights = np.ones(len(y))
    weights[::3] = 0.0
    automl = automl_of(kind)
    with pytest.warns(UserWarning, match="take no weights of rows: KNeighbors"):
        automl.fit(X, spoilt, sample_weight=weights)
    honest = weights > 0

    assert automl.best_score_ > 0.8
    assert automl.score(X[honest], np.asarray(y)[honest]) > 0.95
    assert not any("KNeighbors" in row["candidate"] for row in automl.leaderboard_)


@pytest.mark.parametrize("kind", LEARNERS)
def test_groups_stay_together_without_a_splitter_of_ones_own(kind):
    X, y = table(kind.task)
    groups = np.arange(len(y)) % 10
    automl = automl_of(kind).fit(X, y, groups=groups)

    assert "Group" in type(automl.search_.cv).__name__
    for train, test in automl.search_.cv.split(X, y, groups):
        assert not set(groups[train]) & set(groups[test])
