"""What figures and pages show: every cell or a mark for it, and texts that can be read."""

import dataclasses
import itertools

import pytest

from curvewise._bench.experiments.cells import Cell, State
from curvewise._bench.experiments.convexity_study import measured_curves, shapes_of
from curvewise._bench.experiments.experiment_plan import Method, cells_of
from curvewise._bench.experiments.figures.boxes import draw_boxes
from curvewise._bench.experiments.figures.canvas import knob_of, n_of, plain, short_names
from curvewise._bench.experiments.figures.curve_shapes import draw_shapes
from curvewise._bench.experiments.figures.knobs import draw_knobs, knobs_of
from curvewise._bench.experiments.figures.scatter import draw_scatter, points_of
from curvewise._bench.experiments.figures.trade_off import draw_trade_off
from curvewise._bench.experiments.html_page.experiment_page import facts_of
from curvewise._bench.experiments.method_comparison import comparisons
from curvewise._bench.experiments.results import Results, read_all
from tests.bench.experiments.samples import fill, plan_of, result_of

Text = pytest.importorskip("matplotlib.text", reason="matplotlib is not installed").Text
agg = pytest.importorskip("matplotlib.backends.backend_agg", reason="matplotlib is not installed")


def results_of(folder, plan=None, **missing):
    return read_all(fill(folder / "results.db", plan or plan_of(), **missing))[0]


def made_up(plan, change, *, lost=()):
    """Give results that a function changed; lost are numbers of cells."""
    cells = []
    for number, (method, dataset, seed, _) in enumerate(cells_of(plan)):
        cell = Cell(number, plan.name, method, dataset, seed, State.FAILED, None, None, "Lost")
        if number not in lost:
            result = change(cell, result_of(cell, plan))
            cell = dataclasses.replace(cell, state=State.DONE, result=result, failure=None)
        cells.append(cell)
    return Results(plan, {}, cells)


def crowded(n_methods, n_datasets):
    """Many methods that differ little, on data sets whose errors are near 0 or far from it."""
    knobs = [Method(name=f"lccv knob_{i % 7}={i}", policy="lccv", against="5cv") for i in range(50)]
    plan = plan_of(n_datasets)
    plan = dataclasses.replace(plan, methods=(plan.methods[0], *knobs[:n_methods]))

    def change(cell, result):
        place = [method.name for method in plan.methods].index(cell.method)
        size = list(plan.datasets).index(cell.dataset)
        error = 0.5 / 2**size + 1e-4 * (place * 7 % 5)
        return {**result, "seconds": 100.0 - place % 6 + 3 * size, "error": error}

    return comparisons(made_up(plan, change))


def title_of(figure):
    return figure.get_suptitle()


def boxes_of(figure, texts):
    canvas = agg.FigureCanvasAgg(figure)
    canvas.draw()
    # Without the lines that lead to some of them.
    return [Text.get_window_extent(text, canvas.get_renderer()) for text in texts]


def test_data_sets_have_short_names_unless_two_would_be_the_same():
    names = ["openml-23-cmc", "other-cmc", "other-car", "openml-3", "other-"]

    assert list(short_names(names).values()) == [*names[:2], "car", "openml-3", "other-"]


def test_names_are_taken_as_they_are():
    assert plain("a$b") == "a\\$b"
    assert knob_of("lccv max_width=0.05") == ("lccv max_width", "0.05")
    assert knob_of("race") == ("race", "")
    assert (n_of(26, 45, "cells"), n_of(45, 45, "cells")) == ("26 of 45 cells", "")


def test_run_times_and_errors_are_means_over_the_same_cells():
    plan = plan_of(1, seeds=2)
    first = next(each for each in comparisons(made_up(plan, lambda _, r: r, lost={4})))

    (point,) = points_of(first)

    # Of seed 1 only the reference is there: it is in neither mean.
    assert (point.n, point.n_all) == (1, 2)
    assert (point.reference.seconds, point.reference.error) == (100.0, pytest.approx(0.1))


def test_bars_go_from_the_10th_to_the_90th_percentile():
    plan = plan_of(1, seeds=11)
    results = made_up(plan, lambda cell, result: {**result, "error": cell.seed / 100})

    (point,) = points_of(comparisons(results)[0])

    assert (point.own.low, point.own.high) == (pytest.approx(0.01), pytest.approx(0.09))


def test_every_figure_says_how_many_cells_it_has_if_some_are_missing():
    whole, lacking = (
        comparisons(made_up(plan_of(), lambda _, result: result, lost=lost)) for lost in ((), {11})
    )

    for draw in (draw_boxes, draw_trade_off):
        assert "7 of 8 cells" in title_of(draw(lacking, "A toy"))
        assert "cells" not in title_of(draw(whole, "A toy"))
    assert "3 of 4 cells" in title_of(draw_scatter(lacking[1], "A toy"))
    assert "cells" not in title_of(draw_scatter(lacking[0], "A toy"))


def test_curves_that_are_missing_are_counted(tmp_path):
    results = results_of(tmp_path, plan_of(2, kind="curves"), failed=1)

    (figure,) = draw_shapes(shapes_of(measured_curves(results)), note="3 of 4 cells")

    assert "3 of 4 cells" in title_of(figure)
    assert facts_of(results)["curves_missing"] == "3 of 4 cells"


def test_a_method_or_data_set_without_cells_keeps_its_row():
    plan = plan_of(2, seeds=1)
    found = comparisons(made_up(plan, lambda _, result: result, lost={2, 4, 5}))

    boxes, scatter = draw_boxes(found, "A toy"), draw_scatter(found[0], "A toy")

    rows = [label.get_text() for label in boxes.axes[0].get_yticklabels()]
    assert rows == ["lccv (1 of 2)", "race (0 of 2)", "5cv (1 of 2)"]
    assert "none of race" in title_of(boxes)
    assert "0 of 1" in [text.get_text() for text in scatter.axes[1].texts]


def test_the_panels_of_box_plots_have_the_same_rows():
    figure = draw_boxes(crowded(25, 3), "A toy")
    figure.draw_without_rendering()

    first, *others = figure.axes
    assert all(axes.get_ylim() == first.get_ylim() for axes in others)
    assert all(axes.get_shared_y_axes().joined(axes, first) for axes in others)
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert {"median", "mean"} <= set(legend)
    for axes in figure.axes:
        low, high = axes.get_xlim()
        shown = [
            tick.label1 for tick in axes.xaxis.get_major_ticks() if low <= tick.get_loc() <= high
        ]
        assert len(shown) > 1
        assert not overlaps(boxes_of(figure, shown))


def overlaps(boxes):
    return [
        (a, b)
        for a, b in itertools.combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5
    ]


@pytest.mark.parametrize("n_methods", [2, 25])
def test_labels_neither_overlap_nor_leave_the_axes(n_methods):
    found = crowded(n_methods, 12)

    for figure in (draw_trade_off(found, "A toy"), draw_scatter(found[0], "A toy")):
        axes = figure.axes[0]
        boxes = boxes_of(figure, [text for text in axes.texts if text.get_text() != "1 min"])
        frame = axes.get_window_extent()

        assert len(boxes) in (n_methods, 12)
        assert not overlaps(boxes)
        assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
        assert all(frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in boxes)


def test_knobs_have_marks_of_their_own_and_stand_in_the_legend():
    figure = draw_trade_off(crowded(25, 2), "A toy")

    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == [f"lccv knob_{i}" for i in range(7)]
    lines = figure.axes[0].get_lines()[:7]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 7


def test_each_knob_has_a_panel_with_its_settings_and_the_default():
    found = crowded(8, 2)
    default = dataclasses.replace(found[0], method="lccv")

    panels = [axes for axes in draw_knobs([default, *found], "A toy").axes if axes.get_visible()]

    assert knobs_of(found) == {}
    assert [axes.get_title() for axes in panels] == [f"lccv knob_{i}" for i in range(7)]
    assert [text.get_text() for text in panels[0].texts] == ["0", "7", ""]


def test_errors_that_span_orders_of_magnitude_are_not_heaped_up():
    narrow, wide = draw_scatter(crowded(1, 2)[0], ""), draw_scatter(crowded(1, 12)[0], "")

    assert narrow.axes[0].get_yscale() == "linear"
    assert wide.axes[0].get_yscale() == "asinh"


def test_the_page_says_what_was_reduced_and_has_the_papers_figures(tmp_path):
    plan = plan_of(name="paper-80")
    renamed = dataclasses.replace(plan.methods[1], name="80lccv")
    plan = dataclasses.replace(plan, methods=(plan.methods[0], renamed, plan.methods[2]))
    facts = facts_of(results_of(tmp_path, plan, failed=1))

    said = dict(facts["glance"])
    assert said["Cells"].startswith("11 of 12 done; 1 failed")
    assert "2 data sets, not 67" in said["Not as in the whole suite"]
    assert said["Slow data sets"].startswith("set-1 ")
    assert (said["Machine"], said["Versions"]) == ("2 cores of a chip, 8 GB", "python 3")
    assert said["Begun"].startswith("20")
    assert facts["tables"][0]["title"] == "Beside the paper's own figures"
    assert facts["comparisons"][1]["missing"]
