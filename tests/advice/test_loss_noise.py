"""How much chance there is in a loss."""

import math

import pytest

from curvewise.advice._loss_noise import fold_noise
from curvewise.core._outcome import Observation, Task
from curvewise.core._scale import Scale
from tests.advice.curves import of_losses

RATES, UNBOUNDED = Scale(), Scale.unbounded()


def cells_of(losses, *, rows=900, n_test=None):
    return of_losses({rows: losses}, n_test=n_test).cells(rows)


def test_noise_that_is_given_counts_as_four_folds():
    cells = [
        Observation(Task("svc", 900, fold), loss, noise=1.0) for fold, loss in [(0, 1), (1, 3)]
    ]

    noise = fold_noise(cells, Scale.unbounded())

    assert noise.variance == pytest.approx((4 * 1.0 + 2.0) / 5)
    assert noise.freedom == 5


def test_a_single_fold_of_unknown_noise_is_infinitely_noisy():
    noise = fold_noise([Observation(Task("svc", 900, 0), 3.0)], Scale.unbounded())

    assert math.isinf(noise.error_of_mean(1))


def test_a_variance_of_few_folds_is_trusted_less():
    few, many = ([Observation(Task("svc", 900, f), f % 2) for f in range(n)] for n in (2, 200))

    assert few[0].loss == many[0].loss
    errors = [fold_noise(cells, Scale.unbounded()) for cells in (few, many)]
    ratios = [noise.error_of_mean(1) / math.sqrt(noise.variance) for noise in errors]
    assert ratios[0] > 3
    assert ratios[1] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("unit", [1e150, 1e154, 1e300])
@pytest.mark.parametrize("noise", [None, 2.0], ids=["folds", "test rows"])
def test_losses_whose_squares_overflow_have_a_noise(unit, noise):
    def error(unit):
        known = None if noise is None else min(noise * unit * unit, 1e300)
        cells = [Observation(Task("svc", 9, f), unit * (2 + f), noise=known) for f in range(5)]
        return fold_noise(cells, UNBOUNDED).error_of_mean(5)

    assert math.isfinite(error(unit))
    if noise is None:
        assert error(unit) == pytest.approx(unit * error(1.0))


@pytest.mark.parametrize("loss", [0.0, 0.1, 1.0])
def test_rates_that_are_the_same_on_every_fold_are_not_certain(loss):
    few, many = (fold_noise(cells_of([loss] * 5, rows=rows), RATES) for rows in (100, 10_000))

    assert 0 < many.error_of_mean(5) < few.error_of_mean(5) < math.inf


def test_test_rows_that_are_known_are_not_guessed():
    known, other = (
        fold_noise(cells_of([0.1] * 5, rows=rows, n_test=50), RATES) for rows in (100, 10_000)
    )

    assert known == other


def test_the_chance_of_negative_losses_that_are_all_the_same_is_unknown():
    assert math.isinf(fold_noise(cells_of([-3.0] * 5), UNBOUNDED).error_of_mean(5))
