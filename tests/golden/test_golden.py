import json

import pytest

from tests.golden.regenerate import CASES, FIGURES, figures, path_of, trace


@pytest.mark.parametrize("label", CASES)
def test_decisions_are_those_of_the_golden_trace(label):
    expected = path_of(label).read_text(encoding="utf-8")

    assert trace(label) == expected, "a rule has changed: see `make golden`"


def test_the_figures_of_a_replay_are_the_golden_ones_to_the_last_digit():
    expected = json.loads(FIGURES.read_text(encoding="utf-8"))

    assert figures() == expected, "a rule has changed: see `make golden`"
