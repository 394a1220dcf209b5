from itertools import islice

import pytest
from scipy.stats import uniform
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from curvewise._selection.candidates import (
    candidates_at_hand,
    check_estimator,
    gather,
    predicts_classes,
    prototype,
)
from curvewise.errors import InvalidParameterError


def test_a_candidate_of_a_grid_is_named_by_its_settings():
    candidates = gather(SVC(), {"C": [1, 0.123456], "kernel": ["rbf"]})

    assert list(candidates.names) == ["C=1, kernel=rbf", "C=0.1235, kernel=rbf"]
    assert candidates["C=0.1235, kernel=rbf"].C == 0.123456
    assert candidates.params("C=1, kernel=rbf") == {"C": 1, "kernel": "rbf"}


def test_a_name_that_comes_again_gets_a_number():
    scaled = make_pipeline(StandardScaler(), SVC())
    bare = Pipeline([("scale", "passthrough"), ("svc", SVC())])
    estimators = [SVC(), scaled, SVC(), bare, SVC()]

    assert list(gather(estimators).names) == [
        "SVC",
        "StandardScaler > SVC",
        "SVC (2)",
        "passthrough > SVC",
        "SVC (3)",
    ]


def test_what_is_drawn_without_an_end_is_drawn_one_by_one():
    candidates = gather(SVC(), {"C": uniform()}, endless=True, random_state=0)
    first = candidates.first()

    names = list(islice(candidates.names, 3))

    assert candidates.n_known is None
    assert len(set(names)) == 3
    assert candidates[names[0]].C == first.C


def test_ready_candidates_are_not_drawn():
    with pytest.raises(InvalidParameterError, match="n_iter says how many to draw"):
        gather([SVC()], n_iter=2)


@pytest.mark.parametrize(
    ("given", "first", "at_hand"),
    [
        (SVC(), SVC, 1),
        ([SVC(), LogisticRegression()], SVC, 2),
        ({"logistic": LogisticRegression()}, LogisticRegression, 1),
        (lambda rng: SVC(), type(None), 0),
        ([], type(None), 0),
    ],
)
def test_what_is_at_hand_stands_for_all_candidates(given, first, at_hand):
    assert type(prototype(given)) is first
    assert len(candidates_at_hand(given)) == at_hand


def test_a_class_is_no_estimator():
    with pytest.raises(InvalidParameterError, match=r"got the class SVC; write SVC\(\)"):
        check_estimator(SVC, "estimator")


def test_what_has_no_tags_is_no_classifier():
    assert predicts_classes(SVC())
    assert not predicts_classes(object())
