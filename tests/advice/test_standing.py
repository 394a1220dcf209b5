"""Where a portfolio stands: the best loss now and the last step, with their noise."""

import math

import pytest

from curvewise.advice._evidence import Entry
from curvewise.advice._loss_noise import fold_noise
from curvewise.advice._standing import stand
from curvewise.core._scale import Scale
from tests.advice.curves import curve, of_losses

RATES, UNBOUNDED = Scale(), Scale.unbounded()


def entries(**curves):
    return [Entry(name, each) for name, each in curves.items()]


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
    standing = stand([Entry("svc", curve(anchors=(256, 512, 900, 1000)))], RATES)

    assert standing.step.before == 512


def test_an_anchor_that_is_too_close_tells_nothing():
    assert stand([Entry("svc", curve(anchors=(900, 1000)))], RATES).step is None


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
