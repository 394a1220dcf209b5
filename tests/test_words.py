"""The table of words in the glossary is the truth: about Python, and about the command line."""

import inspect
import re
from pathlib import Path

import pytest
from typer.main import get_command

import curvewise as cw
from curvewise._cli.app import app
from curvewise.executors import Execution, make_executor, run

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "glossary.md"
FACES = {
    face.__name__: face
    for face in (
        *(cw.CurveSearchCV, cw.CurveAutoMLClassifier, cw.CurveAutoMLRegressor),
        *(cw.validate, cw.compare, cw.advise),
        *(cw.CurveObjective, cw.CurveTargetFunction, cw.CurveEvaluation),
        *(cw.Search, cw.Validation, make_executor, run, Execution),
    )
}
# Fitted attributes that the table names, and where they are.
FITTED = {"best_estimator_", "best_score_"}


def rows():
    """The rows of all tables of the section, each as its fields."""
    section = PAGE.read_text(encoding="utf-8").split("## One word for one thing")[1]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    fields = [[field.strip() for field in line.strip("|").split("|")] for line in lines]
    return [each for each in fields if each[0] != "Python" and set(each[0]) != {"-"}]


def words(column):
    return [word for row in rows() for word in re.findall(r"`([^`]+)`", row[column])]


def commands(group=None, prefix=""):
    """Every command of the command line, by its name."""
    group = group or get_command(app)
    found = {}
    for name, listed in group.commands.items():
        command = listed.load() if hasattr(listed, "load") else listed
        deeper = hasattr(command, "commands")
        inner = commands(command, f"{prefix}{name} ") if deeper else {prefix + name: command}
        found |= inner
    return found


def options_of(command):
    return [word for each in command.params for word in each.opts if word.startswith("-")]


def test_a_word_stands_in_the_table_once():
    for column in (0, 1):
        assert len(words(column)) == len(set(words(column)))


def test_every_row_says_what_it_is():
    assert all(len(row) == 4 and row[3] for row in rows())


@pytest.mark.parametrize("name", FACES)
def test_every_parameter_of_a_face_stands_in_the_table(name):
    taken = set(inspect.signature(FACES[name]).parameters)

    assert taken - set(words(0)) == set()


def test_every_python_word_of_the_table_is_somebodys_parameter():
    taken = {each for face in FACES.values() for each in inspect.signature(face).parameters}

    assert set(words(0)) - taken - FITTED == set()


@pytest.mark.parametrize("name", commands())
def test_every_option_of_a_command_stands_in_the_table(name):
    assert set(options_of(commands()[name])) - set(words(1)) == set()


def test_every_option_of_the_table_is_some_commands():
    taken = {word for command in commands().values() for word in options_of(command)}

    assert set(words(1)) - taken == set()


def test_an_option_that_commands_share_has_one_sentence():
    """But where it stands for several things, reads in the place of writing, or changes nothing."""
    sentences = {}
    for command in commands().values():
        for each in command.params:
            sentences.setdefault(each.opts[0], set()).add(getattr(each, "help", None))
    several = {word for word, said in sentences.items() if len(said) > 1 and word[0] == "-"}

    passed_over = {"--groups", "--time", "--weights", "--needs-probabilities"}
    for_several = {"--run", "--policy", "--candidates", "--output", "--method", "--figures"}
    assert several == for_several | passed_over
