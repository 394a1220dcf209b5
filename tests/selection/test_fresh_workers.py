"""When workers are replaced is said at every face, and reaches the executor."""

import os
import sys

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from curvewise import CurveAutoMLClassifier, CurveSearchCV, InvalidParameterError, compare, validate

X, y = load_iris(return_X_y=True)


def process_id(estimator, X, y):
    """Score each fit by the process that it was made in."""
    return float(os.getpid())


def draw(rng):
    return GaussianNB(var_smoothing=rng.uniform())


def by_search(**settings):
    return CurveSearchCV([GaussianNB()], **settings).fit(X, y).results_[0]


def by_automl(**settings):
    automl = CurveAutoMLClassifier(
        n_iter=1,
        space=draw,
        keep_predictions="none",
        learning_curve=False,
        importance=False,
        **settings,
    )
    return automl.fit(X, y).search_.results_[0]


def by_validate(**settings):
    return validate(GaussianNB(), X, y, **settings)


def by_compare(**settings):
    return compare([GaussianNB()], X, y, **settings).results[0]


FACES = [by_search, by_automl, by_validate, by_compare]


def n_processes(face, fresh_workers):
    """In how many processes the folds were fitted."""
    settings = {"cv": 3, "scoring": process_id, "timeout_per_fit": 60, "random_state": 0}
    curve = face(fresh_workers=fresh_workers, **settings).curve
    return len({cell.loss for cell in curve.cells(curve.anchors[-1])})


@pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")
@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_a_worker_for_every_fit_can_be_asked_for(face):
    assert n_processes(face, "always") == 3


@pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")
def test_known_candidates_share_a_worker_unless_asked_otherwise():
    assert n_processes(by_search, None) == 1


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_another_word_is_refused(face):
    message = "fresh_workers must be 'unknown', 'always', 'never' or None, got 'often'"

    with pytest.raises(InvalidParameterError, match=message):
        face(fresh_workers="often")
