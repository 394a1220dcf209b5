import math
import pickle

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, make_scorer

from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

X = np.zeros((4, 1))
Y = np.array([1, 1, 1, 0])
MODEL = DummyClassifier().fit(X, Y)


def half(estimator, X, y):
    return 0.5


def several(estimator, X, y):
    return {"first": 0.25, "second": np.float64(0.75)}


def broken(estimator, X, y):
    raise ArithmeticError("no way")


def values_of(scoring, **options):
    return resolve_scoring(scoring, **options).score(MODEL, X, Y, {}).values


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        (None, {"score": 0.75}),
        ("accuracy", {"accuracy": 0.75}),
        (half, {"score": 0.5}),
        (make_scorer(accuracy_score), {"score": 0.75}),
        (["accuracy", "recall"], {"accuracy": 0.75, "recall": 1.0}),
        (("recall",), {"recall": 1.0}),
        ({"hits": "accuracy", "half": half}, {"hits": 0.75, "half": 0.5}),
        (several, {"first": 0.25, "second": 0.75}),
    ],
)
def test_metrics_come_as_scikit_learn_users_write_them(scoring, expected):
    values = values_of(scoring)

    assert values == expected
    assert all(type(value) is float for value in values.values())


@pytest.mark.parametrize(
    ("scoring", "decide_by", "expected"),
    [
        ("accuracy", None, "accuracy"),
        (["recall", "accuracy"], None, "recall"),
        (["recall", "accuracy"], "accuracy", "accuracy"),
        (several, None, "first"),
        (several, "second", "second"),
        (half, None, "score"),
    ],
)
def test_one_metric_decides(scoring, decide_by, expected):
    resolved = resolve_scoring(scoring, decide_by=decide_by)

    assert resolved.deciding(resolved.score(MODEL, X, Y, {}).values) == expected


def test_the_scale_is_that_of_the_deciding_metric():
    scoring = {"hits": "accuracy", "error": "neg_log_loss"}

    assert resolve_scoring(scoring).scale == Scale()
    assert resolve_scoring(scoring, decide_by="error").scale == Scale.unbounded()
    assert resolve_scoring(None, estimator=MODEL).scale == Scale()
    assert resolve_scoring(half, scale=Scale(best=2.0)).scale == Scale(best=2.0)


def test_a_metric_that_fails_spoils_its_own_score_only():
    scores = resolve_scoring({"hits": "accuracy", "broken": broken}).score(MODEL, X, Y, {})

    assert scores.values["hits"] == 0.75
    assert math.isnan(scores.values["broken"])
    assert scores.errors["broken"].splitlines()[-1] == "ArithmeticError: no way"


@pytest.mark.parametrize("scoring", [None, half, several, ["accuracy", "recall"]])
def test_scoring_can_be_pickled(scoring):
    again = pickle.loads(pickle.dumps(resolve_scoring(scoring)))

    assert again.score(MODEL, X, Y, {}).values == values_of(scoring)


@pytest.mark.parametrize(
    ("scoring", "options", "message"),
    [
        ("acuracy", {}, "scoring='acuracy' is not a scorer of scikit-learn; did you mean 'accu"),
        ("zzz", {}, "'zzz' is not a scorer of scikit-learn; see get_scorer_names"),
        (["accuracy", half], {}, "scoring must be a name, a callable"),
        (3, {}, "scoring must be a name, a callable, a list of names, .*, got 3"),
        ([], {}, "at least one metric, got \\[\\]"),
        ({}, {}, "at least one metric"),
        ({"own": None}, {}, "must be a name or a callable, got None"),
        (accuracy_score, {}, "looks like it is a metric function rather than a scorer"),
        (["accuracy"], {"decide_by": "f1"}, "decide_by='f1' is not among the metrics"),
        (None, {"estimator": object()}, "object has no score of its own"),
    ],
)
def test_what_is_no_metric_is_refused(scoring, options, message):
    with pytest.raises(InvalidParameterError, match=message):
        resolve_scoring(scoring, **options)


def test_a_callable_has_to_give_the_metric_that_decides():
    with pytest.raises(InvalidParameterError, match=r"decide_by='third' is not among the scores"):
        resolve_scoring(several, decide_by="third").deciding(several(MODEL, X, Y))


@pytest.mark.parametrize("given", [None, [1, 2], "text"])
def test_a_metric_has_to_give_a_number(given):
    scoring = resolve_scoring(lambda estimator, X, y: given)

    with pytest.raises(InvalidParameterError, match="'score' must give a number"):
        scoring.score(MODEL, X, Y, {})
