"""Small tables, fake tools, and results that were made up."""

from pathlib import Path

from curvewise._bench.tools.contest import Contest, ContestSettings
from curvewise._bench.tools.environments import Environments
from curvewise._bench.tools.result_file import ResultFile
from curvewise._bench.tools.tool_list import Tool

FAKE = Path(__file__).with_name("fake_tool.py")


def fake(name="fake", **options):
    """Make a tool that does as it is told."""
    return Tool(name=name, script=FAKE, options=options)


def write_classes(folder, n_rows=40):
    """Write a table with two classes, three quarters of them of one."""
    rows = [f"{i % 7},{'ab'[i % 2]},{'no' if i % 4 else 'yes'}" for i in range(n_rows)]
    path = folder / "classes.csv"
    path.write_text("size,kind,target\n" + "\n".join(rows) + "\n")
    return path


def write_numbers(folder, n_rows=40):
    """Write a table with a number to predict."""
    rows = [f"{i % 7},{i / 3:.3f}" for i in range(n_rows)]
    path = folder / "numbers.csv"
    path.write_text("size,target\n" + "\n".join(rows) + "\n")
    return path


def contest_of(folder, tools, tables, *, n_splits=1, budgets=(5.0,), **settings):
    """Make a comparison with a file of results in a folder."""
    file = ResultFile(folder / "results.jsonl")
    settings = ContestSettings(budgets=budgets, n_splits=n_splits, n_cores=1, **settings)
    named = {path.stem: str(path) for path in tables}
    tools = {tool.name: tool for tool in tools}
    return Contest(tools, named, Environments(folder / "environments"), file, settings), file


def run(folder, tools, tables, **settings):
    """Run a whole comparison; give its results."""
    contest, file = contest_of(folder, tools, tables, **settings)
    contest.check()
    contest.run(contest.open_cells())
    return file.results


def result_of(tool, table="t", split=0, budget=60.0, score=0.8, **changed):
    """Make up a result."""
    result = {
        "tool": tool,
        "table": table,
        "split": split,
        "budget": budget,
        "task": "classification",
        "metric": "accuracy",
        "n_rows": 1000,
        "n_columns": 5,
        "n_test_rows": 250,
        "constant_score": 0.5,
        "score": score,
        "score_error": 0.01,
        "accuracy": score,
        "log_loss": 0.3,
        "auc": 0.9,
        "choice": "a model",
        "error": None,
        "seconds": budget,
        "model_seconds": budget - 1,
        "cpu_seconds": 50.0,
        "other_cpu_seconds": 1.0,
        "peak_mb": 200.0,
        "version": "1.0",
        "started": "2026-01-01T00:00:00+00:00",
        "n_cores": 2,
        "seed": 0,
        "fingerprint": "f",
        "definition": {},
    }
    failed = {"error": "Traceback\nValueError: no", "score_error": None, "model_seconds": None}
    return {**result, **({} if score is not None else failed), **changed}
