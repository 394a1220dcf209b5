"""Pictures of results and searches: what they show, and that nothing breaks them."""

import io
import math
import subprocess
import sys
from types import SimpleNamespace
from typing import NamedTuple

import matplotlib as mpl
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import curvewise as cw
from curvewise._selection.pictures.curve_display import CurveDisplay
from curvewise.errors import MissingExtraError
from tests.play import noise, play, power_law

FULL = cw.LCCV(prune=False, skip=False)


class LeaderChange(NamedTuple):
    seconds: float
    n_fits: int
    training_rows: int
    candidate: object
    score: float


@pytest.fixture
def pyplot():
    mpl.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def validated(name, learner, *, failing=(), policy=None, **knobs):
    validation = cw.Validation(name, policy=policy or cw.LCCV(), **knobs)
    while not validation.done:
        for task in validation.ask():
            if task.anchor in failing:
                validation.tell(cw.Failure(task, cw.Reason.ERROR, "too few rows"))
            else:
                validation.tell(cw.Observation(task, learner(task.anchor, task.fold), n_test=500))
    return validation.result


def pruned(name="svc"):
    return validated(name, power_law(0.2, wobble=0.01), schedule=9000, best_loss=0.05)


def completed(name="forest", floor=0.05, **knobs):
    learner = power_law(floor, wobble=0.02)
    return validated(name, learner, **{"schedule": 9000, "policy": FULL, **knobs})


def stopped(name="slow"):
    search = cw.Search([name], schedule=9000, policy=FULL)
    for _ in range(8):
        for task in search.ask():
            search.tell(cw.Observation(task, power_law(0.1, wobble=0.02)(task.anchor, task.fold)))
    search.stop("time is up")
    return search.results[name]


def failed(name="broken"):
    return validated(name, power_law(0.1), schedule=900, failing=(64, 128, 256, 900))


def searched(n, *, schedule=9000, policy=None, failing=()):
    """What is left of a search with n candidates, in the form of a fitted CurveSearchCV."""
    learners = {i: power_law(0.05 + (i * 37 % n) / n / 3, wobble=0.01) for i in range(n)}
    search = cw.Search(range(n), schedule=schedule, policy=policy)
    anchors = search.portfolio.schedule.anchors
    play(search, learners, failing={(i, anchor) for i in failing for anchor in anchors})
    leaders = [LeaderChange(1.0, 5, 5000, 3, 0.8), LeaderChange(7.5, 40, 90_000, 0, 0.94)]
    return SimpleNamespace(
        results_=list(search.results.values()),
        leaders_=leaders,
        best_index_=search.best.candidate,
    )


def save(display):
    """Draw it for good: some mistakes show only then."""
    display.figure_.savefig(io.BytesIO(), format="png", dpi=40)


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_importing_the_display_does_not_import_matplotlib():
    code = "import sys; from curvewise import CurveDisplay; sys.exit('matplotlib' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_message_has_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(MissingExtraError, match=r"curvewise\[plot\]"):
        CurveDisplay.from_result(pruned())


def test_the_constructor_only_stores():
    results = [object()]
    display = CurveDisplay(results, score_name="accuracy")

    assert display.results is results
    assert not hasattr(display, "ax_")


def test_a_new_figure_is_made_if_no_axes_are_given(pyplot):
    display = CurveDisplay.from_result(pruned())

    assert display.figure_.number in pyplot.get_fignums()
    assert display.leader_ax_ is None


@pytest.mark.parametrize("make", [pruned, completed, stopped, failed])
@pytest.mark.parametrize("name", ["svc", "SVC(C=$1, $x_{)", "_hidden", "", "a\nb" * 90, 7])
def test_every_ending_can_be_drawn_whatever_the_name(make, name, ax):
    save(CurveDisplay.from_result(make(name), ax=ax))


def test_a_candidate_that_has_not_begun_can_be_drawn(ax):
    display = CurveDisplay.from_result(cw.Validation("a", schedule=900).result, ax=ax)
    save(display)

    assert display.ending_.get_text() == "not begun"


def test_a_prune_is_drawn_with_its_evidence(ax):
    result = pruned()
    prune = result.decisions[-1]
    display = CurveDisplay.from_result(result, ax=ax, score_name="accuracy")

    assert display.threshold_.get_ydata()[0] == 0.95
    assert display.optimistic_.get_xdata()[-1] == 9000
    assert display.optimistic_.get_ydata()[-1] == 1 - prune.bound
    assert display.ending_.get_text() == f"pruned at {prune.anchor:,}"
    assert ax.get_title() == result.explain()
    assert ax.get_ylabel() == "accuracy"


def test_the_curve_is_the_mean_score_by_anchor(ax):
    result = completed()
    display = CurveDisplay.from_result(result, ax=ax)
    (line,) = display.lines_

    assert tuple(line.get_xdata()) == result.curve.anchors
    assert line.get_ydata()[-1] == pytest.approx(result.score)
    assert len(display.folds_[0].get_offsets()) == len(result.curve)


def test_intervals_are_those_of_the_result(ax):
    result = completed()
    display = CurveDisplay.from_result(result, ax=ax)
    _, _, (bars,) = display.intervals_[0]
    ends = bars.get_segments()[-1][:, 1]

    assert sorted(ends) == pytest.approx([1 - result.interval.high, 1 - result.interval.low])


def test_a_single_observation_has_a_bar_where_the_noise_of_its_rows_is_known(ax):
    result = validated("a", power_law(0.1), schedule=900, n_folds=1)
    display = CurveDisplay.from_result(result, ax=ax)
    save(display)

    assert len(display.intervals_) == 1
    assert len(display.lines_) == 1


def test_failures_are_crosses_on_the_axis(ax):
    display = CurveDisplay.from_result(completed(failing=(64,)), ax=ax)

    assert display.failures_.get_offsets().tolist() == [[64, 0]]


def test_scores_far_below_the_others_do_not_flatten_the_curve(ax):
    def learner(anchor, fold):
        return 1e9 if anchor == 64 else 40 + 3000 / anchor + noise(anchor, fold)

    scale = cw.Scale.unbounded()
    result = validated("ridge", learner, schedule=9000, scale=scale, policy=FULL)
    CurveDisplay.from_result(result, ax=ax)

    assert ax.get_ylim()[0] > -500
    assert "scores are lower" in ax.texts[-1].get_text()


def test_what_was_drawn_before_stays_in_sight(ax):
    CurveDisplay.from_result(completed(schedule=70_000), ax=ax)
    before = ax.get_xlim(), ax.get_ylim()
    CurveDisplay.from_result(pruned(), ax=ax)

    assert ax.get_xlim()[1] >= before[0][1]
    assert ax.get_ylim()[1] >= before[1][1]


def test_a_drawing_that_begins_at_zero_may_be_there_already(ax):
    ax.plot([0, 1], [0, 1])
    display = CurveDisplay.from_result(pruned(), ax=ax)
    save(display)

    assert ax.get_ylim()[0] < 0


def test_a_few_results_have_names_and_colours_of_their_own(ax):
    results = [completed("forest"), pruned("_svc"), stopped("$slow"), failed("broken")]
    display = CurveDisplay.from_results(results, best_index=0, ax=ax)
    save(display)

    assert [label.split(",")[0].strip() for label in labels(ax)] == [
        "best: forest",
        "_svc",
        "$slow",
        "broken",
    ]
    assert len({line.get_color() for line in display.lines_}) == 3
    assert display.lines_[2].get_linestyle() == "--"


@pytest.mark.parametrize("policy", [cw.LCCV(), cw.Race()])
def test_a_search_over_many_takes_few_artists(policy, ax):
    search = searched(210, policy=policy, failing=(3, 7))
    display = CurveDisplay.from_search(search, ax=ax)
    save(display)
    drawn = [lines for lines in display.lines_ if isinstance(lines, LineCollection)]

    assert len(ax.get_children()) < 40
    # All but the failed ones and the best one, which has a line of its own.
    assert sum(len(lines.get_segments()) for lines in drawn) == 207
    assert labels(ax)[-1].startswith(f"best: candidate {search.best_index_}, completed: 0.9")
    assert "failed (2, not drawn)" in labels(ax)


def test_candidates_with_one_anchor_stand_side_by_side(ax):
    search = searched(30, schedule=900, failing=(4,))
    display = CurveDisplay.from_search(search, ax=ax)
    save(display)
    places = sorted(x for points in display.lines_ for x, _ in points.get_offsets())

    assert places == [i for i in range(30) if i != 4]
    assert ax.get_xlabel() == "candidate"
    assert ax.get_title() == "all at 900 rows"


def test_a_few_side_by_side_have_their_names_on_the_axis(ax):
    results = [completed(name, schedule=900, policy=cw.KFoldCV()) for name in ("$a", "b")]
    display = CurveDisplay.from_results(results, ax=ax)
    save(display)

    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["$a", "b"]
    assert len(display.intervals_) == 1


def test_a_search_that_only_failed_can_be_drawn(ax):
    display = CurveDisplay.from_results([failed(i) for i in range(9)], ax=ax)
    save(display)

    assert labels(ax) == ["failed (9, not drawn)"]


@pytest.mark.parametrize("over", ["seconds", "fits", "rows"])
def test_the_second_panel_shows_who_led_when(over, pyplot):
    search = searched(8)
    n_fits = sum(len(result.curve) for result in search.results_)
    rows = sum(result.training_rows for result in search.results_)
    display = CurveDisplay.from_search(search, over=over)
    save(display)
    end = {"seconds": 7.5, "fits": max(40, n_fits), "rows": max(90_000, rows)}[over]

    assert display.leader_line_.get_xdata()[-1] == end
    assert list(display.leader_line_.get_ydata()) == [0.8, 0.94, 0.94]
    assert display.leader_ax_.get_title() == "leader at the end: candidate 0"


def test_both_panels_go_where_they_are_told():
    both = Figure().subplots(1, 2)
    display = CurveDisplay.from_search(searched(8), ax=both)

    assert (display.ax_, display.leader_ax_) == tuple(both)


def test_a_search_without_leaders_has_one_panel(pyplot):
    search = searched(8)
    search.leaders_ = []

    assert CurveDisplay.from_search(search).leader_ax_ is None


def test_a_score_that_is_unknown_leads_nowhere():
    search = searched(8)
    search.leaders_ = [LeaderChange(1.0, 1, 1, 0, math.nan)]

    assert CurveDisplay.from_search(search, ax=Figure().subplots(1, 2)).leader_line_ is None


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: CurveDisplay([]).plot(), "at least one result"),
        (lambda: CurveDisplay([pruned()]).plot(over="days"), "seconds, rows, fits, got 'days'"),
        (lambda: CurveDisplay([pruned()]).plot(Figure().subplots(1, 2)), "ax must be one, got 2"),
        (lambda: CurveDisplay.from_search(SimpleNamespace()), "call fit first"),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, message):
    with pytest.raises(cw.InvalidParameterError, match=message):
        draw()
