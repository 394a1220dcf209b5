"""What a store notes of what came after a search."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Observation, Status
from curvewise._report.after_search import curve_seconds, curves_after, ensemble_of, taken_of
from curvewise._report.simplest_choice import simplest_of
from curvewise.core import LearningCurve, Task

ENSEMBLE = {
    "weights": {"a": 0.25, "b": 0.75},
    "score": 0.91,
    "single_score": 0.9,
    "prediction_cost": 3.0,
}


def reading_of(**notes):
    notes = {key.replace("_", " "): value for key, value in notes.items()}
    records = [SimpleNamespace(candidate=name, place=place) for place, name in enumerate("ab")]
    outcomes = [SimpleNamespace(seconds=2.0)]
    return SimpleNamespace(notes=notes, records=records, outcomes=outcomes, target=900)


def test_members_come_by_their_weight_with_the_gain_against_the_best():
    facts = ensemble_of(reading_of(ensemble=ENSEMBLE))

    assert facts["members"] == [{"place": 1, "weight": 0.75}, {"place": 0, "weight": 0.25}]
    assert (facts["gain"], facts["prediction_cost"]) == (0.01, 3.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"weights": {"a": 0.25, "c": 0.75}},
        {"weights": {"a": 0.25}},
        {"weights": {"a": 2.0, "b": -1.0}},
        {"weights": {"a": "much", "b": 0.5}},
        {"weights": [0.5, 0.5]},
        {"weights": {}},
        {"score": math.nan},
        {"prediction_cost": None},
    ],
    ids=str,
)
def test_what_is_no_ensemble_is_left_out(wrong):
    assert ensemble_of(reading_of(ensemble=ENSEMBLE | wrong)) is None


def test_who_was_taken_is_known_with_the_reason():
    noted = {"candidate": "b", "reason": "a could not be fitted."}

    assert taken_of(reading_of(taken=noted)) == {"place": 1, "reason": "a could not be fitted."}
    for wrong in ({"candidate": "c"}, {"reason": 3}, {"reason": ""}, {"candidate": ["b"]}):
        assert taken_of(reading_of(taken=noted | wrong)) is None


json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["weights", "score", "seconds", "n_fits", "candidate", "a"]), inner
        )
    ),
    max_leaves=8,
)


@given(json)
def test_whatever_is_noted_the_report_goes_on(value):
    reading = reading_of(ensemble=value, taken=value, learning_curves=value)

    assert ensemble_of(reading) is None
    assert taken_of(reading) is None
    assert 0 <= curve_seconds(reading) <= 2.0


def test_curves_take_no_more_than_all_evaluations():
    reading = reading_of(learning_curves={"seconds": 5.0, "n_fits": 4})

    assert curves_after(reading) == {"seconds": 2.0, "n_fits": 4}


def record(place, name, loss, seconds):
    """A candidate on five folds: how it does, and what its predictions take."""
    curve = LearningCurve(
        Observation(Task(name, 900, fold), loss + fold / 100, seconds=1.0, score_seconds=seconds)
        for fold in range(5)
    )
    result = SimpleNamespace(parameters={"text": f"{name}!"}, description="", candidate=name)
    facts = {"place": place, "candidate": name, "status": Status.COMPLETED}
    return SimpleNamespace(**facts, curve=curve, result=result)


def test_the_simplest_is_named_with_the_reason_in_words():
    best, quick = record(0, "forest", 0.1, 2.0), record(1, "bayes", 0.1, 0.5)
    reading = SimpleNamespace(records=[best, quick], target=900)

    assert simplest_of(reading, best) == {
        "place": 1,
        "reason": "bayes predicts in 25% of the time of forest, the best, and scores the same.",
    }
    assert simplest_of(reading, quick)["place"] == 1


def test_nothing_is_said_where_nothing_was_timed():
    best = record(0, "forest", 0.1, 0.0)

    assert simplest_of(SimpleNamespace(records=[best], target=900), best) is None
