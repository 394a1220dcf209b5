import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._bench.experiments.convexity_study import (
    recorded_curves,
    shapes_of,
    summary,
    worst_point,
)
from curvewise.executors._recordings import read_recordings
from tests.recording import rows, write

ANCHORS = [32, 64, 128, 256, 512, 700]


@given(st.floats(0, 0.5), st.floats(0, 5), st.floats(0.1, 2))
def test_a_power_law_is_convex_everywhere(a, b, c):
    excess, anchor = worst_point([(s, a + b * s**-c) for s in ANCHORS])

    assert excess < 1e-9
    assert anchor is None or excess > 0


@given(st.sampled_from(ANCHORS[1:-1]), st.floats(0.001, 0.5))
def test_a_bump_is_found_where_it_is(where, height):
    points = [(s, 0.3 + (height if s == where else 0.0)) for s in ANCHORS]

    excess, anchor = worst_point(points)

    assert anchor == where
    assert excess == pytest.approx(height)


def test_shares_count_curves_and_competitive_ones():
    straight = [(s, 0.1 + 10 / s) for s in ANCHORS]
    bent = [(s, 0.3 if s < 700 else 0.115) for s in ANCHORS]
    hopeless = [(s, 0.9 if s < 700 else 0.5) for s in ANCHORS]
    short = [(32, 0.1), (64, 0.0)]

    shapes = shapes_of([("set", {"a": straight, "b": bent, "c": hopeless, "d": short})])
    figures = summary(shapes)

    assert figures["n_curves"] == 3
    assert figures["convex_0"] == pytest.approx(1 / 3)
    assert figures["n_competitive"] == 1
    assert {shape.anchor for shape in shapes} == {None, 512}


def test_recorded_curves_are_means_over_seeds(tmp_path):
    recordings = read_recordings(write(tmp_path / "curves.parquet", rows()))

    curves = recorded_curves(recordings)

    assert [name for name, _ in curves] == ["one", "two"]
    points = curves[0][1]["learner0"]
    assert [anchor for anchor, _ in points] == [32, 64, 128, 256, 600]
    assert points[0][1] == pytest.approx(np.nanmean(recordings[0].loss[0, 0]))
