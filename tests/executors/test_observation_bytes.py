"""What a worker gave comes back as it was, and whatever else is written is an error."""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._evaluation.final_fit import FittedOnAll
from curvewise._evaluation.permuted_columns import ColumnsPermuted
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.core._predictions import Predictions
from curvewise.executors._workers.observation_bytes import MOST_JSON_BYTES, from_bytes, to_bytes
from curvewise.executors._workers.pickles import Answer

TASK = Task("svc", 64, 0)
PREDICTED = Predictions("predict", np.array([[0.5, 0.25]]), np.array([1], dtype="<i4"))
numbers = st.floats(0, 1e9)
scores = st.none() | st.dictionaries(st.text(max_size=5), st.floats(), max_size=3)


def again(result):
    """Send an observation as a worker does."""
    answer = Answer.of(result)
    return Answer.from_plain(json.loads(json.dumps(answer.plain())), answer.observation).outcome(
        TASK
    )


@given(
    st.floats(allow_nan=False),
    numbers,
    st.none() | st.integers(1, 9),
    scores,
    st.none() | st.lists(st.floats(0, 1, width=32), max_size=4),
)
def test_an_observation_comes_back_as_it_was(loss, seconds, n_test, by_name, losses):
    rows = None if losses is None else np.array(losses, dtype="f4")
    given = Observation(TASK, loss, seconds=seconds, n_test=n_test, scores=by_name, row_losses=rows)
    came = again(given)

    assert repr(came) == repr(given)
    assert rows is None or (came.row_losses.dtype == rows.dtype and (came.row_losses == rows).all())


def test_numbers_of_all_kinds_become_plain_ones():
    found = again(
        Observation(
            TASK,
            np.float32(0.5),
            seconds=np.float64(1.5),
            n_test=np.int64(3),
            noise=np.float32(0.25),
            scores={"a": Fraction(1, 4), np.str_("b"): np.array(0.5)},
        )
    )

    assert found == Observation(
        TASK, 0.5, seconds=1.5, n_test=3, noise=0.25, scores={"a": 0.25, "b": 0.5}
    )
    assert {type(one) for one in (found.loss, found.seconds, found.noise)} == {float}


def test_other_observations_of_ours_come_back_as_they_were():
    permuted = ColumnsPermuted(TASK, 0.5, score=0.5, drops=((3, 0.25), (0, -0.5)), n_columns=4)

    assert again(permuted) == permuted
    for fitted in (FittedOnAll(TASK, 0.0, pickled=b"a\nb"), FittedOnAll(TASK, 0.0)):
        assert again(fitted) == fitted


def test_what_comes_back_is_of_the_class_that_everybody_knows():
    script = """
import gc
gc.disable()
from curvewise._evaluation.final_fit import FittedOnAll
from curvewise.core._outcome import Task
from curvewise.executors._workers.observation_bytes import from_bytes, to_bytes
print(type(from_bytes(to_bytes(FittedOnAll(Task("a", 64, 0), 0.0, pickled=b"")))) is FittedOnAll)
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert ended.stdout == "True\n"


def test_predictions_come_back_as_they_were():
    came = again(Observation(TASK, 0.5, predictions=PREDICTED)).predictions

    assert came.method == "predict"
    assert came.values.tolist() == [[0.5, 0.25]]
    assert came.labels.tolist() == [1]


def test_an_observation_of_others_is_none():
    class Foreign(Observation):
        pass

    failure = again(Foreign(TASK, 0.5))

    assert failure.reason is Reason.ERROR
    assert failure.headline.startswith("The result cannot be used: ")


WHOLE = to_bytes(Observation(TASK, 0.5, predictions=PREDICTED, row_losses=np.array([0.5])))
HEAD = {"class": "Observation", "values": {"loss": 0.5}, "parts": []}


@pytest.mark.parametrize(
    "head",
    [
        [],
        {},
        {**HEAD, "class": "Failure"},
        {**HEAD, "class": ["Observation"]},
        {**HEAD, "class": "__main__"},
        {**HEAD, "values": []},
        {**HEAD, "values": {"loss": "small"}},
        {**HEAD, "values": {"loss": [0.5]}},
        {**HEAD, "values": {"loss": 0.5, "task": None}},
        {**HEAD, "values": {"loss": 0.5, "seconds": "1"}},
        {**HEAD, "values": {"loss": 0.5, "unknown": 1}},
        {**HEAD, "values": {"loss": 0.5, "predictions": [1]}},
        {**HEAD, "values": {"loss": 0.5, "row_losses": [1]}},
        {**HEAD, "values": {"loss": 0.5, "seconds": 1e308}},
        {**HEAD, "values": {"loss": 0.5, "fit_seconds": 1e308}},
        {**HEAD, "values": {"loss": 0.5, "noise": 1e308}},
        {**HEAD, "values": {"loss": 0.5, "n_test": 2**64}},
        {**HEAD, "values": {"loss": 0.5, "scores": {"score": 10**400}}},
        {**HEAD, "parts": [["row_losses", "<f8", 8]]},
        {**HEAD, "parts": [["row_losses", "<f8", -8]]},
        {**HEAD, "parts": [["row_losses", "O", 0]]},
        {**HEAD, "parts": [["row_losses", "", 0]]},
        {**HEAD, "parts": [["predictions", "", 0]]},
        {**HEAD, "parts": [["loss", "", 0]]},
        {**HEAD, "parts": [["row_losses", "<f8", 0]] * 2},
        {**HEAD, "class": "FittedOnAll", "values": {"loss": 0.5, "pickled": "text"}},
        {**HEAD, "class": "ColumnsPermuted", "values": {"loss": 0.5, "drops": [["a", 1]]}},
        {**HEAD, "class": "ColumnsPermuted", "values": {"loss": 0.5, "n_columns": "many"}},
    ],
    ids=str,
)
def test_what_is_no_observation_is_a_failure(head):
    failure = Answer(None, observation=json.dumps(head).encode() + b"\n").outcome(TASK)

    assert isinstance(failure, Failure)
    assert failure.headline.startswith("The result cannot be used: ")


@pytest.mark.parametrize("seconds", [1e308, float("inf"), float("nan"), -1.0, 10**400, "a", None])
def test_a_failure_takes_no_more_seconds_than_there_are(seconds):
    answer = Answer.from_plain(("error", "failed", seconds, ""), b"")

    assert answer.outcome(TASK).seconds == 0.0


@given(st.data())
def test_whatever_is_written_raises_nothing(data):
    at = data.draw(st.integers(0, len(WHOLE) - 1))
    put = data.draw(st.binary(max_size=3))
    drop = data.draw(st.integers(0, 3))
    outcome = Answer(None, observation=WHOLE[:at] + put + WHOLE[at + drop :]).outcome(TASK)

    assert outcome.task == TASK


def test_a_line_that_does_not_end_is_not_read():
    with pytest.raises(ValueError, match="Expecting value"):
        from_bytes(b" " * (MOST_JSON_BYTES + 1) + b"{}\n")
