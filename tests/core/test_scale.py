import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import LCCV, Scale, Search
from curvewise.core._scale import spread
from curvewise.errors import InvalidParameterError
from tests.play import play, power_law


@given(st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0]))
def test_losses_and_scores_translate_into_each_other(loss, best):
    scale = Scale(best=best)

    assert scale.loss(scale.score(loss)) == pytest.approx(loss, abs=1e-9)


@given(st.lists(st.floats(0, 1e6), min_size=3), st.floats(1e7, 1e12))
def test_hopeless_losses_do_not_stretch_the_spread(losses, hopeless):
    ordered = sorted(losses)

    assert spread([*losses, hopeless]) <= max(20 * (ordered[-1] - ordered[0]), 12 * ordered[0], 1)


@given(st.lists(st.integers(1, 1000), min_size=1), st.sampled_from([2.0**-20, 2.0**20]))
def test_the_spread_scales_with_the_losses(losses, factor):
    assert spread(factor * loss for loss in losses) == factor * spread(losses)


def test_equal_losses_have_the_spread_of_their_size():
    assert spread([5.0, 5.0]) == 60.0
    assert spread([0.0]) == 1.0
    assert spread([]) == 1.0


@pytest.mark.parametrize("policy", [None, LCCV()])
@pytest.mark.parametrize("factor", [1e-4, 1.0, 1e6])
def test_decisions_do_not_depend_on_the_unit_of_an_unbounded_loss(policy, factor):
    curves = [power_law(floor / 50, wobble=0.01) for floor in range(1, 9)]

    def scaled(curve):
        return lambda anchor, fold: factor * curve(anchor, fold)

    def trace(scale_by):
        search = Search(range(8), schedule=5000, policy=policy, scale=Scale.unbounded())
        tasks = play(search, [scale_by(curve) for curve in curves])
        return tasks, search.best.candidate

    assert trace(scaled) == trace(lambda curve: curve)


def test_a_unit_of_zero_is_refused():
    with pytest.raises(InvalidParameterError, match="unit must be above 0"):
        Scale(unit=0)
