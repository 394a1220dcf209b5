import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import (
    LCCV,
    Failure,
    Observation,
    Race,
    Reason,
    Scale,
    Schedule,
    Search,
    Status,
    Validation,
)
from curvewise.core._decisions import Advance, Complete, Prune, Skip
from curvewise.core._policy import Demands, demands_of
from curvewise.errors import InvalidParameterError
from tests.play import noise, observe, play, power_law


def finish(validation, loss):
    while not validation.done:
        for task in validation.ask():
            validation.tell(observe(task, loss(task.anchor, task.fold)))
    return validation.result


@st.composite
def convex_curves(draw):
    """A convex function of the training rows: a maximum of lines that rise ever less steeply."""
    lines = draw(
        st.lists(st.tuples(st.floats(-0.01, 0.001), st.floats(0, 1)), min_size=1, max_size=5)
    )
    return lambda anchor, fold: max(slope * anchor + start for slope, start in lines)


@given(convex_curves(), st.integers(70, 20_000), st.floats(0, 1), st.integers(2, 10))
def test_a_noiseless_convex_candidate_that_is_better_is_never_pruned(loss, target, lead, n_folds):
    validation = Validation(
        schedule=target, policy=LCCV(), n_folds=n_folds, best_loss=loss(target, 0) + lead + 1e-9
    )

    assert finish(validation, loss).status is Status.COMPLETED


@given(
    st.integers(1, 70_000),
    st.integers(1, 10),
    st.integers(0, 10**6),
    st.booleans(),
    st.floats(0, 1),
)
def test_cost_is_at_most_twice_that_of_k_fold(target, n_folds, seed, prune, best_loss):
    policy = LCCV(prune=prune, skip=prune)
    validation = Validation(schedule=target, n_folds=n_folds, policy=policy, best_loss=best_loss)

    result = finish(validation, lambda anchor, fold: abs(noise(seed, anchor, fold)))

    assert result.training_rows <= 2 * n_folds * target


@given(st.integers(0, 10**6), st.randoms(), st.integers(1, 12))
def test_arrival_order_does_not_change_decisions(seed, random, n_workers):
    def learner(anchor, fold):
        return 0.3 + 2 / anchor + 0.2 * noise(seed, anchor, fold)

    def result(pick):
        search = Search(["a"], schedule=3000, policy=LCCV(), n_folds=8, best_loss=0.3)
        play(search, {"a": learner}, n_workers=n_workers, pick=pick)
        return search.results["a"]

    in_order = result(lambda running: 0)
    shuffled = result(lambda running: random.randrange(len(running)))

    assert in_order.decisions == shuffled.decisions
    assert in_order.curve == shuffled.curve


def test_with_nothing_to_beat_it_goes_straight_to_the_target():
    result = finish(Validation(schedule=5000, policy=LCCV(), n_folds=5), power_law(0.1))

    assert isinstance(result.decisions[0], Skip)
    assert result.curve.anchors == (5000,)


def test_a_mean_that_beats_the_leader_jumps():
    result = finish(Validation(schedule=5000, policy=LCCV(), best_loss=0.5), power_law(0.1))

    skip = next(d for d in result.decisions if isinstance(d, Skip))
    assert skip.because == "mean"
    assert result.curve.anchors == (64, 5000)


def test_an_extrapolation_that_beats_the_leader_jumps():
    loss = power_law(0.1, height=3, exponent=0.5)
    result = finish(Validation(schedule=5000, policy=LCCV(), best_loss=0.15), loss)

    skip = next(d for d in result.decisions if isinstance(d, Skip))
    assert skip.because == "ipl"
    assert len(result.curve.anchors) == 4


def test_a_hopeless_candidate_is_pruned_with_its_evidence():
    result = finish(
        Validation(schedule=5000, policy=LCCV(), best_loss=0.1), lambda anchor, fold: 0.4
    )

    prune = result.decisions[-1]
    assert isinstance(prune, Prune)
    assert (prune.anchor, prune.threshold) == (128, 0.1)
    assert prune.bound == pytest.approx(0.4)
    assert math.isnan(result.loss)
    assert "at best 0.6 at 5,000, to beat 0.9" in result.explain()


def test_full_curve_mode_evaluates_every_anchor():
    policy = LCCV(prune=False, skip=False)
    validation = Validation(schedule=5000, policy=policy, best_loss=0.1)

    result = finish(validation, lambda anchor, fold: 0.4)

    assert result.status is Status.COMPLETED
    assert result.curve.anchors == LCCV().schedule(5000).anchors


def test_wide_intervals_are_narrowed_by_more_folds():
    def wide(anchor, fold):
        return 0.5 + 0.3 * (-1) ** fold

    result = finish(Validation(schedule=100, policy=LCCV(), n_folds=10, best_loss=0.01), wide)

    assert result.curve.n(100) == 10


def test_a_candidate_at_the_target_gets_its_score_even_if_it_is_worse():
    def late_disappointment(anchor, fold):
        return 0.9 if anchor == 5000 else 0.1

    result = finish(Validation(schedule=5000, policy=LCCV(), best_loss=0.2), late_disappointment)

    assert isinstance(result.decisions[-1], Complete)
    assert result.loss == pytest.approx(0.9)


def test_a_failed_anchor_is_skipped_and_takes_no_part_in_checks():
    search = Search(["a"], schedule=1000, policy=LCCV(), best_loss=0.01)
    learner = power_law(0.0, height=5)

    play(search, {"a": learner}, failing={("a", 64)})

    result = search.results["a"]
    assert 64 not in result.curve.anchors
    assert any(isinstance(d, Advance) and d.anchor == 128 for d in result.decisions)


def test_an_anchor_with_a_failed_fold_prunes_nothing():
    search = Search(["a"], schedule=Schedule((64, 128, 9000)), policy=LCCV(), best_loss=0.1)
    while not search.done:
        for task in search.ask():
            if task.fold == 2 and task.anchor < 9000:
                search.tell(Failure(task, Reason.ERROR))
            else:
                search.tell(observe(task, 0.5))

    assert search.results["a"].status is Status.COMPLETED


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("last_anchor", pytest.approx(0.3)), ("extrapolation", pytest.approx(0.1, abs=0.02))],
)
def test_both_results_on_a_timeout(kind, expected):
    policy = LCCV(timeout_result=kind)
    validation = Validation(schedule=100_000, policy=policy, best_loss=0.05)
    loss = power_law(0.1, height=3.2, exponent=0.5)
    while not validation.done:
        for task in validation.ask():
            if task.anchor > 256:
                validation.tell(Failure(task, Reason.TIMEOUT, "after 5 s"))
            else:
                validation.tell(observe(task, loss(task.anchor, task.fold)))

    result = validation.result
    assert result.status is Status.STOPPED
    assert result.loss == expected
    assert result.interval.low <= result.loss <= result.interval.high
    assert math.isfinite(result.interval.width)
    assert "stopped (timeout)" in result.explain()


@st.composite
def rates(draw):
    """Error rates by anchor: falling steeply, slowly, rising or anything between 0 and 1."""
    anchors = LCCV().schedule(20_000).anchors
    losses = draw(st.lists(st.floats(0, 1), min_size=len(anchors), max_size=len(anchors)))
    if draw(st.booleans()):
        losses.sort(reverse=True)
    return dict(zip(anchors, losses, strict=True))


@given(rates(), st.integers(0, 6), st.floats(0, 1), st.sampled_from([Scale(), Scale.unbounded()]))
def test_nothing_that_is_foreseen_is_better_than_the_best_score(losses, n_anchors, lead, scale):
    """Of accuracies as of negated errors: neither estimates, nor bounds, nor expectations."""
    policy = LCCV(timeout_result="extrapolation")
    validation = Validation(schedule=20_000, policy=policy, best_loss=lead, scale=scale)
    last = [0, *losses][n_anchors]
    while not validation.done:
        for task in validation.ask():
            if task.anchor > last:
                validation.tell(Failure(task, Reason.TIMEOUT))
            else:
                validation.tell(observe(task, losses[task.anchor]))

    result = validation.result
    bounds = [d.bound for d in result.decisions if isinstance(d, Prune | Advance)]
    estimates = [d.estimate for d in result.decisions if isinstance(d, Skip)]
    assert all(foreseen is None or foreseen >= 0 for foreseen in [*bounds, *estimates])
    assert math.isnan(result.loss) or 0 <= result.loss <= result.interval.high
    low = result.interval.low
    assert math.isnan(result.loss) or low >= 0 or math.isinf(low)


def test_a_metric_without_a_best_score_has_no_bound():
    policy = LCCV(timeout_result="extrapolation")
    scale = Scale.unbounded()
    validation = Validation(schedule=4096, policy=policy, best_loss=-9.0, scale=scale)
    while not validation.done:
        for task in validation.ask():
            if task.anchor > 256:
                validation.tell(Failure(task, Reason.TIMEOUT))
            else:
                validation.tell(observe(task, -5.0 + 40 / task.anchor**0.5))

    assert validation.result.loss == pytest.approx(-5 + 40 / 4096**0.5, abs=0.01)


def test_a_steep_candidate_that_ran_out_of_time_is_not_the_best_by_its_extrapolation_alone():
    """A law without a bound would have it at an accuracy above 1, cut off at 1."""
    losses = {"steep": {64: 0.5, 128: 0.4, 256: 0.3}, "good": {64: 0.1, 128: 0.06, 256: 0.048}}
    policy = LCCV(timeout_result="extrapolation", model=None)
    search = Search(list(losses), schedule=8192, policy=policy, best_loss=0.01)
    while not search.done:
        for task in search.ask():
            if task.anchor > 256:
                search.tell(Failure(task, Reason.TIMEOUT))
            else:
                search.tell(observe(task, losses[task.candidate][task.anchor]))

    steep, good = search.results["steep"], search.results["good"]
    assert search.best.candidate == "good"
    assert 0.05 < steep.loss < 0.3 <= steep.interval.high
    assert good.loss <= 0.048 <= good.interval.high


def trained(task, loss, train_loss):
    return Observation(task, loss, train_scores={"accuracy": 1 - train_loss})


@pytest.mark.parametrize(("train_loss", "kind"), [(0.3, Prune), (0.1, Complete)])
def test_who_is_worse_on_its_own_training_rows_can_be_pruned(train_loss, kind):
    policy = LCCV(prune_by_training=True, model=None)
    validation = Validation(schedule=5000, policy=policy, best_loss=0.2)
    while not validation.done:
        for task in validation.ask():
            validation.tell(trained(task, 0.2 + 16 / task.anchor, train_loss))

    last = validation.result.decisions[-1]
    assert isinstance(last, kind)
    if kind is Prune:
        assert (last.anchor, last.rule, last.bound) == (64, "training", pytest.approx(0.3))


def test_pruning_by_training_rows_needs_their_scores():
    validation = Validation(
        schedule=5000, policy=LCCV(prune_by_training=True), n_folds=3, best_loss=0.2
    )
    *others, last = validation.ask(3)
    for task in others:
        validation.tell(observe(task, 0.4))

    with pytest.raises(InvalidParameterError, match="needs scores on the training rows"):
        validation.tell(observe(last, 0.4))


def test_a_policy_says_what_it_asks_of_an_evaluation():
    asking = LCCV(test_part="rest", prune_by_training=True)

    assert demands_of(asking) == Demands("rest", train_scores=True)
    assert demands_of(Race(by_rows=True)) == Demands(row_losses=True)
    assert demands_of(Race()) == demands_of(object()) == demands_of(None) == Demands("fold")


def test_a_timeout_before_any_result_gives_nan():
    validation = Validation(schedule=1000, policy=LCCV())
    for task in validation.ask(9):
        validation.tell(Failure(task, Reason.TIMEOUT))

    assert validation.result.status is Status.STOPPED
    assert math.isnan(validation.result.loss)


PEAK = {64: 0.3, 128: 0.4, 256: 0.45}


def peaked(anchor, fold):
    """A curve that rises at first and ends far below: double descent."""
    return PEAK.get(anchor, 0.05) + 0.002 * noise(anchor, fold)


def test_a_rising_curve_is_not_pruned_where_its_shape_is_tested():
    def validate(policy):
        return finish(Validation(schedule=5000, policy=policy, best_loss=0.1), peaked)

    plain, tested = validate(LCCV()), validate(LCCV(shape_alpha=0.05))

    assert plain.status is Status.PRUNED
    assert tested.status is Status.COMPLETED
    advances = [d for d in tested.decisions if isinstance(d, Advance)]
    assert [d.shape for d in advances[:2]] == [None, None]
    assert {d.shape for d in advances[2:]} == {"rise"}
    assert "because of a rise" in advances[-1].explain(Scale())


def test_a_plateau_that_has_not_begun_to_fall_is_not_pruned_where_shapes_are_tested():
    def majority_at_first(anchor, fold):
        return 0.4 + 0.0001 * fold if anchor < 512 else 0.05

    def validate(policy):
        return finish(Validation(schedule=5000, policy=policy, best_loss=0.1), majority_at_first)

    assert validate(LCCV()).status is Status.PRUNED
    assert validate(LCCV(shape_alpha=0.05)).status is Status.COMPLETED


@given(st.integers(0, 10**6), st.floats(0.01, 0.5), st.integers(3, 10))
def test_testing_the_shape_only_ever_prunes_later(seed, alpha, n_folds):
    def loss(anchor, fold):
        return 0.3 + 0.1 * noise(seed, anchor) + 0.02 * noise(seed, anchor, fold)

    def validate(policy):
        return finish(
            Validation(schedule=9000, policy=policy, n_folds=n_folds, best_loss=0.15), loss
        )

    plain, tested = validate(LCCV()), validate(LCCV(shape_alpha=alpha))

    n = len(plain.decisions) - (plain.status is Status.PRUNED)
    assert tested.decisions[:n] == plain.decisions[:n]


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"min_repeats": 0}, "min_repeats must be at least 1"),
        ({"min_repeats": 2.5}, "min_repeats must be a whole number"),
        ({"max_repeats": 3.5}, "max_repeats must be a whole number"),
        ({"base": float("inf")}, "base must be a finite number"),
        ({"min_repeats": 5, "max_repeats": 3}, "max_repeats must be at least min_repeats=5"),
        ({"max_width": -1}, "max_width must be at least 0"),
        ({"interval": "bootstrap"}, "interval must be 'normal' or 't'"),
        ({"level": 2}, "level must be between 0 and 1"),
        ({"max_repairs": -1}, "max_repairs must be at least 0"),
        ({"test_part": "all"}, "test_part must be 'fold' or 'rest', got 'all'"),
        ({"compatibility": "maybe"}, "compatibility must be"),
        ({"timeout_result": "mean"}, "timeout_result must be"),
        ({"model": "spline"}, "model must be one of ipl"),
        ({"base": 1}, "base must be above 1"),
        ({"min_exp": -1}, "min_exp must be at least 0"),
        ({"shape_alpha": 0}, "shape_alpha must be above 0"),
        ({"shape_alpha": 1}, "shape_alpha must be below 1"),
    ],
)
def test_impossible_knobs_are_refused(knobs, message):
    with pytest.raises(InvalidParameterError, match=message):
        LCCV(**knobs)
