import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import sem

from curvewise._bench.experiments.convexity_study import (
    Shape,
    recorded_curves,
    shapes_of,
    study_of,
    summary,
    worst_point,
)
from curvewise.errors import UnreadableCurvesError
from tests.recording import rows, write

FIRST = ("one", "learner0", 32)
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


def test_recorded_curves_are_means_over_seeds_with_their_errors(tmp_path):
    recorded = rows()
    first = [r for r in recorded if (r["dataset"], r["learner"], r["anchor"]) == FIRST]
    losses = [row["valid_err"] / 10_000 for row in first]

    curves = recorded_curves(write(tmp_path / "curves.parquet", recorded))

    assert [name for name, _ in curves] == ["one", "two"]
    points = curves[0][1]["learner0"]
    assert [anchor for anchor, *_ in points] == [32, 64, 128, 256, 600]
    assert points[0][1:] == pytest.approx((np.mean(losses), sem(losses)))


def test_means_come_with_their_own_errors_and_dense_anchors_are_thinned(tmp_path):
    anchors = [16 * 1.1**i for i in range(40)]
    frame = pd.DataFrame({"anchor": [int(a) for a in anchors], "val_err": 0.2, "val_se": 0.01})
    frame.assign(dataset=3, learner="RealMLP").to_parquet(tmp_path / "means.parquet")

    ((name, curves),) = recorded_curves(tmp_path / "means.parquet")

    points = curves["RealMLP"]
    assert name == "3"
    assert points[-1] == (int(anchors[-1]), 0.2, 0.01)
    assert all(2 * a[0] <= b[0] < 2.5 * a[0] for a, b in pairwise(points))


def test_a_bend_is_beyond_noise_only_if_it_is_known_how_large_that_is():
    bump = [(64, 0.3), (128, 0.4), (256, 0.3)]
    sure, unsure = ([(*point, error) for point in bump] for error in (0.01, 0.1))

    beyond = [
        summary(shapes_of([("set", {"a": points})]))["beyond_noise"]
        for points in (bump, sure, unsure)
    ]

    assert beyond == [0.0, 1.0, 0.0]


def test_a_study_is_plain_json_with_the_competitive_curves():
    bent = [(s, 0.3 if s < 700 else 0.115) for s in ANCHORS]
    shapes = shapes_of([("set", {"a": [(s, 0.1 + 10 / s) for s in ANCHORS], "b": bent})])

    study = json.loads(json.dumps(study_of(shapes, "toy", min_anchor=64), allow_nan=False))

    assert [record["learner"] for record in study["by_learner"]] == ["a", "b", "all"]
    assert [Shape(**one).learner for one in study["bent"]] == ["b"]
    assert study["name"] == "convexity-toy-from-64"


@pytest.mark.parametrize(
    ("missing", "message"), [("anchor", "lacks the column anchor"), ("valid_err", "valid_err")]
)
def test_a_file_without_curves_says_what_it_lacks(missing, message, tmp_path):
    path = write(tmp_path / "curves.parquet", rows(), **{missing: None, "test_err": None})

    with pytest.raises(UnreadableCurvesError, match=message):
        recorded_curves(path)
    with pytest.raises(UnreadableCurvesError, match="There is no file"):
        recorded_curves(tmp_path / "none.parquet")
