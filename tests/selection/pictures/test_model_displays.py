"""Pictures of models with matplotlib."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import curvewise as cw
from curvewise._selection.diagnosis.level_scores import LevelScore, ScoresByLevel
from curvewise._selection.reliability_result import ReliabilityBin
from curvewise.errors import InvalidParameterError

figure = pytest.importorskip("matplotlib.figure")


@pytest.fixture
def ax():
    return figure.Figure().add_subplot()


def searched(load, model):
    X, y = load(return_X_y=True)
    return cw.CurveSearchCV({"one": model}, keep_predictions="best").fit(X, y), y


@pytest.fixture(scope="module")
def iris():
    return searched(load_iris, GaussianNB())


@pytest.fixture(scope="module")
def numbers():
    return searched(load_diabetes, Ridge())


def test_a_confusion_matrix_shows_rows_or_shares(iris, ax):
    display = cw.ConfusionDisplay.from_search(*iris, ax=ax)
    rows = [text.get_text() for text in display.texts_]
    display.plot(figure.Figure().add_subplot(), shares=True)

    assert rows[0] == "50"
    assert display.texts_[0].get_text() == "100%"
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("predicted", "true")


def test_curves_of_one_class_have_a_band_and_an_interval(ax):
    display = cw.RankingDisplay.from_search(*searched(load_breast_cancer, GaussianNB()), ax=ax)

    assert len(display.lines_) == len(display.bands_) == 1
    assert display.lines_[0].get_label().startswith("1: 0.98")
    display.plot(figure.Figure().add_subplot(), kind="precision_recall")
    assert display.ax_.get_xlabel() == "recall"


def test_several_classes_have_a_curve_each(iris, ax):
    assert len(cw.RankingDisplay.from_search(*iris, ax=ax).lines_) == 3


def test_reliability_has_a_point_per_bin(iris, ax):
    display = cw.ReliabilityDisplay.from_search(*iris, ax=ax)

    assert len(display.line_.get_xdata()) == len(display.bins)
    assert "the predicted class" in display.ax_.get_xlabel()


def test_a_share_of_0_has_an_interval_too(ax):
    bins = [ReliabilityBin(0.0, 0.1, 0.05, observed, 20) for observed in (0.0, 0.1, 1.0)]
    display = cw.ReliabilityDisplay(bins).plot(ax)
    (_, _, (bars,)) = display.intervals_
    widths = [float(np.ptp(bar[:, 1])) for bar in bars.get_segments()]

    assert min(widths) > 0.1


def test_the_interval_of_a_level_ends_at_the_best_score(ax):
    levels = (LevelScore("a", 20, 0.95, 0.85, 1.0), LevelScore("b", 3, 1.0, np.nan, np.nan))
    display = cw.LevelDisplay(ScoresByLevel("column", "accuracy", 0.96, levels)).plot(ax)
    (_, _, (bars,)) = display.points_

    assert bars.get_segments()[0][:, 0].tolist() == pytest.approx([0.85, 1.0])


@pytest.mark.parametrize("kind", ["residuals", "predicted", "distribution"])
def test_residuals_are_drawn_in_three_ways(numbers, ax, kind):
    display = cw.ResidualDisplay.from_search(*numbers, kind=kind, ax=ax)

    assert display.artist_.axes is ax


def test_levels_are_drawn_with_the_score_of_each(iris, ax):
    search, y = iris
    display = cw.LevelDisplay.from_search(search, y, np.array(["a", "b"])[y % 2], ax=ax)

    assert [text.get_text() for text in ax.get_yticklabels()] == ["a (100)", "b (50)"]
    assert display.scores.metric == "accuracy"


def test_importances_are_drawn_with_the_names_of_columns(ax):
    importances = [
        {"column": "price $", "importance": 0.2, "low": 0.1, "high": 0.3, "n_repeats": 2},
        {"column": "age", "importance": 0.1, "low": np.nan, "high": np.nan, "n_repeats": 1},
    ]
    cw.ImportanceDisplay(importances).plot(ax)

    assert [text.get_text() for text in ax.get_yticklabels()] == [r"price \$", "age"]


def test_what_cannot_be_drawn_is_said(iris, numbers):
    svc = searched(load_iris, LinearSVC())
    cases = [
        (lambda: cw.ConfusionDisplay.from_search(*numbers), "predicts numbers"),
        (lambda: cw.ResidualDisplay.from_search(*iris), "predicts classes"),
        (lambda: cw.ReliabilityDisplay.from_search(*svc), "no probabilities"),
        (lambda: cw.RankingDisplay.from_search(*iris, kind="lift"), "kind must be one of"),
        (lambda: cw.ResidualDisplay.from_search(*numbers, kind="all"), "kind must be one of"),
        (lambda: cw.ImportanceDisplay.from_search(iris[0]), "importance=True"),
        (lambda: cw.ImportanceDisplay([]).plot(), "no importances"),
    ]
    for draw, said in cases:
        with pytest.raises(InvalidParameterError, match=said):
            draw()
