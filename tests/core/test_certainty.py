"""Words for how sure a choice is."""

from itertools import product

import pytest

from curvewise.core import LearningCurve, Observation, Scale, Task
from curvewise.core._certainty import certainty_of
from curvewise.core._difference import difference_of

TARGET = 900
FOLDS = (1, 2, 3, 5, 10)
DIFFERENCES = (-0.02, 0.0, 1e-9, 0.0005, 0.005, 0.02, 0.1, 0.4)
SPREADS = (0.0, 1e-9, 0.001, 0.05)


def curve(losses, *, n_test=200, anchor=TARGET):
    return LearningCurve(
        Observation(Task("c", anchor, i), loss, n_test=n_test) for i, loss in enumerate(losses)
    )


def judged(winner, *rivals, n_test=200, scale=None):
    others = [curve(losses, n_test=n_test) for losses in rivals]
    chosen = curve(winner, n_test=n_test)
    return certainty_of(chosen, others, target=TARGET, scale=scale or Scale())


def losses(n, mean, spread, *, turn=1):
    return [mean + spread * (-1) ** (i // turn) for i in range(n)]


@pytest.mark.parametrize("scale", [Scale(), Scale.unbounded()])
@pytest.mark.parametrize("n_test", [None, 5, 200, 100_000])
def test_no_combination_of_folds_difference_and_spread_contradicts_itself(scale, n_test):
    for n_winner, n_rival, difference, spread in product(FOLDS, FOLDS, DIFFERENCES, SPREADS):
        winner, rival = losses(n_winner, 0.3, spread), losses(n_rival, 0.3 + difference, spread)
        found = judged(winner, rival, n_test=n_test, scale=scale)
        one = difference_of(
            curve(rival, n_test=n_test), curve(winner, n_test=n_test), target=TARGET, scale=scale
        )
        case = (n_winner, n_rival, difference, spread, found, one.chance)

        if found.kind == "clear":
            assert n_winner > 1, case
            assert difference > 0, case
            assert one.chance <= 0.025, case
            assert one.interval().low >= 0, case
        if difference <= 0:
            assert found.kind in ("close", "unsure"), case
            assert found.n_close == 1, case
        assert (found.kind == "unsure") == (n_winner == 1), case
        assert found.sentence.endswith("."), case


def test_chances_of_many_add_up():
    winner, behind = losses(5, 0.3, 0.01), losses(5, 0.36, 0.01)

    assert judged(winner, behind).kind == "clear"
    assert judged(winner, *(200 * [behind])).kind == "likely"


def test_a_rival_that_is_hardly_likely_is_not_called_close():
    found = judged(losses(5, 0.3, 0.01), losses(1, 0.36, 0.01))

    assert found.kind == "likely"
    assert 0.025 < found.chance < 0.2


def test_who_was_never_on_the_same_rows_is_counted_and_said():
    elsewhere = curve([0.5], anchor=100)
    behind = curve(losses(5, 0.5, 0.01))
    found = certainty_of(
        curve(losses(5, 0.3, 0.01)), [elsewhere, behind], target=TARGET, scale=Scale()
    )

    assert found.kind == "clear"
    assert found.sentence == (
        "The choice is clear: the chance that the other is better is at most 0.1%. One other was "
        "not evaluated on the same rows, and cannot be compared."
    )


def test_a_single_fold_is_never_sure():
    assert judged([0.1], [0.9]).sentence == (
        "The choice is not sure: it was measured on a single fold only."
    )


def test_alone_is_said():
    assert judged([0.1, 0.2]).kind == "alone"
