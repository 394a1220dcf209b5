import math

from hypothesis import given
from hypothesis import strategies as st

from curvewise import LearningCurve, Observation, Task

cells = st.dictionaries(
    st.tuples(st.sampled_from([64, 128, 256]), st.integers(0, 9)), st.floats(0, 1), max_size=20
)


@given(cells, st.randoms())
def test_arrival_order_changes_nothing(cells, random):
    observations = [Observation(Task("a", *where), loss) for where, loss in cells.items()]
    shuffled = list(observations)
    random.shuffle(shuffled)
    one, other = LearningCurve(observations), LearningCurve(shuffled)

    assert one == other
    assert list(one) == list(other)
    for anchor in one.anchors:
        assert one.losses(anchor) == other.losses(anchor)
        assert one.mean(anchor) == other.mean(anchor)
        assert one.interval(anchor) == other.interval(anchor)


@given(cells)
def test_statistics_follow_each_new_observation(cells):
    curve = LearningCurve()
    for (anchor, fold), loss in cells.items():
        curve.interval(anchor)
        curve.add(Observation(Task("a", anchor, fold), loss))
        fresh = LearningCurve(curve)

        assert curve.at(anchor, fold).loss == loss
        assert curve.losses(anchor) == fresh.losses(anchor)
        assert curve.mean(anchor) == fresh.mean(anchor)
        assert curve.interval(anchor) == fresh.interval(anchor)
    assert len(curve) == len(cells)


def test_an_empty_curve_has_no_mean():
    curve = LearningCurve()

    assert curve.anchors == ()
    assert math.isnan(curve.mean(64))
    assert math.isnan(curve.seconds(64))
    assert curve.cells(64) == []
    assert repr(curve) == "LearningCurve()"
