import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from curvewise.core._convexity import (
    convexity_compatible,
    convexity_excess,
    optimistic_bound,
    slopes_increase,
)
from curvewise.core._intervals import Interval

grid = st.integers(0, 40).map(lambda i: i / 40)


@st.composite
def banded_anchors(draw):
    anchors = sorted(draw(st.sets(st.integers(1, 60), min_size=1, max_size=8)))
    ends = [sorted(draw(st.tuples(grid, grid))) for _ in anchors]
    return anchors, [Interval(low, high) for low, high in ends]


def some_convex_curve_fits(anchors, intervals):
    """Ask a linear program for values inside the intervals whose slopes never fall."""
    n = len(anchors)
    rows = []
    for i in range(1, n - 1):
        before, after = anchors[i] - anchors[i - 1], anchors[i + 1] - anchors[i]
        row = np.zeros(n)
        row[i - 1], row[i], row[i + 1] = -1 / before, 1 / before + 1 / after, -1 / after
        rows.append(row)
    answer = linprog(
        np.zeros(n),
        A_ub=np.array(rows) if rows else None,
        b_ub=np.full(len(rows), 1e-9) if rows else None,
        bounds=[tuple(interval) for interval in intervals],
    )
    return answer.status == 0


@given(banded_anchors())
def test_convexity_test_agrees_with_a_linear_program(case):
    anchors, intervals = case
    assume(abs(convexity_excess(anchors, intervals)) > 1e-6)

    assert convexity_compatible(anchors, intervals) == some_convex_curve_fits(anchors, intervals)


@given(banded_anchors())
def test_intervals_around_a_convex_curve_are_compatible(case):
    anchors, intervals = case
    around = [
        Interval(1 / anchor - interval.low, 1 / anchor + interval.high)
        for anchor, interval in zip(anchors, intervals, strict=True)
    ]

    assert convexity_compatible(anchors, around)


def test_slope_rule_rejects_what_a_constant_fits():
    anchors = [1, 2, 3]
    intervals = [Interval(0.2, 0.3), Interval(0.25, 0.35), Interval(0.2, 0.3)]

    assert convexity_compatible(anchors, intervals)
    assert not slopes_increase(anchors, intervals)


@given(banded_anchors(), st.integers(61, 1000))
def test_bound_is_never_above_a_convex_curve_inside_the_intervals(case, target):
    anchors, intervals = case
    assume(len(anchors) >= 2)
    bound = optimistic_bound(anchors, intervals, target)

    x1, x2 = anchors[-2:]
    for earlier in intervals[-2]:
        for later in intervals[-1]:
            steepest = later + (target - x2) * min(0.0, (later - earlier) / (x2 - x1))
            assert bound <= steepest + 1e-12


def test_bound_of_the_papers_example_has_the_right_sign():
    bound = optimistic_bound([64, 128], [Interval(0.4, 0.4), Interval(0.3, 0.3)], 256)

    assert bound == pytest.approx(0.1)


def test_one_anchor_bounds_nothing():
    assert optimistic_bound([64], [Interval(0.4, 0.4)], 256) == float("-inf")
