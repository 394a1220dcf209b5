"""Where a portfolio stands: the best loss now and the last step, with their noise."""

import math

import pytest

from curvewise.advice._envelope import fold_noise, stand
from curvewise.advice._evidence import CandidateCurve
from curvewise.core._outcome import Observation, Task
from curvewise.core._scale import Scale
from tests.advice.curves import curve, of_losses

RATES, UNBOUNDED = Scale(), Scale.unbounded()


def entries(**curves):
    return [CandidateCurve(name, each) for name, each in curves.items()]


def test_the_step_is_that_of_the_envelope_whoever_leads():
    standing = stand(
        entries(
            early=of_losses({512: [0.30, 0.30], 1024: [0.29, 0.29]}, n_test=100),
            late=of_losses({512: [0.40, 0.40], 1024: [0.20, 0.20]}, n_test=100),
        ),
        RATES,
    )

    assert standing.leader == "late"
    assert standing.step.fall == pytest.approx(0.10)
    assert standing.step.n_candidates == 2


def test_the_error_is_that_of_the_leaders_own_folds():
    early = of_losses({1024: [0.05, 0.07, 0.06]}, n_test=100)
    standing = stand(entries(early=early, other=of_losses({1024: [0.4] * 10})), RATES)

    assert standing.leader == "early"
    assert standing.error == fold_noise(early.cells(1024), RATES).error_of_mean(3)


def test_both_ends_of_a_step_have_the_same_folds_and_candidates():
    # The first look of a race has one fold, and a third candidate never reached the end.
    standing = stand(
        entries(
            leader=of_losses({128: [0.30], 1024: [0.10, 0.20, 0.30]}, n_test=100),
            other=of_losses({128: [0.25], 1024: [0.15]}, n_test=100),
            pruned=of_losses({128: [0.05]}, n_test=100),
        ),
        RATES,
    )

    assert standing.step.fall == pytest.approx(0.25 - 0.10)
    assert (standing.step.n_folds, standing.step.n_candidates) == (1, 2)
    assert standing.step.doublings == 3
    assert standing.step.extra > 0


def test_anchors_that_are_close_are_passed_over():
    standing = stand([CandidateCurve("svc", curve(anchors=(256, 512, 900, 1000)))], RATES)

    assert standing.step.before == 512


def test_an_anchor_that_is_too_close_tells_nothing():
    assert stand([CandidateCurve("svc", curve(anchors=(900, 1000)))], RATES).step is None


def test_a_leader_without_an_earlier_anchor_borrows_the_step_of_others():
    standing = stand(
        entries(
            leader=of_losses({1024: [0.1, 0.1]}, n_test=100),
            other=of_losses({512: [0.3, 0.3], 1024: [0.2, 0.2]}, n_test=100),
        ),
        RATES,
    )

    assert standing.leader == "leader"
    assert standing.step.fall == pytest.approx(0.1)


def test_a_step_on_fewer_folds_has_a_noise_however_large_its_losses_are():
    standing = stand(
        entries(svc=of_losses({512: [3e200, 3e200], 1024: [1e200, 2e200, 1.5e200]})), UNBOUNDED
    )

    assert 0 < standing.step.extra < 1e200


def test_a_step_knows_the_noise_of_its_fall():
    # Folds differ by much, but fall alike.
    losses = {512: [0.3, 0.5, 0.7], 1024: [0.20, 0.41, 0.60]}
    standing = stand(entries(svc=of_losses(losses)), RATES)

    assert 0 < standing.step.error < 0.01 < standing.error


def test_the_fall_of_a_single_fold_has_the_noise_of_its_test_rows():
    known, unknown = (
        stand(entries(svc=of_losses({512: [0.3], 1024: [0.2]}, n_test=n_test)), RATES)
        for n_test in (100, None)
    )

    assert known.step.error == pytest.approx(math.sqrt(2) * known.error)
    assert math.isinf(unknown.step.error)


def cells_of(losses, *, rows=900, n_test=None):
    return of_losses({rows: losses}, n_test=n_test).cells(rows)


def test_noise_that_is_given_counts_as_four_folds():
    cells = [
        Observation(Task("svc", 900, fold), loss, noise=1.0) for fold, loss in [(0, 1), (1, 3)]
    ]

    noise = fold_noise(cells, Scale.unbounded())

    assert noise.deviation**2 == pytest.approx((4 * 1.0 + 2.0) / 5)
    assert noise.freedom == 5


def test_a_single_fold_of_unknown_noise_is_infinitely_noisy():
    noise = fold_noise([Observation(Task("svc", 900, 0), 3.0)], Scale.unbounded())

    assert math.isinf(noise.error_of_mean(1))


def test_a_variance_of_few_folds_is_trusted_less():
    few, many = ([Observation(Task("svc", 900, f), f % 2) for f in range(n)] for n in (2, 200))

    assert few[0].loss == many[0].loss
    errors = [fold_noise(cells, Scale.unbounded()) for cells in (few, many)]
    ratios = [noise.error_of_mean(1) / noise.deviation for noise in errors]
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
