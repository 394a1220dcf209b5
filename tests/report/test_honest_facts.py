"""What the report says of the score on new rows, also of a stranger's store."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise._report.honest_facts import honest_facts
from curvewise._report.report_facts import facts_of
from curvewise._selection.honest_score import NOTE, HonestScore, honest_of
from curvewise.core._intervals import Interval
from tests.report.samples import search_on, stored

FOUND = HonestScore(
    score=0.88,
    interval=Interval(0.86, 0.9),
    raw=0.89,
    optimism=0.015,
    growth=0.005,
    n_candidates=24,
    n_rows=900,
    how="rows",
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_what_was_noted_is_read_as_it_was():
    assert honest_of({NOTE: json.loads(json.dumps(FOUND.facts()))}) == FOUND


@pytest.mark.parametrize("name", ["score", "low", "high", "raw", "optimism", "growth", "level"])
def test_a_number_that_no_float_can_hold_is_no_note(name):
    assert honest_of({NOTE: {**FOUND.facts(), name: 10**400}}) is None


def test_without_a_note_there_is_none():
    assert honest_facts({}) is None


@settings(max_examples=40)
@given(
    anything
    | st.fixed_dictionaries({}, optional=dict.fromkeys(FOUND.facts(), anything)).map(
        lambda other: {**FOUND.facts(), **other}
    )
)
def test_whatever_a_store_holds_gives_numbers_in_their_order_or_nothing(note):
    found = honest_of({NOTE: note})

    if found is not None:
        assert found.interval.low <= found.score <= found.interval.high
        assert all(math.isfinite(value) for value in (found.raw, found.optimism, found.growth))
        assert len(found.sentence()) < 300


@pytest.mark.parametrize(
    "changed", [{"low": 0.95}, {"how": "<b>"}, {"score": 1e300}, {"optimism": -1}, {"level": 90}]
)
def test_a_note_of_another_form_is_as_if_there_were_none(changed):
    assert honest_facts({NOTE: {**FOUND.facts(), **changed}}) is None


def test_it_has_its_place_in_the_answer_and_none_among_other_notes(tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(3))
        run.note(NOTE, FOUND.facts())
        facts = facts_of(run)

    assert facts["answer"]["honest"]["score"] == 0.88
    assert facts["answer"]["honest"]["n_candidates"] == 24
    assert NOTE not in facts["notes"]
