"""Fake tools on tiny tables: what is measured, and what becomes of tools that misbehave."""

import _thread
import json
import threading
from pathlib import Path

import psutil
import pytest

from curvewise._bench.tools.contest import seconds_left
from curvewise._bench.tools.result_file import ToolCell
from curvewise._bench.tools.tool_list import read_tools
from curvewise.errors import InvalidParameterError
from tests.bench.tools.samples import contest_of, fake, result_of, run, write_classes, write_numbers


def test_every_tool_runs_on_every_split_of_every_table_with_every_budget(tmp_path):
    tables = [write_classes(tmp_path), write_numbers(tmp_path)]
    results = run(tmp_path, [fake("a"), fake("b")], tables, n_splits=2, budgets=(1.0, 2.0))

    assert len(results) == 16
    assert all(result["error"] is None for result in results)
    # A round is complete before the next one begins.
    assert [result["tool"] for result in results[:4]] == ["a", "b", "a", "b"]
    assert [result["table"] for result in results[:4]] == ["classes"] * 2 + ["numbers"] * 2


def test_a_result_has_scores_time_memory_and_what_was_chosen(tmp_path):
    (result,) = run(tmp_path, [fake()], [write_classes(tmp_path)])

    assert result["metric"] == "accuracy"
    assert result["score"] == result["accuracy"] == result["constant_score"]
    assert result["auc"] == 0.5
    assert 0 < result["model_seconds"] <= result["seconds"]
    assert result["cpu_seconds"] > 0
    assert (result["choice"], result["n_rows"], result["n_test_rows"]) == ("constant", 40, 10)


def test_numbers_are_measured_by_r2(tmp_path):
    (result,) = run(tmp_path, [fake()], [write_numbers(tmp_path)])

    assert result["metric"] == "r2"
    assert result["score"] == pytest.approx(result["constant_score"])


def test_a_tool_gets_its_cores_a_folder_of_its_own_and_no_test_labels(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    note = tmp_path / "note.json"
    tool = fake(do="tell its surroundings", note=str(note))
    run(tmp_path, [tool], [write_classes(tmp_path)])
    told = json.loads(note.read_text())

    assert (told["cores"], told["threads"], told["seconds"]) == (1, "1", 5.0)
    assert told["columns"] == ["size", "kind"]
    assert not Path(told["folder"]).exists()


def test_memory_is_that_of_the_peak(tmp_path):
    (result,) = run(tmp_path, [fake(do="take memory")], [write_classes(tmp_path)])

    assert 200 < result["peak_mb"] < 600


MISBEHAVIOUR = {
    "fail": "ValueError: the tool cannot do this",
    "crash": "was ended by SIGSEGV",
    "say nothing": "wrote no answer",
    "write nonsense": "wrote no answer",
}


@pytest.mark.parametrize("do", MISBEHAVIOUR)
def test_a_tool_that_fails_is_a_result_with_its_reason(tmp_path, do):
    results = run(tmp_path, [fake("bad", do=do), fake("good")], [write_classes(tmp_path)])

    assert MISBEHAVIOUR[do] in results[0]["error"]
    assert results[0]["score"] is None
    assert results[0]["constant_score"] == results[1]["constant_score"]
    assert results[1]["error"] is None


def test_predictions_of_no_use_are_a_failure_with_its_reason(tmp_path):
    tool = fake(changed={"predictions": ["class-0"]})
    (result,) = run(tmp_path, [tool], [write_classes(tmp_path)])

    assert result["error"] == "The tool's answer is of no use: there are 1 predictions for 10 rows."


def test_a_tool_that_runs_for_ever_is_ended_with_all_that_it_started(tmp_path):
    note = tmp_path / "pid"
    tool = fake(do="run for ever", note=str(note))
    (result,) = run(
        tmp_path, [tool], [write_classes(tmp_path)], limit_factor=0.0, limit_seconds=4.0
    )

    assert "because its time was up" in result["error"]
    assert result["seconds"] >= 4
    assert not psutil.pid_exists(int(note.read_text()))


def test_what_a_tool_leaves_behind_is_ended(tmp_path):
    note = tmp_path / "pid"
    (result,) = run(tmp_path, [fake(do="leave a child", note=str(note))], [write_classes(tmp_path)])

    assert result["error"] is None
    assert not psutil.pid_exists(int(note.read_text()))


def test_an_interrupt_leaves_nothing_running_and_keeps_what_was_measured(tmp_path):
    note = tmp_path / "pid"
    tools = [fake("quick"), fake("slow", do="run for ever", note=str(note))]
    contest, file = contest_of(tmp_path, tools, [write_classes(tmp_path)])

    def interrupt():
        while not (note.exists() and note.read_text()):
            threading.Event().wait(0.05)
        _thread.interrupt_main()

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        contest.run(contest.open_cells())

    assert [result["tool"] for result in file.results] == ["quick"]
    assert not psutil.pid_exists(int(note.read_text()))


def test_cells_that_are_there_are_not_run_again(tmp_path):
    tables = [write_classes(tmp_path)]
    run(tmp_path, [fake("bad", do="fail"), fake("a")], tables)
    contest, _ = contest_of(tmp_path, [fake("bad", do="fail"), fake("a")], tables, n_splits=2)

    assert contest.open_cells() == [
        ToolCell("bad", "classes", 1, 5.0),
        ToolCell("a", "classes", 1, 5.0),
    ]
    assert ToolCell("bad", "classes", 0, 5.0) in contest.open_cells(retry_failed=True)


def test_other_data_under_the_same_name_are_refused(tmp_path):
    tables = [write_classes(tmp_path)]
    run(tmp_path, [fake()], tables)
    write_classes(tmp_path, n_rows=44)
    contest, _ = contest_of(tmp_path, [fake()], tables)

    with pytest.raises(InvalidParameterError, match="another table classes"):
        contest.check()


def test_a_table_that_cannot_be_split_is_said_before_any_work(tmp_path):
    good, bad = write_classes(tmp_path), tmp_path / "bad.csv"
    bad.write_text("x,target\n" + "".join(f"{i},{'abcdef'[i % 6]}\n" for i in range(12)))
    contest, file = contest_of(tmp_path, [fake()], [good, bad])

    with pytest.raises(InvalidParameterError, match="bad: A table needs at least four rows"):
        contest.check_tables(contest.open_cells())

    assert file.results == []


def test_more_cores_than_there_are_are_refused(tmp_path):
    contest, _ = contest_of(tmp_path, [fake()], [write_classes(tmp_path)])
    object.__setattr__(contest._settings, "n_cores", 10_000)

    with pytest.raises(InvalidParameterError, match="not 10000"):
        contest.check()


def test_the_time_left_is_what_tools_took_before_or_their_budget():
    known = [result_of("a", seconds=10.0), result_of("a", split=1, seconds=20.0)]
    cells = [ToolCell("a", "t", 2, 60.0), ToolCell("b", "t", 0, 60.0), ToolCell("a", "t", 0, 30.0)]

    assert seconds_left(cells, known) == 15 + 60 + 30


@pytest.mark.slow
def test_curvewise_itself_runs_as_a_user_runs_it(tmp_path):
    table = write_classes(tmp_path, n_rows=120)
    (result,) = run(tmp_path, read_tools(names=["curvewise"]).values(), [table], budgets=(8.0,))

    assert result["error"] is None
    assert 0.5 < result["score"] <= 1.0
    assert 0 < result["first_seconds"] < result["model_seconds"]
    assert 0 < result["busy_share"] <= 1.0
    assert result["version"]
    assert result["choice"]
