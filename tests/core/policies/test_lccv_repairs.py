"""Bends that LCCV repairs: where, how often, and at what cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import (
    LCCV,
    Scale,
    Schedule,
    Validation,
)
from curvewise.core._decisions import Prune, Repair
from tests.core.policies.test_lccv import finish
from tests.play import noise


def a_bend(anchor, fold):
    """Not convex at 128 rows, whatever number of folds is looked at."""
    return {64: 0.5, 128: 0.5}.get(anchor, 0.2) + 0.001 * noise(anchor, fold)


def repairs_of(**knobs):
    policy = LCCV(prune=False, model=None, **knobs)
    result = finish(Validation(schedule=5000, n_folds=6, policy=policy, best_loss=0.01), a_bend)
    return result, [d for d in result.decisions if isinstance(d, Repair)]


def test_a_bend_is_repaired_where_it_is_once():
    result, repairs = repairs_of()

    assert [(d.anchor, d.later, d.wants) for d in repairs] == [(128, 256, ((128, 3),))]
    assert [result.curve.n(anchor) for anchor in (64, 128, 256, 512)] == [3, 4, 4, 3]
    assert repairs[0].excess > 0


def test_as_printed_a_bend_is_repaired_until_folds_run_out():
    result, repairs = repairs_of(max_repairs=None, compatibility="slopes")

    assert [(d.anchor, d.later) for d in repairs] == [(128, 256)] * 3
    assert result.curve.n(128) == 6


def test_without_repairs_there_are_none():
    assert repairs_of(max_repairs=0)[1] == []
    assert repairs_of(repair=False)[1] == []


def test_after_a_repair_the_earlier_anchor_may_be_the_last():
    """Its new fold shows that the curve has stopped falling."""
    losses = {64: [0.43] * 3, 128: [0.4, 0.5, 0.6, 0.55], 256: [0.2] * 4}
    policy = LCCV(max_width=0.2, model=None)
    validation = Validation(schedule=5000, n_folds=4, policy=policy, best_loss=0.1)

    result = finish(validation, lambda anchor, fold: losses[anchor][fold])

    *_, repair, prune = result.decisions
    assert isinstance(repair, Repair)
    assert isinstance(prune, Prune)
    assert (repair.anchor, repair.later, prune.anchor, prune.n_folds) == (128, 256, 128, 4)


def bumps(policy):
    """The share of k-fold's rows that 300 curves with a bump at 128 rows cost on average."""
    target, n_folds, shares = 65_536, 10, []
    for seed in range(300):

        def loss(anchor, fold, seed=seed):
            bump = 0.1 if anchor == 128 else 0.0
            return 0.25 + 16 * anchor**-0.9 + bump + 0.005 * noise(seed, anchor, fold)

        validation = Validation(schedule=target, policy=policy, n_folds=n_folds, best_loss=0.05)
        shares.append(finish(validation, loss).training_rows / (n_folds * target))
    return sum(shares) / len(shares)


def test_an_early_bump_is_not_paid_for_at_every_later_anchor():
    without, once = bumps(LCCV(repair=False, model=None)), bumps(LCCV(model=None))

    assert once < without + 0.001


@given(st.integers(0, 10**6), st.integers(70, 20_000), st.integers(3, 10), st.floats(0, 1))
def test_a_repair_costs_at_most_its_bend_and_one_more_fold(seed, target, n_folds, best_loss):
    policy = LCCV(max_width=2.0)
    validation = Validation(schedule=target, n_folds=n_folds, policy=policy, best_loss=best_loss)
    result = finish(validation, lambda anchor, fold: abs(noise(seed, anchor, fold)))

    repairs = [d for d in result.decisions if isinstance(d, Repair)]
    inner = [anchor for anchor in result.curve.anchors if anchor < target]
    beyond = sum(anchor * max(0, result.curve.n(anchor) - 3) for anchor in inner)
    assert len(repairs) == len({d.anchor for d in repairs})
    assert beyond <= sum(d.anchor + d.later for d in repairs)


@pytest.mark.parametrize("scale", [1e-13, 1.0, 1e9])
def test_rounding_is_never_repaired_on_any_scale(scale):
    policy = LCCV(prune=False, skip=False)
    result = finish(
        Validation(schedule=9000, policy=policy, best_loss=0.1, scale=Scale.unbounded()),
        lambda anchor, fold: scale * (3 - anchor / 7000),
    )

    assert not any(isinstance(d, Repair) for d in result.decisions)


def test_the_slope_rule_of_algorithm_1_is_an_option():
    losses = {64: 0.3, 128: 0.34, 256: 0.3}

    def loss(anchor, fold):
        return losses.get(anchor, 0.3) + 0.04 * (-1) ** fold

    def n_repairs(compatibility):
        policy = LCCV(compatibility=compatibility, prune=False)
        result = finish(
            Validation(schedule=Schedule((64, 128, 256, 600)), policy=policy, best_loss=0.01), loss
        )
        return sum(isinstance(d, Repair) for d in result.decisions)

    assert n_repairs("exact") == 0
    assert n_repairs("slopes") > 0
