"""Starting is quick, because it loads little: judged by modules, not by a clock."""

import json
import subprocess
import sys

import pytest

# What takes long to load, and is not needed to begin with.
HEAVY = (
    *("scipy", "sklearn", "pandas", "pyarrow", "joblib", "matplotlib", "plotly", "lightgbm"),
    *("optuna", "dask", "distributed", "smac", "skops", "mlflow", "skrub", "xgboost", "catboost"),
)
SHOW = "; import json, sys; print(json.dumps(sorted(sys.modules)))"
COMMAND = """
import json, sys
sys.argv = ["curvewise", {argument!r}]
from curvewise._cli.start import main
try:
    main()
except SystemExit:
    print()
    print(json.dumps(sorted(sys.modules)))
"""


def loaded(program):
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout.strip().splitlines()[-1])


def heavy(modules):
    return [name for name in modules if name in HEAVY]


@pytest.mark.parametrize("program", ["import curvewise", "from curvewise._cli.start import main"])
def test_what_comes_before_an_interrupt_can_be_caught_loads_next_to_nothing(program):
    modules = loaded(program + SHOW)

    assert heavy(modules) == []
    assert {name.partition(".")[0] for name in modules} & {
        "numpy",
        "typer",
        "rich",
        "psutil",
    } == set()
    assert "curvewise.core" not in modules


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_what_a_command_shows_of_itself_loads_nothing_heavy(argument):
    assert heavy(loaded(COMMAND.format(argument=argument))) == []


def test_a_search_loads_nothing_heavy_that_scikit_learn_does_not_load_itself():
    own = loaded("import sklearn.model_selection" + SHOW)
    modules = loaded("from curvewise import CurveSearchCV" + SHOW)

    assert [name for name in heavy(modules) if name not in own] == []


def test_the_core_decides_without_scikit_learn():
    program = """import curvewise as cw
search = cw.Search(range(3), schedule=900, n_folds=3)
while not search.done:
    for task in search.ask(1):
        search.tell(cw.Observation(task, 0.1 + task.candidate / 10, seconds=1.0, n_test=100))
"""
    modules = loaded(program + SHOW.removeprefix("; "))

    assert [name for name in heavy(modules) if name != "scipy"] == []
