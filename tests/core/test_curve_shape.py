import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from curvewise import Observation, Task
from curvewise.core._curve import LearningCurve
from curvewise.core._curve_shape import ill_shape, p_value

ANCHORS = (64, 128, 256)
TARGET = 4096


def curve_of(losses, *, n_test=None):
    """A curve from losses by anchor, then fold."""
    return LearningCurve(
        Observation(Task("a", anchor, fold), loss, n_test=n_test)
        for anchor, folds in losses.items()
        for fold, loss in enumerate(folds)
    )


def spread(mean, *, by=0.001):
    return [mean - by, mean, mean + by]


def shape(losses, *, alpha=0.05, target=TARGET):
    curve = curve_of(losses)
    return ill_shape(curve, sorted(losses), target, alpha=alpha)


def test_a_rise_is_named():
    assert shape({64: [0.2, 0.21, 0.22], 128: [0.3, 0.312, 0.319]}) == "rise"


def test_a_bend_is_named():
    losses = {64: [0.5, 0.51, 0.52], 128: [0.498, 0.509, 0.517], 256: [0.301, 0.309, 0.32]}

    assert shape(losses) == "bend"


def test_the_same_loss_on_every_fold_is_a_plateau():
    losses = {64: [0.3, 0.31, 0.32], 128: [0.3, 0.31, 0.32]}

    assert shape(losses) == "plateau"


def test_a_falling_convex_curve_is_well_shaped():
    losses = {64: [0.5, 0.52, 0.48], 128: [0.4, 0.41, 0.39], 256: [0.35, 0.353, 0.349]}

    assert shape(losses) is None


def test_what_lies_before_the_last_three_anchors_is_forgiven():
    losses = {32: spread(0.1), 64: spread(0.5), 128: spread(0.4, by=0.002), 256: spread(0.35)}

    assert shape(losses) is None
    assert shape({size: losses[size] for size in (32, 64, 128)}) is not None


def test_beyond_a_quarter_of_the_target_nothing_is_looked_at():
    losses = {64: [0.2, 0.21, 0.22], 128: [0.3, 0.312, 0.319]}

    assert shape(losses, target=512) == "rise"
    assert shape(losses, target=511) is None


def test_nobody_asks_without_an_error_rate():
    assert shape({64: spread(0.2), 128: spread(0.4)}, alpha=None) is None


def test_few_test_rows_that_happen_to_agree_are_no_proof():
    losses = {64: [3 / 20, 3 / 20, 3 / 20], 128: [4 / 20, 4 / 20, 4 / 20]}

    certain = ill_shape(curve_of(losses), (64, 128), TARGET, alpha=0.01)
    doubtful = ill_shape(curve_of(losses, n_test=20), (64, 128), TARGET, alpha=0.01)
    assert certain == "rise"
    assert doubtful is None


rows = st.lists(
    st.tuples(*[st.floats(0, 1).map(lambda x: round(x, 3))] * 3), min_size=2, max_size=8
)


@given(rows)
def test_the_p_value_of_a_contrast_is_scipys(rows):
    losses = dict(zip(ANCHORS, zip(*rows, strict=True), strict=True))
    weights = (-2 / 3, 1.0, -1 / 3)
    values = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]

    found = p_value(curve_of(losses), ANCHORS, weights)

    if np.ptp(values) > 1e-9 and np.mean(values) > 1e-9:
        assert found == pytest.approx(stats.ttest_1samp(values, 0, alternative="greater").pvalue)
    else:
        assert found in (0.0, 1.0) or found <= 0.5


@given(rows, st.floats(-5, 5), st.floats(0.01, 100))
@example([(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)], 1.0, 1.0)
def test_neither_the_unit_nor_the_zero_of_a_loss_matters(rows, shift, factor):
    losses = dict(zip(ANCHORS, zip(*rows, strict=True), strict=True))
    weights = (-2 / 3, 1.0, -1 / 3)
    other = {size: [shift + factor * x for x in column] for size, column in losses.items()}
    values = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]

    found = p_value(curve_of(losses), ANCHORS, weights)
    moved = p_value(curve_of(other), ANCHORS, weights)

    if min(np.ptp(values), np.mean(values)) > 1e-6:
        assert moved == pytest.approx(found, rel=1e-3, abs=1e-6)


@given(rows, st.randoms())
def test_the_order_of_arrival_does_not_matter(rows, random):
    losses = dict(zip(ANCHORS, zip(*rows, strict=True), strict=True))
    observations = list(curve_of(losses))
    random.shuffle(observations)
    shuffled = LearningCurve(observations)

    found = ill_shape(shuffled, ANCHORS, TARGET, alpha=0.1)

    assert found == ill_shape(curve_of(losses), ANCHORS, TARGET, alpha=0.1)


def draw_means(kind):
    """Falling convex curves, from the most doubtful ones (a line, a constant) to a clear one."""
    sizes = np.array(ANCHORS, dtype=float)
    return {
        "constant": np.full(3, 0.3),
        "line": 0.4 - sizes / 2000,
        "power law": 0.1 + 2 / sizes**0.7,
    }[kind]


def n_alarms(kind, noise, *, n_folds, alpha, n_curves):
    """Count alarms; folds have an effect of their own, and the noise shrinks with the rows."""
    rng = np.random.default_rng([n_folds, round(100 * alpha), len(kind)])
    own = rng.normal(0, 0.02, (n_curves, n_folds, 1))
    at_anchor = rng.normal(0, 1, (n_curves, n_folds, 3)) * [0.04, 0.02, 0.01]
    losses, n_test = draw_means(kind) + own + at_anchor, None
    if noise == "binomial":
        n_test = 100
        losses = rng.binomial(n_test, np.clip(losses, 0.01, 0.99)) / n_test
    curves = [curve_of(dict(zip(ANCHORS, one.T, strict=True)), n_test=n_test) for one in losses]
    found = [ill_shape(curve, ANCHORS, TARGET, alpha=alpha) for curve in curves]
    return sum(shape in ("rise", "bend") for shape in found)


@pytest.mark.parametrize("kind", ["constant", "line", "power law"])
@pytest.mark.parametrize("n_folds", [3, 10])
@pytest.mark.parametrize("noise", ["normal", "binomial"])
def test_alarms_on_convex_curves_are_no_more_than_stated(kind, n_folds, noise):
    found = n_alarms(kind, noise, n_folds=n_folds, alpha=0.2, n_curves=400)

    assert found <= stats.binom.ppf(1 - 1e-4, 400, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["constant", "line"])
@pytest.mark.parametrize("noise", ["normal", "binomial"])
@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.1])
def test_alarms_on_the_most_doubtful_convex_curves_are_near_what_is_stated(kind, noise, alpha):
    """A constant has two rises on the border of the hypothesis, a line has a bend there."""
    found = n_alarms(kind, noise, n_folds=3, alpha=alpha, n_curves=3000)

    assert found <= stats.binom.ppf(1 - 1e-4, 3000, alpha)
    assert found >= stats.binom.ppf(1e-4, 3000, alpha / 6)
