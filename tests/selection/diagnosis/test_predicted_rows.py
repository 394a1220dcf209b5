"""What a model predicted out of fold, with what is true."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from curvewise import CurveSearchCV, OutOfFold
from curvewise._selection.diagnosis.predicted_rows import (
    predicted_rows,
    rows_of_predictions,
    rows_of_search,
)
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

X, Y = load_iris(return_X_y=True)


def test_rows_of_a_search_are_its_out_of_fold_predictions():
    search = CurveSearchCV({"bayes": GaussianNB()}, keep_predictions="best").fit(X, Y)
    rows = rows_of_search(search, Y)
    expected = cross_val_predict(GaussianNB(), X, Y, method="predict_proba")

    assert np.allclose(rows.values, expected)
    assert np.array_equal(rows.places, expected.argmax(axis=1))
    assert (len(rows.y), rows.n_rows) == (150, 150)


def test_rows_without_a_prediction_are_left_out_and_counted():
    folds = ShuffleSplit(2, test_size=0.2, random_state=0)
    search = CurveSearchCV({"bayes": GaussianNB()}, cv=folds, keep_predictions="best").fit(X, Y)
    rows = rows_of_search(search, Y)

    assert len(rows.y) == len(rows.rows) < rows.n_rows == 150
    assert np.array_equal(rows.y, Y[rows.rows])


def test_an_ensemble_predicts_the_weighted_mean_of_its_members():
    everywhere, classes = np.ones(2, dtype=int), np.array([0, 1])
    one = OutOfFold("predict_proba", np.array([[1, 0], [1, 0]]), everywhere, classes, np.zeros(2))
    other = OutOfFold("predict_proba", np.array([[0, 1], [1, 0]]), everywhere, classes, np.ones(2))
    rows = predicted_rows({"a": one, "b": other}, {"a": 0.25, "b": 0.75}, [0, 0])

    assert rows.values.tolist() == [[0.25, 0.75], [1.0, 0.0]]
    assert rows.places.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("kept", "weights", "said"),
    [
        ({}, {"a": 1.0}, "were not kept"),
        ({"a": OutOfFold("predict", np.zeros((3, 2)), np.ones(3))}, {"a": 1.0}, "several numbers"),
        ({"a": OutOfFold("predict", np.zeros(3), np.zeros(3))}, {"a": 1.0}, "No row has"),
    ],
)
def test_a_sentence_says_why_there_is_nothing(kept, weights, said):
    assert said in predicted_rows(kept, weights, np.zeros(3))


def test_numbers_may_be_of_a_type_of_pandas():
    pd = pytest.importorskip("pandas")
    rows = rows_of_predictions(pd.array([1, 2], dtype="Int64").to_numpy(int), [1.5, 2.0])

    assert rows.residuals.tolist() == [-0.5, 0.0]


def test_a_search_without_predictions_says_what_to_do():
    unfitted = CurveSearchCV({"bayes": GaussianNB()})
    with pytest.raises(InvalidParameterError, match="call fit first"):
        rows_of_search(unfitted, Y)
    with pytest.raises(InvalidParameterError, match="keep_predictions was 'none'"):
        rows_of_search(unfitted.fit(X, Y), Y)


def test_another_target_than_that_of_the_search_is_refused():
    search = CurveSearchCV({"svc": LinearSVC()}, keep_predictions="best").fit(X, Y)
    for wrong in (Y[:10], Y + 7):
        with pytest.raises(InvalidParameterError, match="y "):
            rows_of_search(search, wrong)


@pytest.mark.parametrize(
    ("predictions", "classes", "said"),
    [
        ([[0.5, 0.5]], [0, 1], "an entry for each true value"),
        ([[0.5], [0.5]], [0, 1], "a column for each"),
        ([0, 2], [0, 1], "not among the classes"),
        ([0, 1], [1, 0], "sorted order"),
        (["a", "b"], None, "one number per row"),
    ],
)
def test_predictions_of_another_form_are_refused(predictions, classes, said):
    with pytest.raises(InvalidParameterError, match=said):
        rows_of_predictions([0, 1], predictions, classes)


def test_decision_values_are_told_from_probabilities():
    assert (
        rows_of_predictions([0, 1], [[2.0, -1.0], [0.5, 0.1]], [0, 1]).method == "decision_function"
    )
    assert rows_of_predictions([0, 1], [[0.8, 0.2], [0.1, 0.9]], [0, 1]).method == "predict_proba"


@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_a_target_of_one_column_has_pictures_and_an_honest_score(tmp_path):
    def searched(y, store=None):
        settings = {"keep_predictions": "best", "store": store, "random_state": 0}
        return CurveSearchCV({"bayes": GaussianNB()}, **settings).fit(X, y)

    search, column = searched(Y), searched(Y[:, None], tmp_path / "run.db")

    assert column.honest_score_ == search.honest_score_
    assert np.array_equal(rows_of_search(column, Y[:, None]).truth, Y)
    with RunStore.read(tmp_path / "run.db") as store:
        assert sum(store.run().notes()["model pictures"]["confusion"]["counts"]) == 150
