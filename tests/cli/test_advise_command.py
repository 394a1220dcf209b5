"""``curvewise advise`` and ``curvewise bench advice``, as users call them."""

import json

import pytest

import curvewise as cw
from curvewise._cli.bench_commands.advice_command import print_forecasts
from curvewise.executors import RunStore
from tests.advice.curves import curve
from tests.bench.doubled_rows.recorded import written
from tests.cli.runner import invoke


def stored(path, *, height=6.0, names=("svc", "forest", "tree"), run="first", notes=None):
    """A store with a run of full curves."""
    with RunStore.create(path) as store:
        schedule = cw.Schedule((256, 512, 1024, 2048))
        live = store.begin({}, "2560x4-9f86", schedule=schedule, n_folds=5, n_rows=2560, name=run)
        for i, name in enumerate(names):
            for observation in curve(name, floor=0.1 + i / 50, height=height, n_test=5000):
                live.record(observation)
        for key, value in (notes or {}).items():
            live.note(key, value)
    return path


@pytest.fixture
def steep(tmp_path):
    return stored(tmp_path / "run.db")


def test_yes_comes_first_and_has_exit_code_0(steep):
    answer = invoke("advise", steep, "--double", "--min-gain", 0.005)

    assert answer.exit_code == 0, answer.output
    assert answer.output.startswith("Yes: twice the rows (5,120 instead of 2,560)")
    assert "svc" in answer.output


def test_no_has_exit_code_3(tmp_path):
    answer = invoke("advise", stored(tmp_path / "flat.db", height=0.0))

    assert answer.exit_code == 3
    assert answer.output.startswith("No: twice the rows")


def test_rows_that_are_there_already_are_answered_with_no(steep):
    answer = invoke("advise", steep, "--rows", 100)

    assert answer.exit_code == 3
    assert answer.output.startswith("No: 100 rows are no more than the 2,560 that there are.")


def test_names_cannot_write_over_the_terminal(tmp_path):
    answer = invoke("advise", stored(tmp_path / "run.db", names=("a\x1b[2Jb\nc", "[red]d")))

    assert "\x1b" not in answer.output
    assert "a [2Jb c" in answer.output
    assert "[red]d" in answer.output


def test_what_cannot_be_told_has_exit_code_4(steep):
    answer = invoke("advise", steep, "--sure", 0.999999)

    assert answer.exit_code == 4
    assert answer.output.startswith("Cannot tell")


def test_json_has_everything_and_nothing_else_is_printed(steep):
    answer = invoke("advise", steep, "--rows", 10_240, "--target-score", 0.8, "--json")

    facts = json.loads(answer.output)
    assert (facts["rows_now"], facts["rows_then"], facts["factor"]) == (2560, 10_240, 4.0)
    assert facts["need"]["score"] == 0.8
    assert [each["candidate"] for each in facts["candidates"]] == ["svc", "forest", "tree"]


@pytest.mark.parametrize("which", ["1", "first"], ids=["number", "name"])
def test_a_run_is_chosen_by_number_or_name(steep, which):
    assert invoke("advise", steep, "--run", which, "--json").exit_code == 0


def test_a_table_is_searched_and_its_best_get_whole_curves(tmp_path):
    store = tmp_path / "run.db"
    asked = ("--candidates", 4, "--folds", 5, "--timeout", 10, "--best", 2, "--store", store)
    answer = invoke("advise", "sklearn:wine", *asked, "--seed", 9, "--quiet", "--json")

    assert answer.exit_code in (0, 3, 4), answer.output
    facts = json.loads(answer.output)
    assert (facts["rows_now"], facts["rows_then"]) == (178, 356)
    assert len(facts["candidates"]) == 2
    assert facts["last_step"]["before"] == 71
    assert facts["last_step"]["after"] == 142
    with RunStore.read(store) as opened:
        assert [run.name for run in opened.runs()] == [None, "whole curves"]
    again = invoke("advise", store, "--rows", 356, "--json")
    assert json.loads(again.output)["gain"] == facts["gain"]


def test_the_picture_is_drawn(steep, tmp_path):
    picture = tmp_path / "advice.png"

    assert invoke("advise", steep, "--plot", picture).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def bad_inputs(folder):
    good = stored(folder / "good.db")
    with RunStore.create(folder / "empty.db"):
        pass
    return {
        "no file": (["advise", folder / "none.db"], "none.db"),
        "no run": (["advise", folder / "empty.db"], "holds no run"),
        "unknown run": (["advise", good, "--run", "7"], "has no run"),
        "rows": (["advise", good, "--factor", "0"], "factor must be above 0, got 0"),
        "two": (["advise", good, "--double", "--factor", "3"], "Give one of --double"),
        "method": (["advise", good, "--method", "magic"], "method must be one of"),
        "picture": (["advise", good, "--plot", folder / "x.xyz"], "cannot have the ending"),
        "no table": (["advise", folder / "none.csv"], "There is no file"),
        "no target": (["advise", "sklearn:wine", "--target", "colour"], "has no column 'colour'"),
        "store": (["advise", "sklearn:wine", "--store", folder / "a" / "b"], "folder"),
        "small data": (
            ["bench", "advice", "--data", "sklearn:wine", "--store", folder / "x.db"],
            "No table is large enough",
        ),
        "no curves": (["bench", "advice"], "Give a file of recorded curves"),
        "bad curves": (["bench", "advice", "--curves", good], "is not a Parquet file"),
        "figures": (
            ["bench", "advice", "--curves", good, "--figures", folder / "a" / "b"],
            "There is no folder",
        ),
    }


@pytest.mark.parametrize(
    "case",
    [
        "no file",
        "no run",
        "unknown run",
        "rows",
        "two",
        "method",
        "picture",
        "no table",
        "no target",
        "store",
        "small data",
        "no curves",
        "bad curves",
        "figures",
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(case, tmp_path, run):
    arguments, message = bad_inputs(tmp_path)[case]

    code, said = run(*arguments)

    assert code == 2
    assert said.startswith("Error: ")
    assert message in said


def test_the_benchmark_prints_tables_and_draws_figures(tmp_path):
    figures = tmp_path / "figures"

    answer = invoke(
        *("bench", "advice", "--curves", written(tmp_path), "--folds", 5, "--draws", 1),
        *("--figures", figures),
    )

    assert answer.exit_code == 0, answer.output
    assert "per portfolio: 12 predictions, 6 data sets, 5 folds" in answer.output
    assert "always no" in answer.output
    assert "how far its certainty can be trusted" in answer.output
    assert len(list(figures.iterdir())) == 3


@pytest.mark.parametrize(("at", "n"), [("all", 12), ("largest", 6), ("256", 6), ("256+", 12)])
def test_some_of_the_cases_can_be_counted(tmp_path, at, n):
    asked = ("--curves", written(tmp_path), "--folds", 5, "--draws", 1, "--method", "last")
    answer = invoke("bench", "advice", *asked, "--at", at)

    assert answer.exit_code == 0, answer.output
    text = " ".join(answer.output.split())
    assert f"per portfolio: {n} predictions, 6 data sets" in text
    assert (f"at {at} only" in text) == (at != "all")


def test_a_size_that_no_case_has_is_refused(tmp_path):
    asked = ("--curves", written(tmp_path), "--folds", 5, "--draws", 1, "--method", "last")
    for at in ("300", "1024+", "+", "nonsense"):
        answer = invoke("bench", "advice", *asked, "--at", at)

        assert isinstance(answer.exception, cw.InvalidParameterError)
        assert f"no case at '{at}'; choose all, largest, H or H+" in str(answer.exception)
        assert "out of 256, 512" in str(answer.exception)


def test_few_data_sets_are_predicted_with_the_numbers_that_are_shipped(tmp_path):
    asked = ("bench", "advice", "--curves", written(tmp_path, n_datasets=1), "--folds", 5)

    answer, facts = invoke(*asked), invoke(*asked, "--json")

    assert answer.exit_code == 0, answer.output
    assert "Note: 1 data set is too few to calibrate on (at least 30)" in answer.output
    assert "per portfolio: 6 predictions, 1 data set, 5 folds" in answer.output
    assert len(json.loads(facts.stdout)) == 10


def test_the_tables_of_the_benchmark_fit_into_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    by_gain = dict.fromkeys(("0.005", "0.01", "0.025", "0.05", "0.1"), 0.8888)
    figures = {
        "method": "curve-unbounded", "level": "portfolio", "n": 20_145, "n_datasets": 108,
        "mae": 0.0138, "within_01": 0.648, "within_025": 0.855, "within_07": 0.974,
        "correlation": -0.39, "accuracy": by_gain, "always_no": by_gain, "always_yes": by_gain,
        "coverage_90": 0.906, "coverage_by_rows": [0.91] * 3, "coverage_by_size": [0.9] * 3,
        "sure_share": 0.573, "sure_accuracy": 0.985, "cannot_tell": by_gain,
    }  # fmt: skip

    print_forecasts([figures], folds=10)

    printed = capsys.readouterr().out
    assert "…" not in printed
    assert "88.9/88.9/88.9/88.9/88.9" in printed


def test_a_quiet_benchmark_prints_warnings_only(tmp_path):
    curves = written(tmp_path, n_datasets=2)

    answer = invoke(
        "bench", "advice", "--curves", curves, "--folds", 3, "--method", "last,curve", "--quiet"
    )

    assert (answer.exit_code, answer.stdout) == (0, "")
    assert answer.stderr.startswith("Note: 2 data sets are too few to calibrate on")
    assert answer.stderr.count("Note") == 1


def test_help_shows_examples():
    assert "Examples" in invoke("advise", "--help").output
    assert "advice" in invoke("bench", "--help").output
