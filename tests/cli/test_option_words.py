"""Messages of the command line speak of options, not of Python's parameters."""

import re

import pytest
from sklearn.datasets import load_iris

from curvewise._cli.option_words import CLEAR, FIRST, in_option_words
from tests.test_words import rows

# A name of Python's in a sentence: an underscore or None. Metrics have underscores as well.
PYTHON = re.compile(r"(?<!--)\b(?!roc_auc|neg_|f1_)[a-z]+_[a-z_]+\b|\bNone\b")


@pytest.mark.parametrize("name", [*FIRST, *CLEAR])
def test_an_option_and_its_parameter_are_the_same_in_the_glossary(name):
    option = {**FIRST, **CLEAR}[name]
    places = [row for row in rows() if f"`{option}`" in row[1]]

    assert len(places) == 1
    assert f"`{name}`" in places[0][0] or option == f"--{name.replace('_', '-')}"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "fresh_workers must be 'unknown', 'always', 'never' or None, got 'often'.",
            "--fresh-workers must be 'unknown', 'always' or 'never', got 'often'.",
        ),
        (
            "n_jobs must be a whole number other than 0 (-1 for all cores) or None, got 0.",
            "--jobs must be a whole number other than 0 (-1 for all cores), got 0.",
        ),
        (
            "tune_threshold='f1' needs to know which class is the positive one: pos_label='a' or "
            "pos_label='b'.",
            "--tune-threshold f1 needs to know which class is the positive one: --pos-label a or "
            "--pos-label b.",
        ),
        (
            "No candidate gave a result within time_budget=0.5 s; the commonest reason, ...",
            "No candidate gave a result within --budget 0.5 s; the commonest reason, ...",
        ),
        (
            "best_score=2 cannot be: the best score that accuracy can have is 1.",
            "--best-score 2 cannot be: the best score that accuracy can have is 1.",
        ),
        (
            "memory_limit can only be kept on Linux, not on darwin; pass None.",
            "--memory can only be kept on Linux, not on darwin; leave it out.",
        ),
        (
            "Column 'id' is left out as an identifier, by its name (keep uses it).",
            "Column 'id' is left out as an identifier, by its name (--keep uses it).",
        ),
        (
            "Rows are in the order of 'day', which is no feature (keep makes it one); ...",
            "Rows are in the order of 'day', which is no feature (--keep makes it one); ...",
        ),
        (
            "Column 'day' is ambiguous: in dates such as '01/01/2023' the month is read first; the "
            "date order day-first would read them otherwise.",
            "Column 'day' is ambiguous: in dates such as '01/01/2023' the month is read first; "
            "--date-order day-first would read them otherwise.",
        ),
        (
            "Column 'copy' gives away the target 'y': if it is not known before the target is, "
            "drop it.",
            "Column 'copy' gives away the target 'y': if it is not known before the target is, "
            "leave it out with --drop.",
        ),
    ],
)
def test_parameters_become_options(message, said):
    assert in_option_words(message) == said


@pytest.mark.parametrize(
    "message",
    [
        "There is no column 'time_budget' in table.csv.",
        "space.toml: SVC: n_jobs may not be set by a file.",
        "task.csv cannot be read: it is a folder.",
        "'lccv:max_repeats=1': max_repeats must be at least min_repeats=3, got 1.",
        "No candidate gave a result; the commonest reason, own: n_splits=5 cannot be.",
    ],
)
def test_what_is_no_option_stays(message):
    assert in_option_words(message) == message


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    frame = load_iris(as_frame=True).frame
    frame.columns = ["a", "b", "c", "d", "kind"]
    frame["kind"] = frame["kind"].map({0: "x", 1: "y", 2: "z"})
    path = tmp_path_factory.mktemp("table") / "table.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--fresh-workers often", "--fresh-workers must be 'unknown', 'always' or 'never'"),
        ("--jobs 0", "--jobs must be a whole number other than 0"),
        ("--memory lots", "--memory must be a positive number"),
        ("--budget -1", "--budget must be above 0"),
        ("--timeout 0", "--timeout must be above 0"),
        ("--folds 60", "--folds cannot split the data: --folds 60 cannot be greater than"),
        ("--task clustering", "--task must be one of"),
        ("--scoring nonsense", "--scoring nonsense is not a scorer of scikit-learn; scikit-learn"),
        ("--proposer me", "--proposer must be one of"),
        ("--refit worst", "--refit must be 'best' or 'simplest'"),
        ("--keep-predictions some", "--keep-predictions must be one of"),
        ("--ensemble --refit simplest", "give --ensemble or --refit simplest, not both"),
        ("--ensemble --keep-predictions none", "--ensemble needs --keep-predictions 'best'"),
        ("--calibrate --keep-predictions none", "--calibrate needs --keep-predictions 'best'"),
        ("--tune-threshold f1", "--tune-threshold needs a target with two classes"),
        ("--pos-label x", "--pos-label is for --tune-threshold, which is not given"),
        ("--groups a --time b", "--groups and --time cannot both be given"),
        ("--run x", "give the file of one with --store"),
    ],
)
def test_what_select_refuses_is_said_in_options(run, table, options, said):
    code, sentence = run("select", table, "--candidates", 1, "--quiet", *options.split())

    assert code == 2
    assert sentence.startswith("Error: ")
    assert said in sentence
    assert not PYTHON.search(sentence)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--sure 2", "--sure must be between 0.5 and 1, got 2.0"),
        ("--method guess", "--method must be one of "),
        ("--factor 0", "--factor must be above 0, got 0.0"),
        ("--target-score nan", "--target-score must be a finite number, got nan"),
    ],
)
def test_what_advise_refuses_is_said_in_options_before_the_search(
    run, table, options, said, monkeypatch
):
    def unexpected(*_, **__):
        raise AssertionError("the search has begun")

    monkeypatch.setattr("curvewise._cli.advise_command.curves_of_best", unexpected)

    assert said in run("advise", table, *options.split())[1]


def test_a_score_that_cannot_be_beaten_is_said_in_options(run, table):
    model = ("--model", "sklearn.naive_bayes:GaussianNB")

    assert "--best-score 2 cannot be: " in run("validate", table, *model, "--best-score", 2)[1]


def test_the_other_task_is_named_as_an_option():
    note = "The task is classification (task='regression' would take it otherwise)."

    assert "(--task regression would take it otherwise)" in in_option_words(note)
