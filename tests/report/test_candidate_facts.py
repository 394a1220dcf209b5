from curvewise import Scale
from curvewise._report.candidate_facts import number, score_interval
from curvewise.core._intervals import Interval


def test_numbers_are_rounded_and_what_is_none_is_missing():
    assert (number(0.123456789), number(float("nan")), number(None)) == (0.1234568, None, None)


def test_an_interval_of_scores_ends_at_the_best_possible_score():
    assert score_interval(Interval(-0.125, 0.25), Scale()) == (0.75, 1.0)
