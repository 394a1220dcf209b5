import math

import pytest

from curvewise.core._checks import known_keys, real_number, whole_number
from curvewise.errors import InvalidParameterError


def test_what_fits_is_given_back():
    assert whole_number("target", 100, at_least=1) == 100
    assert real_number("price", 0.004, at_least=0) == 0.004


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: whole_number("n_folds", 2.5), "n_folds must be a whole number, got 2.5."),
        (lambda: whole_number("n_folds", 0, at_least=1), "n_folds must be at least 1, got 0."),
        (lambda: real_number("price", -1, at_least=0), "price must be at least 0, got -1."),
        (lambda: real_number("base", 1, above=1), "base must be above 1, got 1."),
        (lambda: real_number("price", math.nan), "price must be a finite number, got nan."),
        (lambda: real_number("price", True), "price must be a finite number, got True."),
        (lambda: real_number("price", "1"), "price must be a finite number, got '1'."),
        (
            lambda: known_keys({"sead": 1}, "settings", {"seed"}),
            "settings has 'sead', which means nothing; known are seed.",
        ),
        (lambda: known_keys([], "settings", {"seed"}), r"settings must be a table, got \[\]."),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(check, message):
    with pytest.raises(InvalidParameterError, match=message):
        check()
