import json
import subprocess
import sys
import time

import psutil
import pytest

from curvewise.errors import CurvewiseError
from tests.bench.tools.samples import FAKE, write_classes, write_numbers
from tests.cli import runner

TOOLS = f"""
[[tool]]
name = "quick"
script = "{FAKE}"

[[tool]]
name = "broken"
script = "{FAKE}"
options = {{ do = "fail" }}

[[tool]]
name = "slow"
script = "{FAKE}"
options = {{ do = "run for ever", note = "NOTE" }}
"""
NAMES = ("--tool", "quick", "--tool", "broken")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with a file of fake tools."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.toml").write_text(TOOLS.replace("NOTE", str(tmp_path / "pid")))
    return tmp_path


def invoke(*arguments):
    answer = runner.invoke("bench", "automl", "--tool-file", "tools.toml", *arguments)
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer


def test_a_comparison_is_run_shown_and_gone_on_with(folder):
    tables = [write_classes(folder), write_numbers(folder)]
    options = (*NAMES, "--budgets", "2,1", "--splits", "1", "--cores", "1", "--against", "quick")
    answer = invoke(*tables[:1], *options, "--output", "out")

    assert "quick against each of the others" in answer.output
    assert "3 of 4 cells" in answer.stderr
    assert "failed (ValueError: the tool cannot do this)" in answer.stderr
    assert (folder / "out" / "automl-ranks.md").is_file()
    assert (folder / "out" / "automl-time.svg").is_file()
    again = invoke(*tables, *options, "--json")
    results = json.loads(again.stdout)
    assert len(results) == 8
    assert "4 cells" in again.stderr
    assert {(each["tool"], each["table"], each["split"], each["budget"]) for each in results} == {
        (tool, table, 0, budget)
        for tool in ("quick", "broken")
        for table in ("classes", "numbers")
        for budget in (1.0, 2.0)
    }


def test_without_tables_what_is_there_is_shown_for_the_tools_that_are_named(folder):
    table = write_classes(folder)
    invoke(table, *NAMES, "--budgets", "1", "--splits", "1", "--quiet")

    (result,) = json.loads(invoke("--tool", "broken", "--json").stdout)

    assert result["tool"] == "broken"
    assert "ValueError" in result["error"]


def test_ctrl_c_and_a_request_to_end_leave_nothing_running(folder):
    table = write_classes(folder)
    command = [sys.executable, "-m", "curvewise", "bench", "automl", str(table), "--tool-file"]
    for kind, code in (2, 130), (15, 143):
        (folder / "pid").unlink(missing_ok=True)
        process = subprocess.Popen(
            [*command, "tools.toml", "--tool", "slow", "--quiet"],
            stderr=subprocess.PIPE,
            text=True,
        )
        while not ((folder / "pid").exists() and (folder / "pid").read_text()):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        process.send_signal(kind)

        assert process.wait() == code
        assert "Traceback" not in process.stderr.read()
        process.stderr.close()
        assert not psutil.pid_exists(int((folder / "pid").read_text()))
        assert not (folder / "automl.jsonl").read_text()


MISTAKES = {
    "no environment": (["sklearn:iris", "--tool", "flaml"], "has no environment for flaml"),
    "no tool": (["--tool", "none"], "There is no tool 'none'"),
    "no table": (["none.csv", *NAMES], "There is no table 'none.csv'"),
    "no results": ([*NAMES], "has no results of these tools"),
    "no seconds": (["--budgets", "60,x"], "--budgets needs seconds"),
    "no time": (["--budgets", "0"], "--budgets needs seconds"),
    "no folder": (["--prepare", "--environments", "a/b", *NAMES], "There is no folder"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_bad_input_is_one_sentence(mistake, folder):
    arguments, sentence = MISTAKES[mistake]

    with pytest.raises(CurvewiseError) as caught:
        invoke(*arguments)

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [path.name for path in folder.iterdir()] == ["tools.toml"]


def test_preparing_says_what_is_ready(folder):
    answer = invoke("--prepare", *NAMES)

    assert "quick: ready" in answer.stderr
    assert (folder / "automl-environments").is_dir()
