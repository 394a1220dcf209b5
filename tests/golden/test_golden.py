import pytest

from tests.golden.regenerate import CASES, path_of, trace


@pytest.mark.parametrize("label", CASES)
def test_decisions_are_those_of_the_golden_trace(label):
    expected = path_of(label).read_text(encoding="utf-8")

    assert trace(label) == expected, "a rule has changed: see `make golden`"
