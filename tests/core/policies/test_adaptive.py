import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import (
    LCCV,
    AdaptiveLCCV,
    Failure,
    KFoldCV,
    Reason,
    Scale,
    Search,
    Status,
    Validation,
)
from curvewise.core._decisions import Advance, Prune, Skip
from curvewise.errors import InvalidParameterError
from tests.core.policies.test_lccv import convex_curves, finish, rates
from tests.play import noise, observe, play, power_law


@given(convex_curves(), st.integers(70, 20_000), st.floats(0, 1), st.integers(2, 10))
def test_a_noiseless_convex_candidate_that_is_better_is_never_pruned(loss, target, lead, n_folds):
    best_loss = loss(target, 0) + lead + 1e-9
    validation = Validation(
        schedule=target, policy=AdaptiveLCCV(), n_folds=n_folds, best_loss=best_loss
    )

    assert finish(validation, loss).status is Status.COMPLETED


@given(st.integers(1, 70_000), st.integers(1, 10), st.integers(0, 10**6), st.floats(0, 1))
def test_cost_is_at_most_twice_that_of_k_fold(target, n_folds, seed, best_loss):
    validation = Validation(
        schedule=target, n_folds=n_folds, policy=AdaptiveLCCV(), best_loss=best_loss
    )

    result = finish(validation, lambda anchor, fold: abs(noise(seed, anchor, fold)))

    assert result.training_rows <= 2 * n_folds * target


@given(st.integers(0, 10**6), st.randoms(), st.integers(1, 12))
def test_arrival_order_does_not_change_decisions(seed, random, n_workers):
    def learner(anchor, fold):
        return 0.3 + 2 / anchor + 0.1 * noise(seed, anchor, fold)

    def result(pick):
        search = Search(["a"], schedule=30_000, policy=AdaptiveLCCV(), n_folds=8, best_loss=0.2)
        play(search, {"a": learner}, n_workers=n_workers, pick=pick)
        return search.results["a"]

    in_order = result(lambda running: 0)
    shuffled = result(lambda running: random.randrange(len(running)))

    assert in_order.decisions == shuffled.decisions
    assert in_order.curve == shuffled.curve


@given(st.integers(0, 10**6), st.integers(1, 10), st.integers(200, 50_000))
def test_a_completed_candidate_has_the_score_of_cross_validation(seed, n_folds, target):
    learners = {
        name: power_law(floor, wobble=0.05)
        for name, floor in {"a": 0.2, "b": 0.1 + seed % 7 / 30, "c": 0.3}.items()
    }

    def results(policy):
        search = Search(list(learners), schedule=target, policy=policy, n_folds=n_folds)
        play(search, learners)
        return search.results

    own, kfold = results(AdaptiveLCCV(max_width_target=0)), results(KFoldCV())

    for name, result in own.items():
        if result.status is Status.COMPLETED:
            assert result.loss == kfold[name].loss


def test_a_failure_changes_nothing_for_candidates_that_it_would_not_have_beaten():
    learners = {
        "a": power_law(0.2),
        "bad": power_law(0.5),
        "b": power_law(0.3),
        "c": power_law(0.1),
    }

    def results(failing):
        search = Search(list(learners), schedule=9000, policy=AdaptiveLCCV(), n_folds=5)
        play(search, learners, failing=failing)
        return search.results

    healthy, failed = (
        results(()),
        results({("bad", anchor) for anchor in LCCV().schedule(9000).anchors}),
    )

    assert failed["bad"].status is Status.FAILED
    for name in ("a", "b", "c"):
        assert failed[name].decisions == healthy[name].decisions


def test_it_begins_at_a_sixteenth_of_the_target():
    result = finish(
        Validation(schedule=40_000, policy=AdaptiveLCCV(), best_loss=0.1), lambda anchor, fold: 0.4
    )

    assert result.curve.anchors[0] == 2048
    assert AdaptiveLCCV(first=1).first == 1


def test_a_hopeless_candidate_is_pruned_with_two_evaluations_of_anchors():
    result = finish(
        Validation(schedule=40_000, policy=AdaptiveLCCV(), best_loss=0.1), lambda anchor, fold: 0.4
    )

    assert isinstance(result.decisions[-1], Prune)
    assert result.curve.anchors == (2048, 8192)


def test_anchors_that_cannot_decide_are_jumped_over():
    loss = power_law(0.1, height=3, exponent=0.3)
    result = finish(Validation(schedule=65_536, policy=AdaptiveLCCV(), best_loss=0.15), loss)

    inner = [anchor for anchor in LCCV().schedule(65_536).inner if anchor >= 4096]
    assert len(result.curve.anchors) - 1 < len(inner)


def test_with_intervals_too_wide_to_decide_it_jumps_and_says_why():
    def wide(anchor, fold):
        return 0.5 + 0.4 * (-1) ** fold

    result = finish(
        Validation(schedule=9000, policy=AdaptiveLCCV(max_width=1), best_loss=0.01, n_folds=5), wide
    )

    skip = next(d for d in result.decisions if isinstance(d, Skip))
    assert "(no anchor is expected to pay), to beat 0.99" in skip.explain(Scale())
    assert skip.estimate > skip.threshold


def test_without_jumps_or_without_prunes_it_is_lccv():
    for knobs in ({"skip": False}, {"prune": False}, {"prune": False, "skip": False}):
        adaptive, plain = (
            finish(Validation(schedule=9000, policy=kind(**knobs), best_loss=0.05), power_law(0.1))
            for kind in (AdaptiveLCCV, LCCV)
        )

        assert adaptive.decisions == plain.decisions


@given(rates(), st.integers(0, 6), st.floats(0, 1))
def test_nothing_that_is_foreseen_is_better_than_the_best_score(losses, n_anchors, lead):
    validation = Validation(schedule=20_000, policy=AdaptiveLCCV(), best_loss=lead)
    last = [0, *losses][n_anchors]
    while not validation.done:
        for task in validation.ask():
            if task.anchor > last:
                validation.tell(Failure(task, Reason.TIMEOUT))
            else:
                validation.tell(observe(task, losses[task.anchor]))

    decisions = validation.result.decisions
    bounds = [d.bound for d in decisions if isinstance(d, Prune | Advance)]
    estimates = [d.estimate for d in decisions if isinstance(d, Skip)]
    assert all(foreseen is None or foreseen >= 0 for foreseen in [*bounds, *estimates])


@given(st.integers(0, 10**6), st.booleans())
def test_anchors_are_of_the_grid_and_ascend(seed, count_rows):
    search = Search(
        ["a"],
        schedule=AdaptiveLCCV().schedule(30_000),
        policy=AdaptiveLCCV(),
        best_loss=0.2,
        count_rows=count_rows,
    )
    tasks = play(search, {"a": lambda anchor, fold: 0.3 + 0.1 * noise(seed, anchor, fold)})

    where = [d.anchor for d in search.results["a"].decisions if isinstance(d, Advance | Skip)]
    assert set(where) <= set(AdaptiveLCCV().schedule(30_000).anchors)
    assert where == sorted(set(where))
    assert len(tasks) == len(set(tasks))


def test_a_failed_anchor_takes_no_part():
    search = Search(["a"], schedule=9000, policy=AdaptiveLCCV(), best_loss=0.01)

    play(search, {"a": power_law(0.0, height=5)}, failing={("a", 512)})

    result = search.results["a"]
    assert 512 not in result.curve.anchors
    assert math.isfinite(result.curve.mean(result.curve.anchors[-1]))


def test_impossible_knobs_are_refused():
    with pytest.raises(InvalidParameterError, match="first must be at least 1"):
        AdaptiveLCCV(first=0.5)
    with pytest.raises(InvalidParameterError, match="min_repeats must be at least 1"):
        AdaptiveLCCV(min_repeats=0)
