"""What AutoML estimators may be told besides their parameters, and what comes of it."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from curvewise import CurveAutoMLClassifier
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

pd = pytest.importorskip("pandas")
X, Y = load_iris(return_X_y=True, as_frame=True)


def automl(**settings):
    given = {"n_iter": 1, "random_state": 0, "learning_curve": False, "importance": False}
    given |= {"timeout_per_candidate": None} | settings
    return CurveAutoMLClassifier(space=lambda _: GaussianNB(), **given)


def test_the_levels_of_a_feature_or_of_any_values_are_scored():
    inside = automl().describe_rows(by="petal width (cm)").fit(X, Y)
    outside = automl().describe_rows(by=np.where(Y == 0, "a", "b")).fit(X, Y)

    assert sum(one["n_rows"] for one in inside.scores_by_) == 150
    assert [(one["level"], one["n_rows"]) for one in outside.scores_by_] == [("b", 100), ("a", 50)]
    assert outside.scores_by_[1]["score"] == 1.0


def test_without_it_there_are_no_scores_by_level():
    model = automl().describe_rows(by="petal width (cm)").fit(X, Y)
    again = clone(model).fit(X, Y)

    assert not hasattr(again, "scores_by_")


def test_nothing_of_an_earlier_fit_is_left():
    model = automl(default_model=True, importance=True).describe_rows(by="petal width (cm)")
    model.fit(X, Y)
    model.set_params(keep_predictions="none", default_model=False, importance=False)
    model.describe_rows().fit(X.to_numpy(), Y)
    gone = ("oof_predictions_", "feature_names_in_", "reliability_", "default_model_")

    assert not any(hasattr(model, name) for name in (*gone, "importances_", "scores_by_"))
    assert model.n_features_in_ == 4


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"by": "colour"}, "by names the column 'colour'"),
        ({"by": [1, 2]}, "by must have a value for each of the 150 rows, got 2"),
        ({"ids": ["a"]}, "ids must have a value for each"),
        ({"numbers": [1]}, "numbers must have a value for each"),
    ],
)
def test_what_has_not_a_value_for_each_row_is_refused_before_the_search(told, said):
    model = automl().describe_rows(**told)
    with pytest.raises(InvalidParameterError, match=said):
        model.fit(X, Y)

    assert not hasattr(model, "search_")


def test_importances_are_those_of_the_columns_of_the_table():
    model = automl(importance=True).fit(X, Y)

    assert {one["column"] for one in model.importances_} == set(X.columns)
    assert model.importances_ == model.search_.importances_


def test_an_ensemble_has_pictures_of_its_mean(tmp_path):
    model = CurveAutoMLClassifier(
        n_iter=6, ensemble=True, random_state=0, store=tmp_path / "run.db", importance=False
    ).fit(X.iloc[:, :2], Y)
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()["model pictures"]

    members = len(model.ensemble_.weights) if hasattr(model, "ensemble_") else 1
    assert noted["model"]["n_members"] == members
    assert noted["n_predicted"] == 150
