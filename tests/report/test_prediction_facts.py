"""What the report says of thresholds and reliability, also of a stranger's store."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._report.prediction_facts import prediction_sentences
from curvewise._report.report_facts import facts_of
from curvewise._selection.reliability import reliability
from curvewise._selection.tuned_threshold import TunedThreshold
from tests.report.samples import HOSTILE, search_on, stored

FOUND = TunedThreshold(
    metric="f1",
    threshold=0.25,
    default_threshold=0.5,
    pos_label="yes",
    method="predict_proba",
    score=0.71,
    default_score=0.66,
    tuned=True,
)
P = np.random.default_rng(0).uniform(size=400)
TOLD = reliability(
    np.column_stack([1 - P**3, P**3]), np.random.default_rng(1).uniform(size=400) < P, np.arange(2)
)
NOTES = {"threshold": FOUND.facts(), "calibration": TOLD.facts()}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=100),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_the_sentences_are_those_of_the_search():
    assert prediction_sentences(NOTES) == [f"{FOUND.sentence()}.", f"{TOLD.sentence()}."]


def test_without_notes_nothing_is_said():
    assert prediction_sentences({}) == []


@pytest.mark.parametrize("key", ["threshold", "calibration"])
@given(st.data())
def test_whatever_a_store_holds_gives_short_text_or_nothing(key, data):
    note = NOTES[key]
    changed = data.draw(
        anything
        | st.fixed_dictionaries({}, optional=dict.fromkeys(note, anything)).map(
            lambda other: {**note, **other}
        )
    )

    for sentence in prediction_sentences({key: changed}):
        assert sentence.isprintable()
        assert len(sentence) < 500
        assert "nan" not in sentence.replace(str(changed.get("metric")), "")


@pytest.mark.parametrize("wrong", [None, True, "0.5", math.nan, math.inf, 10**400, [1.0]])
def test_a_number_that_is_none_is_not_shown(wrong):
    notes = {
        "threshold": {**NOTES["threshold"], "score": wrong},
        "calibration": {**NOTES["calibration"], "log_loss": wrong},
    }

    assert prediction_sentences(notes) == []


def test_the_page_has_them_beside_the_answer(tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(6))
        run.note("threshold", {**NOTES["threshold"], "metric": HOSTILE[3], "pos_label": HOSTILE[6]})
        run.note("calibration", NOTES["calibration"])
        facts = facts_of(run)

    threshold, calibration = facts["answer"]["predictions"]
    assert "\u202e" not in threshold
    assert len(threshold) < 500
    assert calibration.startswith("Calibrating")
    assert "threshold" not in facts["notes"]
    assert json.dumps(facts, allow_nan=False)
