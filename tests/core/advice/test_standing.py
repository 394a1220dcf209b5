"""Where a portfolio stands: the leader, the last step, and their noise."""

import math

import pytest

from curvewise.core.advice.evidence import Entry
from curvewise.core.advice.standing import fold_noise, stand
from curvewise.core.outcome import Observation, Task
from curvewise.core.scale import Scale
from tests.core.advice.curves import curve, of_losses

RATES = Scale()


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


def test_a_candidate_with_fewer_folds_does_not_lead():
    standing = stand(
        entries(lucky=of_losses({1024: [0.1]}), steady=of_losses({1024: [0.1, 0.3]})), RATES
    )

    assert standing.leader == "steady"


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


def test_a_close_anchor_is_better_than_none():
    assert stand([Entry("svc", curve(anchors=(900, 1000)))], RATES).step.before == 900


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
