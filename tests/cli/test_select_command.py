"""``curvewise select`` and what goes with it, as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import psutil
import pytest
from sklearn.datasets import load_iris

from curvewise._report.report_facts import facts_of
from curvewise._selection.refit import Refit
from curvewise.errors import CurvewiseError, NoResultError
from curvewise.executors import RunStore
from tests.cli.runner import curvewise, invoke

MARK = "CURVEWISE_TEST"
ROOT = Path(__file__).parents[2]
QUICK = ("--candidates", 6, "--timeout", 20, "--seed", 3)
# Nothing after the search that takes seconds of its own.
ALONE = ("--no-curve", "--no-importance")
# The command line, which says on standard error what it logs.
LOGGING = """
import logging
from curvewise._cli.start import main
logging.basicConfig(level=logging.INFO)
main()
"""
# Learners that never end when they get all rows, and whose every fit takes a moment.
SLEEPERS = {
    "slot": [
        {
            "name": "learner",
            "component": [
                {
                    "class": "tests.selection.learners.OnAllRows",
                    "fixed": {"action": "sleep"},
                    "parameters": {"random_state": {"low": 0, "high": 9999}},
                }
            ],
        }
    ]
}


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    frame = load_iris(as_frame=True).frame
    frame["target"] = frame["target"].map({0: "setosa", 1: "versicolor", 2: "virginica"})
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def selected(iris, tmp_path_factory):
    folder = tmp_path_factory.mktemp("selected")
    answer = curvewise(
        *("select", iris, *QUICK, "--jobs", 2, "--store", folder / "run.db"),
        *("--report", folder / "report.html", "--save", folder / "model.skops"),
        **{MARK: str(folder)},
    )
    return answer, folder


@pytest.fixture(scope="module")
def told(iris, tmp_path_factory):
    """The same search in this process, with JSON as its answer."""
    model = tmp_path_factory.mktemp("told") / "model.skops"
    return invoke("select", iris, *QUICK, *ALONE, "--json", "--save", model)


def test_the_answer_is_printed_and_everything_is_written(selected):
    answer, folder = selected

    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("Best of 6: ")
    assert "iris: 150 rows, 4 columns; classification of 'target'" in answer.stderr
    assert "<html" in (folder / "report.html").read_text(encoding="utf-8")


def test_json_is_all_that_stands_on_standard_output(told):
    facts = json.loads(told.stdout)

    assert facts["score"] > 0.9
    assert sum(facts["counts"].values()) == 6
    assert told.stderr.endswith("model.skops\n")


def test_no_process_is_left(selected):
    _, folder = selected

    assert not psutil.wait_procs(started_for(folder), timeout=10)[1]


def started_for(folder):
    """Find what was started for a folder, whoever its parent is now: it inherits the mark."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == str(folder):
                found.append(process)
        except (OSError, psutil.Error):
            continue
    return found


def test_a_finished_run_can_be_listed_and_reported(selected):
    _, folder = selected
    listed = invoke("runs", folder / "run.db", "--json")
    page = invoke("report", folder / "run.db", "-o", folder / "again.html")

    assert json.loads(listed.stdout)[0]["candidates"] == 6
    assert "finished" in invoke("runs", folder / "run.db").stdout
    assert page.stdout.startswith("Wrote ")
    assert (folder / "again.html").is_file()


def test_a_saved_model_predicts_new_rows(selected, iris, tmp_path):
    _, folder = selected
    out = tmp_path / "out.csv"
    answer = invoke("predict", folder / "model.skops", iris, "-o", out)
    predicted = pd.read_csv(out)["target"]

    assert answer.exit_code == 0, answer.output
    assert (predicted == pd.read_csv(iris)["target"]).mean() > 0.9


def test_a_tampered_model_is_refused(selected, iris, tmp_path, run):
    _, folder = selected
    path = tmp_path / "model.skops"
    path.write_bytes((folder / "model.skops").read_bytes()[:-200])
    code, said = run("predict", path, iris)

    assert code == 2
    assert said.startswith("Error: ")


def test_one_model_is_validated_against_a_score(iris):
    arguments = ("validate", iris, "--model", "sklearn.dummy:DummyClassifier", "--json")
    answer = invoke(*arguments, "--best-score", 0.9)

    assert json.loads(answer.stdout)["status"] == "pruned"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.csv"], "There is no file"),
        (["IRIS", "--target", "targte"], "target"),
        (["IRIS", "--scoring", "luck"], "is not a scorer of scikit-learn"),
        (["IRIS", "--policy", "rase"], "There is no policy 'rase'"),
        (["IRIS", "--budget", "-1"], "--budget must be above 0"),
        (["IRIS", "--timeout", "0"], "--timeout must be above 0"),
        (["IRIS", "--memory", "lots"], "--memory must be a positive number"),
        (["IRIS", "--leave-out", "SVCC"], "SVCC"),
        (["IRIS", "--report", "/none/report.html"], "There is no folder /none"),
        (["IRIS", "--jobs", "0"], "--jobs must be a whole number"),
        (["IRIS", "--fresh-workers", "often"], "--fresh-workers must be 'unknown', 'always'"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_bad_input_is_one_sentence_and_exit_code_2(iris, arguments, sentence, run):
    code, said = run("select", *[iris if part == "IRIS" else part for part in arguments])

    assert code == 2
    assert said.startswith("Error: ")
    assert sentence in said


def test_bad_input_ends_the_process_with_exit_code_2(iris):
    answer = curvewise("select", iris, "--target", "targte")

    assert answer.returncode == 2
    assert answer.stderr.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in answer.stderr


def n_completed(path):
    """How many candidates of the first run have a score by now."""
    try:
        with RunStore.read(path) as store:
            return store.runs()[0].n_completed
    except (CurvewiseError, IndexError):
        return 0


def until_completed(process, find):
    """Wait until a candidate has a score in one of the stores that are found, or it has ended."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if any(map(n_completed, find())):
            return
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_an_interrupt_ends_it_with_the_best_so_far_and_the_run_goes_on(iris, tmp_path):
    store = tmp_path / "run.db"
    arguments = [
        "select",
        iris,
        "--candidates",
        400,
        "--budget",
        600,
        "--seed",
        3,
        "--store",
        store,
    ]
    command = [sys.executable, "-m", "curvewise", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until_completed(process, lambda: [store])
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    (summary,) = json.loads(invoke("runs", store, "--json").stdout)

    assert process.returncode == 0, stderr
    assert "The search was interrupted" in stderr
    assert stdout.startswith("Best of ")
    assert summary["status"] == "interrupted"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("after", ["at once", "when it is said"])
def test_another_interrupt_takes_the_answer_without_a_model(after, jobs, iris, tmp_path):
    space, store, report = (tmp_path / name for name in ("space.json", "run.db", "report.html"))
    space.write_text(json.dumps(SLEEPERS))
    options = ["--candidates", 400, "--jobs", jobs, "--store", store, "--report", report]
    options += ["--space", space, "--package", "tests"]
    process = subprocess.Popen(
        [sys.executable, "-c", LOGGING, "select", iris, *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    until_completed(process, lambda: [store])
    process.send_signal(signal.SIGINT)
    said = ""
    while "interrupted: the results" not in said or (
        after != "at once" and "Ctrl-C again leaves it unfitted." not in said
    ):
        line = process.stderr.readline()
        assert line, said
        said += line
    interrupted = time.monotonic()
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)

    assert process.returncode == 1, said + stderr
    assert time.monotonic() - interrupted < 30
    assert stdout.startswith("Best of ")
    assert "Interrupted: the best is not fitted." in stderr
    assert report.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_request_to_terminate_is_an_interrupt_and_leaves_no_file(name, iris, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = [
        "select",
        iris,
        "--candidates",
        400,
        "--budget",
        600,
        "--report",
        tmp_path / "r.html",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "curvewise", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    until_completed(process, lambda: temporary.glob("curvewise-*/run.db"))
    process.send_signal(getattr(signal, name))
    stdout, stderr = process.communicate(timeout=120)

    assert process.returncode == 0, stderr
    assert stdout.startswith("Best of ")
    assert (tmp_path / "r.html").exists()
    assert list(temporary.iterdir()) == []


def test_the_papers_space_goes_by_its_name(iris):
    answer = invoke("select", iris, *QUICK, *ALONE, "--space", "paper", "--json")
    names = [one["candidate"] for one in json.loads(answer.stdout)["leaderboard"]]

    assert answer.exit_code == 0, answer.output
    assert any(" > " in name for name in names)


@pytest.mark.parametrize(
    ("error", "said"),
    [(KeyboardInterrupt(), "not fitted"), (NoResultError("No memory."), "No memory.")],
)
def test_an_answer_without_a_model_is_still_an_answer(error, said, iris, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Refit, "fit", fail)
    report, model = tmp_path / "report.html", tmp_path / "model.skops"
    outputs = ("--quiet", "--report", report, "--save", model)
    answer = invoke("select", iris, *QUICK, *ALONE, *outputs)

    assert answer.exit_code == 1, answer.output
    assert "Best of " in answer.stdout
    assert said in answer.stderr
    assert report.exists()
    assert not model.exists()


def test_a_constant_prediction_is_the_baseline(selected, told):
    answer, _ = selected
    facts = json.loads(told.stdout)

    assert "Always predicting the commonest class scores 0.3333" in answer.stdout
    assert facts["baseline"] == pytest.approx(1 / 3)
    assert facts["default_model"]["score"] > 0.8
    assert facts["n_folds"] == 5
    assert facts["metric"] == "accuracy"
    assert facts["ending"] == "finished"
    assert facts["certainty"]["sentence"] in answer.stdout
    assert "HistGradientBoosting with its defaults scores" in answer.stdout
    assert 0 < facts["first_seconds"] < facts["elapsed_seconds"]


def test_the_report_has_the_baselines_and_the_clock(selected):
    _, folder = selected
    with RunStore.read(folder / "run.db") as store:
        facts = facts_of(store.run())

    assert facts["answer"]["baselines"]["constant"] == pytest.approx(1 / 3, abs=1e-6)
    assert facts["answer"]["baselines"]["default"]["score"] > 0.8
    assert facts["run"]["given"] == {"metric": "accuracy", "jobs": 2, "seed": 3, "candidates": 6}
    assert 0 < facts["run"]["clock"] < 600


def test_of_numbers_the_mean_is_the_baseline_and_a_budget_is_noted(tmp_path):
    store, options = tmp_path / "run.db", ("--folds", 3, "--candidates", 1, "--budget", 60)
    answer = curvewise("select", "sklearn:diabetes", *ALONE, *options, "--store", store, "--quiet")
    with RunStore.read(store) as opened:
        facts = facts_of(opened.run())

    assert answer.returncode == 0, answer.stderr
    assert "Always predicting the mean scores -0.0" in answer.stdout
    assert -0.1 < facts["answer"]["baselines"]["constant"] < 0
    assert facts["run"]["given"]["budget"] == 60


@pytest.mark.skipif(os.name != "posix", reason="closes a pipe, and looks for /dev/full")
@pytest.mark.parametrize("reader", ["gone", "full"])
def test_files_are_written_though_nobody_hears_the_answer(reader, iris, tmp_path):
    command = [sys.executable, "-m", "curvewise", "select", str(iris), "--candidates", "3"]
    command += ["--save", str(tmp_path / "m.skops"), "--report", str(tmp_path / "r.html")]
    if reader == "full":
        descriptor = os.open("/dev/full", os.O_WRONLY)
    else:
        closed, descriptor = os.pipe()
        os.close(closed)
    ended = subprocess.run(
        command, stdout=descriptor, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(descriptor)

    assert (tmp_path / "m.skops").exists()
    assert (tmp_path / "r.html").exists()
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
