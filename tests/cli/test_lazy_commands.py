"""The command line without what its commands need."""

import subprocess
import sys

import pytest
from typer.main import get_command

from curvewise._cli.app import PLACES, app

# Hides packages from Python, as if they were not installed.
HIDING = """
import sys


class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Hidden())
sys.argv = ["curvewise", *{arguments!r}]
from curvewise._cli.start import main
main()
"""
EXTRA_PACKAGES = (
    *("pandas", "pyarrow", "skops", "lightgbm", "matplotlib", "plotly", "jinja2", "tabulate"),
    *("lccv", "optuna", "dask", "distributed", "smac", "xgboost", "catboost"),
)


def run(*arguments, hidden=EXTRA_PACKAGES):
    program = HIDING.format(hidden=set(hidden), arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", PLACES)
def test_the_list_says_what_the_command_itself_says(name):
    command = get_command(app).commands[name]

    assert command.load().help.partition("\n")[0] == command.help


def test_the_experiments_are_listed_without_their_packages():
    answer = run("bench", "--help")

    assert answer.returncode == 0, answer.stderr
    assert "record" in answer.stdout


def test_help_and_version_need_no_extra_and_no_scikit_learn():
    hidden = (*EXTRA_PACKAGES, "sklearn")

    assert "select" in run("--help", hidden=hidden).stdout
    assert run("--version", hidden=hidden).stdout.startswith("curvewise ")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("select", "data.csv"), "select"),
        (("select", "data.xlsx"), "excel"),
        (("predict", "model.skops", "data.csv"), "select"),
        (("validate", "data.csv", "--model", "sklearn.svm:SVC"), "select"),
        (("advise", "data.csv"), "select"),
        (("replay", "curves.parquet"), "replay"),
        (("report", "run.db"), "report"),
        (("select", "data.csv", "--report", "report.html"), "report"),
        (("select", "data.csv", "--watch"), "report"),
        (("bench", "record", "sklearn:iris", "-o", "iris.parquet"), "select"),
    ],
)
def test_a_command_says_which_extra_it_needs(arguments, extra):
    answer = run(*arguments)

    assert answer.returncode == 2, answer.stderr
    assert f"curvewise[{extra}]" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert "Traceback" not in answer.stderr


def test_a_store_is_read_without_any_extra(tmp_path):
    answer = run("runs", str(tmp_path / "none.db"))

    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr
    assert "none.db" in answer.stderr
