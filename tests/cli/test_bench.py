import json
import re
from urllib.parse import unquote

import pytest
from rich.console import Console
from typer.main import get_command

from curvewise._bench.experiments.cells import Cell, State, seconds_left
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.results import read_all
from curvewise._cli.app import app
from curvewise._cli.bench_commands.bench_progress import BenchProgress
from curvewise._cli.bench_commands.status_command import print_summary
from curvewise.errors import CurvewiseError, NoResultError
from tests.bench.experiments.samples import fill, plan_of
from tests.cli import runner
from tests.recording import rows, write


def invoke(*arguments):
    answer = runner.invoke("bench", *arguments)
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("store") / "results.db", plan_of(), failed=1, pending=1)


@pytest.mark.slow
def test_the_smoke_run_of_paper_80_runs_all_of_its_parts(tmp_path):
    options = ("--smoke", "--store", "r.db", "--output", "out")
    answer = runner.curvewise("bench", "paper-80", *options, cwd=tmp_path, COLUMNS="100")

    assert answer.returncode == 0, answer.stderr
    assert "8 of 8 cells" in answer.stderr
    assert "80lccv" in answer.stdout
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"paper-80.html", "paper-80-datasets.tex", "paper-80-boxes.svg"} <= written
    (facts,) = json.loads(invoke("status", tmp_path / "r.db", "--json").output)
    assert (facts["done"], facts["failed"], facts["scale"]) == (8, 0, "smoke")


SMALL = """
name = "mine"
datasets = ["sklearn:iris"]

[settings]
seeds = 1
candidates = 2
cell_timeout = 0.001

[[method]]
name = "5cv"
policy = "kfold"

[smoke]
quality_repeats = 2
"""


def test_a_smoke_run_keeps_out_of_the_store_of_other_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(SMALL)
    for options, file in (["--smoke"], "smoke.db"), ([], "results.db"):
        # Its only cell has no time: nothing comes of it but the file.
        with pytest.raises(NoResultError):
            invoke("run", "mine.toml", "--quiet", *options)

        assert (tmp_path / file).is_file()
    with Ledger("smoke.db") as small, Ledger("results.db") as whole:
        assert (small.plan("mine").scale, whole.plan("mine").scale) == ("smoke", "paper")


@pytest.mark.parametrize("name", ["paper-80", "run", "convexity"])
def test_the_help_names_both_stores(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")

    assert "results.db; smoke.db with --smoke" in invoke(name, "--help").output


def test_suites_and_experiments_of_ones_own_have_the_same_options():
    commands = get_command(app).commands["bench"].load().commands
    suite, own = commands["paper-80"].params, commands["run"].params

    assert own[0].name == "file"
    assert [(one.opts, one.help, one.default) for one in suite] == [
        (one.opts, one.help, one.default) for one in own[1:]
    ]


def test_status_counts_cells_and_names_failures(store):
    answer = invoke("status", store, "--failures")

    assert "toy: lccv on set-1" in answer.output
    assert "Traceback: here" in answer.output
    (facts,) = json.loads(invoke("status", store, "--json").output)
    assert (facts["cells"], facts["done"], facts["failed"], facts["pending"]) == (12, 10, 1, 1)


def test_status_is_legible_at_80_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "results.db"
    now = [1_800_000_000.0]
    with Ledger(file, clock=lambda: now[0]) as ledger:
        plan = plan_of(20, seeds=10, name="sensitivity")
        ledger.register(plan)
        cell = ledger.claim("sensitivity")
        now[0] += 3_700
        ledger.finish(cell, {"error": 0.1})
    lines = invoke("status", file).output.splitlines()

    (row,) = [line for line in lines if "sensitivity" in line]
    assert re.search(r"sensitivity +paper +2027-01-1\d \d\d:\d\d +600 +1 +0 +0 +615 h 38 min", row)
    assert all(len(line) <= 80 and "…" not in line for line in lines)


def test_the_summary_of_a_run_breaks_no_number_at_80_columns(store, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    (results,) = read_all(store)
    print_summary(results)
    lines = capsys.readouterr().out.splitlines()

    assert all(len(line) <= 80 and "…" not in line for line in lines)
    assert any(line.split()[:3] == ["5cv", "50.0", "50.0"] for line in lines)
    assert any(line.startswith(" race ") and line.endswith(" 3 of 4† ") for line in lines)


def of(number, dataset, state=State.PENDING, *, seconds=None, spent=None, n_rows=None):
    """Make up a cell."""
    result = None if n_rows is None else {"n_rows": n_rows}
    return Cell(number, "toy", "5cv", dataset, number, state, seconds, result, None, spent)


def test_time_left_is_shared_by_the_cells_that_run_and_spent_time_is_over():
    done = of(0, "iris", State.DONE, seconds=100.0)
    running = [of(i, "iris", State.RUNNING, spent=40.0) for i in (1, 2)]
    late = of(3, "iris", State.RUNNING, spent=900.0)
    pending = [of(i, "iris") for i in (4, 5)]

    assert seconds_left([done, *running, *pending]) == (2 * 60 + 2 * 100) / 2
    assert seconds_left([done, *pending], n_jobs=2) == 100
    assert seconds_left([done, running[0]], n_jobs=2) == 60
    assert seconds_left([done, late, *pending]) == 200


def test_data_sets_that_are_not_seen_yet_take_what_the_slowest_took_if_small_ones_come_first():
    small = of(0, "a", State.DONE, seconds=10.0, n_rows=100)
    large = of(1, "b", State.DONE, seconds=90.0, n_rows=900)
    unseen = of(2, "c")

    assert seconds_left([small, large, unseen]) == 90
    assert seconds_left([large, small, unseen]) == 50
    assert seconds_left([small, unseen]) == 10


def test_tables_figures_page_export_and_results_are_written(store, tmp_path):
    assert "toy-comparison.tex" in invoke("tables", store, "--output", tmp_path / "t").output
    assert "toy-boxes.svg" in invoke("figures", store, "--output", tmp_path / "f").output
    assert invoke("page", store, "-o", tmp_path / "page.html").exit_code == 0
    assert "toy.csv" in invoke("export", store, "--output", tmp_path / "e").output
    assert invoke("results", tmp_path / "e", "-o", tmp_path / "results.md").exit_code == 0
    assert invoke("tables", tmp_path / "e", "--output", tmp_path / "t2").exit_code == 0

    assert (tmp_path / "t2" / "toy-datasets.md").read_text() == (
        tmp_path / "t" / "toy-datasets.md"
    ).read_text()
    assert "## A toy" in (tmp_path / "results.md").read_text()
    assert "toy" in (tmp_path / "page.html").read_text()


def test_the_page_of_results_takes_notes_and_shows_its_figures(store, tmp_path):
    notes, page = tmp_path / "notes.md", tmp_path / "docs" / "results.md"
    notes.write_text("## What it shows\n\nThe race is faster.\n")
    page.parent.mkdir()
    options = ("--notes", notes, "--figures", tmp_path / "the pictures")

    answer = invoke("results", store, "-o", page, *options)

    assert answer.exit_code == 0, answer.output
    text = page.read_text()
    assert text.index("The race is faster.") < text.index("## A toy")
    addresses = re.findall(r"!\[toy: [a-z -]+\]\((.+)\)", text)
    assert "../the%20pictures/toy-boxes.png" in addresses
    assert all((page.parent / unquote(address)).is_file() for address in addresses)
    assert not list((tmp_path / "the pictures").glob("*.svg"))


def test_convexity_of_recorded_curves_needs_no_store(tmp_path):
    curves = write(tmp_path / "curves.parquet", rows())

    answer = invoke("convexity", "--curves", curves, "--output", tmp_path / "out")

    assert "| all | 12 |" in re.sub(" +", " ", answer.output)
    assert (tmp_path / "out" / "convexity-curves-1.png").is_file()
    assert (tmp_path / "out" / "convexity-shapes.tex").is_file()
    study = json.loads((tmp_path / "out" / "convexity-curves.json").read_text())
    assert study["by_learner"][-1]["n_curves"] == 12


@pytest.mark.slow
def test_a_suite_runs_pipelines_from_a_file(tmp_path):
    sequence = tmp_path / "pipelines-0.txt"
    sequence.write_text(
        "1: GaussianNB ({})\n2: StandardScaler ({}), MultinomialNB ({'alpha': 1.0})\n"
    )
    options = ("--sequences", sequence, "--candidates", "2", "--only", "iris", "--quiet")

    invoke("paper-80", "--smoke", *options, "--store", tmp_path / "r.db")

    (results,) = read_all(tmp_path / "r.db")
    kfold = results.done("5cv")[0].result
    assert kfold["pipeline"] == "GaussianNB"
    assert kfold["ended"] == {"completed": 1, "failed": 1}


MISTAKES = {
    "both scales": (["paper-80", "--reduced", "--smoke"], "exclude each other"),
    "no folder": (["paper-80", "--data", "none"], "there is no data set 'none'"),
    "no file": (["run", "none.toml"], "cannot be read"),
    "no store": (["status", "none.db"], "There is no file none.db"),
    "no notes": (["results", "none.db", "--notes", "none.md"], "none.md cannot be read"),
    "no page": (["page", "none.db", "-o", "none/page.html"], "There is no folder"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_bad_input_is_one_sentence(mistake, tmp_path, monkeypatch):
    arguments, sentence = MISTAKES[mistake]
    monkeypatch.chdir(tmp_path)

    with pytest.raises(CurvewiseError) as caught:
        invoke(*arguments)

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_plain_lines_say_how_far_it_is_and_how_long_it_may_take(store, capsys):
    with Ledger(store) as ledger:
        BenchProgress(ledger, plan_of(), Console(width=200), clock=lambda: 0.0).look()

    assert capsys.readouterr().out.startswith("[0 s] toy: 11 of 12 cells; 1 failed; about")


def test_a_terminal_gets_a_panel(store):
    console = Console(force_terminal=True, record=True, width=100)
    with Ledger(store) as ledger, BenchProgress(ledger, plan_of(), console):
        pass

    assert "11 of 12 cells" in console.export_text()
