import json
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.cli.runner import curvewise, invoke
from tests.recording import rows, write


@pytest.fixture(scope="module")
def curves(tmp_path_factory):
    return write(tmp_path_factory.mktemp("curves") / "curves.parquet", rows())


def test_a_replay_prints_tables_and_draws_a_picture(curves, tmp_path):
    picture = tmp_path / "out.png"

    answer = curvewise(
        *("replay", curves, "--policy", "kfold,race", "--folds", 5, "--orders", 2),
        *("--plot", picture),
    )

    assert answer.returncode == 0, answer.stderr
    assert "2 data sets, 5 folds, 4 runs per policy" in answer.stdout
    assert "where candidates were pruned" in answer.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_is_all_that_stands_on_standard_output(curves):
    answer = invoke("replay", curves, "--policy", "kfold,race", "--folds", 5, "--json")

    assert answer.exit_code == 0, answer.output
    assert [summary["policy"] for summary in json.loads(answer.stdout)] == ["kfold", "race"]


def test_quiet_prints_nothing(curves):
    answer = invoke("replay", curves, "--policy", "kfold", "--folds", 5, "--quiet")

    assert (answer.exit_code, answer.stdout, answer.stderr) == (0, "", "")


def bad_inputs(folder):
    text = folder / "text.parquet"
    text.write_text("no table")
    good = write(folder / "good.parquet", rows())
    lacking = write(folder / "lacking.parquet", rows(), seed=None)
    return {
        "no file": (["replay", folder / "none.parquet"], "There is no file"),
        "no table": (["replay", text], "is not a Parquet file"),
        "no column": (["replay", lacking], "lacks the column seed"),
        "no policy": (["replay", good, "--policy", "rase"], "There is no policy 'rase'"),
        "no knob": (["replay", good, "--policy", "race:x=1"], "'x=1' is no setting of race"),
        "folds": (["replay", good, "--folds", "20"], "No data set can be replayed"),
        "directory": (["replay", good, "--plot", folder], "is a folder"),
        "picture": (["replay", good, "--plot", folder / "x.xyz"], "cannot have the ending '.xyz'"),
        "minimum": (
            ["replay", good, "--policy", "lccv:min_repeats=4:max_repeats=3"],
            "max_repeats must be at least min_repeats=4, got 3",
        ),
        "folder": (
            ["replay", good, "--plot", folder / "none" / "out.png"],
            "There is no folder",
        ),
    }


@pytest.mark.parametrize(
    "case",
    [
        "no file",
        "no table",
        "no column",
        "no policy",
        "no knob",
        "folds",
        "minimum",
        "folder",
        "directory",
        "picture",
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(case, tmp_path, run):
    arguments, message = bad_inputs(tmp_path)[case]

    code, said = run(*arguments)

    assert code == 2
    assert said.startswith("Error: ")
    assert message in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay"],
        ["replay", "x.parquet", "--folds", "1"],
        ["replay", "x", "--orders", "0"],
        ["play"],
    ],
)
def test_wrong_usage_has_exit_code_2(arguments):
    assert invoke(*arguments).exit_code == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_quickly_and_leaves_nothing_behind(tmp_path, jobs):
    many = write(tmp_path / "many.parquet", rows(datasets=range(40)))
    program = "from curvewise._cli.app import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", program, "replay"]
    options = ["--policy", "lccv", "--folds", "5", "--orders", "500", "--jobs", str(jobs)]
    process = subprocess.Popen(
        [*command, str(many), *options], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    parent = psutil.Process(process.pid)
    while jobs > 1 and len(parent.children(recursive=True)) < jobs:
        assert process.poll() is None
    if jobs == 1:
        time.sleep(1)
    children = parent.children(recursive=True)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)

    assert process.returncode == 130
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


def test_help_and_version():
    assert "replay" in invoke("--help").output
    assert "curvewise 0." in invoke("--version").output
    assert "Examples" in invoke("replay", "--help").output
