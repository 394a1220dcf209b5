"""Pictures of advice."""

import pytest

import curvewise as cw
from tests.advice.curves import curve, of_losses, portfolio


def test_the_picture_shows_the_best_curves_the_way_ahead_and_the_wish(ax):
    advice = cw.advise(portfolio(9), factor=4)
    display = cw.CurveDisplay.from_advice(advice, score_name="accuracy", ax=ax)

    line, band = display.bands_
    assert len(display.lines_) == 5
    assert line.get_xdata()[-1] == pytest.approx(advice.training_rows_then)
    assert line.get_ydata()[-1] == pytest.approx(advice.score_then)
    assert display.threshold_.get_ydata()[0] == pytest.approx(advice.score_now + 0.005)
    assert band.get_label() == "90% interval"
    assert ax.get_ylabel() == "accuracy"
    assert ax.get_xlim()[1] > advice.training_rows_then
    ax.figure.canvas.draw()


def test_the_leader_is_drawn_even_if_others_will_be_better(ax):
    curves = [curve("flat", floor=0.2, height=0.0)]
    curves += [curve(f"steep{i}", floor=0.15, height=4.0 + i / 100) for i in range(6)]
    advice = cw.advise(curves, factor=16)
    display = cw.CurveDisplay.from_advice(advice, ax=ax)

    assert any("leads now" in line.get_label() for line in display.lines_)


def test_long_names_keep_both_ends(ax):
    names = [f"RobustScaler > {kind}ClassifierWithAVeryLongName{i}" for i, kind in enumerate("ab")]
    display = cw.CurveDisplay.from_advice(cw.advise([curve(name) for name in names]), ax=ax)

    labels = [line.get_label() for line in display.lines_]
    assert all("RobustScaler" in label for label in labels)
    assert {label[-5:] for label in labels} == {"Name0", "Name1"}


@pytest.mark.parametrize(
    "curves",
    [
        [of_losses({900: [25.0, 30.0]})],
        [of_losses({900: [0.1]}, name="_$x$")],
        [of_losses({450: [1e9, 2e9], 900: [1e9, 3e9]})],
    ],
    ids=["nothing known", "strange name", "large losses"],
)
def test_hardly_anything_can_be_drawn_as_well(curves, ax):
    display = cw.CurveDisplay.from_advice(cw.advise(curves), ax=ax)

    ax.figure.canvas.draw()
    assert display.ax_ is ax


def test_the_paper_has_no_band(ax):
    display = cw.CurveDisplay.from_advice(cw.advise(portfolio(), method="ipl"), ax=ax)

    assert len(display.bands_) == 1
