import pytest

from curvewise._bench.tools.standings import frame_of
from curvewise._bench.tools.standings_figure import draw_standings, write_figure
from curvewise._bench.tools.standings_tables import tables_of, write_tables
from tests.bench.tools.samples import result_of

NASTY = "<b> | $x_1$"


@pytest.fixture
def frame():
    results = [
        result_of(tool, table=table, split=split, budget=budget, score=score + budget / 1000)
        for tool, score in (("ours", 0.8), ("flaml", 0.78))
        for table in ("one", NASTY)
        for split in (0, 1)
        for budget in (30.0, 60.0)
    ]
    results[-1] = result_of("flaml", table=NASTY, split=1, score=None)
    return frame_of(results, ["ours", "flaml", "absent"])


def test_there_is_a_table_for_each_question(frame, tmp_path):
    grids = tables_of(frame, reference="ours")
    files = write_tables(grids, tmp_path / "out")

    names = ["ranks", "duels", "budgets", "measures", "scores", "failures"]
    assert [grid.name for grid in grids] == [f"automl-{name}" for name in names]
    assert len(files) == 3 * len(names) + 1
    assert all(grid.rows for grid in grids)
    page = (tmp_path / "out" / "automl.md").read_text()
    assert "ours against each of the others" in page
    assert "<b>" not in page


def test_the_best_of_a_row_is_named_and_a_failed_split_has_a_mark(frame):
    scores = next(grid for grid in tables_of(frame, reference="ours") if "scores" in grid.name)
    (row,) = [row for row in scores.rows if row[1] == NASTY and row[0] == "60"]

    assert row[-3:] == ["0.8600", "0.8400†", "ours"]


def test_what_failed_is_named_with_the_last_line_of_its_reason(frame):
    failures = tables_of(frame, reference="ours")[-1]

    assert failures.rows == [["flaml", NASTY, "1", "60", "ValueError: no"]]


def test_a_single_tool_has_no_duels_and_still_tables():
    grids = tables_of(frame_of([result_of("a")], ["a"]), reference="a")

    assert [len(grid.rows) for grid in grids] == [1, 0, 1, 1, 1, 0]
    assert all(grid.markdown() for grid in grids)


def test_tools_without_a_common_round_have_tables_and_a_figure_without_ranks(tmp_path):
    apart = frame_of([result_of("a"), result_of("b", table="u")], ["a", "b"])
    grids = tables_of(apart, reference="a")

    assert [len(grid.rows) for grid in grids] == [0, 0, 2, 0, 2, 0]
    assert write_tables(grids, tmp_path)
    assert write_figure(apart, tmp_path)


def test_the_figure_has_a_line_per_tool_with_a_point_per_budget(frame, tmp_path):
    (axes,) = draw_standings(frame).axes
    files = write_figure(frame, tmp_path)

    lines = [line for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert len(lines) >= 2
    assert {text.get_text() for text in axes.texts} == {"ours", "flaml"}
    assert all(file.stat().st_size for file in files)


def test_the_figure_can_be_drawn_where_everything_failed(tmp_path):
    results = [result_of(tool, score=None) for tool in ("a", "b")]

    assert write_figure(frame_of(results, ["a", "b"]), tmp_path)
