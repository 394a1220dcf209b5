"""What the report says of how a run was begun, how long it took, and what simple models score."""

import math

import pytest

from curvewise._report.given_facts import CONSTANT, DEFAULT_MODEL
from curvewise._report.report_facts import facts_of
from curvewise._selection.run_notes import CLOCK, GIVEN
from tests.report.samples import search_on, stored

DEFAULT = {
    "score": 0.87,
    "gain": 0.05,
    "low": 0.02,
    "high": 0.08,
    "n_folds": 5,
    "chance": 0.01,
    "reason": None,
}
NO_NUMBERS = [None, True, "0.5", math.nan, math.inf, 10**400, [1.0], {}]


@pytest.fixture
def told(tmp_path):
    """The facts of a small run with notes."""

    def told(notes):
        with stored(tmp_path / "run.db") as run:
            search_on(run, range(3))
            for key, value in notes.items():
                run.note(key, value)
            return facts_of(run)

    return told


def test_baselines_are_the_constant_and_the_default_model(told):
    facts = told({CONSTANT: 0.625, DEFAULT_MODEL: DEFAULT})

    assert facts["answer"]["baselines"]["constant"] == 0.625
    assert facts["answer"]["baselines"]["default"]["score"] == 0.87
    assert facts["answer"]["baselines"]["default"]["sentence"] == (
        "HistGradientBoosting with its defaults scores 0.8700; the search brought +0.0500 "
        "(95% interval +0.0200 to +0.0800, on 5 folds)."
    )
    assert not {CONSTANT, DEFAULT_MODEL} & facts["notes"].keys()


def test_without_baselines_nothing_is_said_of_them(told):
    assert told({})["answer"]["baselines"] is None


@pytest.mark.parametrize("wrong", NO_NUMBERS)
def test_a_baseline_that_is_no_number_is_none(wrong, told):
    facts = told({CONSTANT: wrong, DEFAULT_MODEL: {**DEFAULT, "score": wrong}})

    assert facts["answer"]["baselines"] is None


def test_the_clock_is_what_was_noted_over_all_sittings(told):
    facts = told({CLOCK: {"seconds": 90.0}, GIVEN: {"budget": 120.0, "jobs": 2, "seed": 7}})

    assert facts["run"]["clock"] == 90.0
    assert facts["run"]["given"] == {"budget": 120.0, "jobs": 2, "seed": 7}


@pytest.mark.parametrize("wrong", NO_NUMBERS)
def test_a_time_that_is_no_number_is_taken_from_the_store(wrong, told):
    facts = told({CLOCK: {"seconds": wrong}, GIVEN: {"budget": wrong}})

    assert 0 <= facts["run"]["clock"] < 60
    assert "budget" not in facts["run"]["given"]
