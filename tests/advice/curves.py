"""Curves that are formulas, and strategies for wild ones."""

from hypothesis import strategies as st

from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Observation, Task
from tests.play import noise, power_law

ANCHORS = (256, 512, 1024, 2048)


def curve(
    name="svc", *, floor=0.1, height=2.0, anchors=ANCHORS, n_folds=5, wobble=0.002, n_test=500
):
    """A power law with a little noise per anchor and fold."""
    loss = power_law(floor, height=height, exponent=0.5, wobble=wobble)
    return LearningCurve(
        Observation(Task(name, anchor, fold), loss(anchor, fold), n_test=n_test)
        for anchor in anchors
        for fold in range(n_folds)
    )


def of_losses(losses, *, name="svc", n_test=None):
    """A curve from losses by anchor and fold."""
    return LearningCurve(
        Observation(Task(name, anchor, fold), loss, n_test=n_test)
        for anchor, folds in losses.items()
        for fold, loss in enumerate(folds)
    )


def portfolio(n=5, **options):
    """Candidates whose floors differ."""
    return [curve(f"learner{i}", floor=0.1 + 0.02 * i, **options) for i in range(n)]


@st.composite
def losses_by_anchor(draw, *, least=0.0, most=1.0, n_folds=3):
    """Losses at a few anchors; at each the same folds."""
    n_anchors = draw(st.integers(1, 4))
    anchors = sorted(draw(st.sets(st.integers(32, 5000), min_size=n_anchors, max_size=n_anchors)))
    values = st.floats(least, most, allow_nan=False).map(lambda value: round(value, 6))
    folds = st.lists(values, min_size=n_folds, max_size=n_folds)
    return {anchor: draw(folds) for anchor in anchors}


def portfolios(**options):
    """Lists of curves with names of their own."""
    return st.lists(losses_by_anchor(**options), min_size=1, max_size=4)


def wavering(scale, *, shift=0.0, n=3):
    """A portfolio of losses on any scale."""
    return [
        of_losses(
            {
                anchor: [
                    shift + scale * (2 + i + 30 / anchor**0.5 + 0.05 * noise(i, anchor, fold))
                    for fold in range(5)
                ]
                for anchor in ANCHORS
            },
            name=f"learner{i}",
        )
        for i in range(n)
    ]
