"""Small pictures from plain values; results have more of them in `tests/core/test_result.py`."""

from curvewise._sketch import lowest_shown


def test_scores_between_fixed_ends_are_all_shown():
    scores = [0.01, 0.97, 0.98, 0.98, 0.99]

    assert lowest_shown(scores, bounded=True) == 0.01
    assert lowest_shown(scores, bounded=False) > 0.9
