import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.core._anchor_choice import BENDS, SHARES, Seen, choose_anchor, possible_curves
from curvewise.core._convexity import optimistic_bound
from curvewise.core._intervals import Interval

LARGER = (512, 1024, 2048, 4096)


def seen_at(anchors, means, half=0.01):
    intervals = [Interval(mean - half, mean + half) for mean in means]
    return Seen(list(anchors), list(means), intervals)


def rows(n_folds=3, n_target=10):
    return [float(n_folds * anchor) for anchor in LARGER[:-1]] + [float(n_target * LARGER[-1])]


@st.composite
def curves_so_far(draw):
    n = draw(st.integers(1, 3))
    start = draw(st.floats(0.1, 1))
    steps = draw(st.lists(st.floats(-0.2, 0.5), min_size=n - 1, max_size=n - 1))
    means = [start]
    for step in steps:
        means.append(means[-1] * (1 - step))
    return seen_at((64, 128, 256)[:n], means, half=draw(st.floats(0, 0.1)))


@given(curves_so_far(), st.floats(0.01, 0.99))
def test_possible_curves_go_on_from_the_last_anchor_and_are_likely_in_all(seen, share):
    losses, weights = possible_curves(seen, LARGER, share * seen.means[-1])

    assert losses.shape == (len(SHARES) * len(BENDS), len(LARGER))
    assert np.isfinite(losses).all()
    assert weights.sum() == pytest.approx(1)


def test_a_first_look_makes_up_the_shares_of_its_lag():
    losses, weights = possible_curves(seen_at([64], [0.5]), LARGER, 0.3)

    assert np.sort((0.5 - losses[:, -1]) / 0.2) == pytest.approx(np.sort(list(SHARES) * 3))
    assert np.ptp(weights) == pytest.approx(0)


def test_curves_that_explain_the_last_step_are_more_likely():
    falling = seen_at([64, 512], [0.5, 0.35], half=0.001)
    losses, weights = possible_curves(falling, LARGER[1:], 0.3)
    flat = seen_at([64, 512], [0.5, 0.5], half=0.001)
    flat_losses, flat_weights = possible_curves(flat, LARGER[1:], 0.3)

    assert weights @ losses[:, -1] < 0.35
    assert flat_weights @ flat_losses[:, -1] > 0.47


def cheapest_plan(seen, anchors, costs, threshold):
    """The same by trying every plan on every curve, one after the other."""
    losses, weights = possible_curves(seen, anchors, threshold)
    half = seen.intervals[-1].width / 2
    inner = range(len(anchors) - 1)
    plans = [(i,) for i in inner] + [(i, j) for i in inner for j in inner if j > i]
    best = (anchors[-1], costs[-1])
    for plan in sorted(plans):
        expected = 0.0
        for curve, weight in zip(losses, weights, strict=True):
            expected += weight * spent(seen, anchors, costs, threshold, curve, half, plan)
        if expected < best[1] - 1e-9 * costs[-1]:
            best = (anchors[plan[0]], expected)
    return best


def spent(seen, anchors, costs, threshold, curve, half, plan):
    before, interval, total = seen.anchors[-1], seen.intervals[-1], 0.0
    for step, i in enumerate(plan):
        total += costs[i]
        here = Interval(curve[i] - half, curve[i] + half)
        if optimistic_bound([before, anchors[i]], [interval, here], anchors[-1]) > threshold:
            return total
        law = len(seen.anchors) + step + 1 >= 3 and curve[-1] <= threshold
        if curve[i] <= threshold or law:
            break
        before, interval = anchors[i], here
    return total + costs[-1]


@given(curves_so_far(), st.floats(0.01, 0.99), st.floats(0.1, 2), st.integers(1, 10))
def test_the_plan_is_the_cheapest_of_all(seen, share, power, n_target):
    costs = [3 * float(a) ** power for a in LARGER[:-1]] + [n_target * float(LARGER[-1]) ** power]
    threshold = share * seen.means[-1]

    plan = choose_anchor(seen, LARGER, costs, threshold)

    anchor, cost = cheapest_plan(seen, LARGER, costs, threshold)
    assert plan.cost == pytest.approx(cost)
    assert plan.anchor == anchor or plan.cost == pytest.approx(costs[-1])


@given(curves_so_far(), st.floats(0.01, 0.99), st.integers(-20, 20))
def test_the_unit_of_losses_does_not_change_the_plan(seen, share, power):
    factor = 2.0**power
    threshold = share * seen.means[-1]
    moved = Seen(
        seen.anchors,
        [factor * mean for mean in seen.means],
        [Interval(factor * low, factor * high) for low, high in seen.intervals],
    )

    plan = choose_anchor(seen, LARGER, rows(), threshold)
    other = choose_anchor(moved, LARGER, rows(), factor * threshold)

    assert (other.anchor, other.cost) == (plan.anchor, plan.cost)


def test_a_flat_curve_far_behind_is_looked_at_once_more_and_cheaply():
    plan = choose_anchor(seen_at([64, 128], [0.5, 0.5]), LARGER, rows(), 0.1)

    assert plan.anchor == 512
    assert plan.cost < 0.2 * rows()[-1]


def test_where_intervals_are_too_wide_to_decide_it_goes_to_the_target():
    plan = choose_anchor(seen_at([64], [0.5], half=0.45), LARGER, rows(), 0.1)

    assert plan.anchor == LARGER[-1]


def test_where_inner_anchors_cost_as_much_as_the_target_it_goes_there():
    costs = [3.0, 3.0, 3.0, 3.0]

    assert choose_anchor(seen_at([64], [0.5]), LARGER, costs, 0.1).anchor == LARGER[-1]
