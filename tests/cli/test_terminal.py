"""How the command line writes numbers, spans of time and JSON."""

import ast
import json
import math
from pathlib import Path

import pytest

import curvewise._cli
from curvewise._cli.start import show_error
from curvewise._cli.terminal import console_of, percent, print_json, print_line, say, span, table_of

FILES = sorted(Path(curvewise._cli.__file__).parent.rglob("*.py"))
EVIL = "\x1b[2J\x1b]0;owned\x07\u202egnp"


def test_a_share_is_written_in_hundredths_as_briefly_as_it_can_be_read():
    assert [percent(share) for share in (0.5, 0.123, None)] == ["50", "12.3", ""]


def test_a_span_of_time_is_written_as_people_say_it():
    assert [span(seconds) for seconds in (42, 61, 7300)] == ["42 s", "1 min 01 s", "2 h 01 min"]


def test_what_json_has_no_word_for_is_null_or_text(capsys):
    print_json({"score": math.nan, "curve": [math.inf, 0.5], "candidate": 1 + 2j})

    facts = json.loads(capsys.readouterr().out, parse_constant=lambda word: f"not JSON: {word}")
    assert facts == {"score": None, "curve": [None, 0.5], "candidate": "(1+2j)"}


def test_what_a_terminal_would_obey_is_shown_wherever_it_is_written(capsys):
    say(EVIL)
    say(EVIL, err=True)
    print_line(console_of(), EVIL)
    console_of(width=80).print(table_of(["name"], [[EVIL]]))
    written = "".join(capsys.readouterr())

    assert not {"\x1b", "\x07", "\u202e"} & set(written)
    assert written.count(r"\x1b[2J\x1b]0;owned") == 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nobody_writes_past_the_terminal(path):
    if path.name in ("terminal.py", "app.py"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in {"Console", "typer.echo", "print"}


def test_what_nobody_catches_steers_no_terminal(capsys):
    error = RuntimeError("a\x1b[2Jb")
    show_error(RuntimeError, error, None)

    assert capsys.readouterr().err == "RuntimeError: a\\x1b[2Jb\n"
