import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import curvewise
from curvewise._cli.start import main
from curvewise._cli.terminal import say
from curvewise.errors import CurvewiseError
from curvewise.executors._workers import fork_server_client

PACKAGE = Path(curvewise.__file__).parent
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if "_bench" not in path.parts]


class Saying:
    """Stands for a command line that says something."""

    @staticmethod
    def main():
        say("5 \u2192 6")


class Interrupted:
    """Stands for a command line whose command is interrupted."""

    @staticmethod
    def main():
        sys.exit(130)


class Loading:
    """Stands for a module of which the user gets tired while it is loaded."""

    @property
    def main(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("app", [Loading(), Interrupted()])
def test_an_interrupt_is_said_and_shows_no_traceback(monkeypatch, capsys, app):
    monkeypatch.setitem(sys.modules, "curvewise._cli.app", app)

    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_bad_input_has_its_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["curvewise", "runs", "none.db"])

    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("Error: ")


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGHUP")
def test_who_is_not_to_hear_of_a_closed_terminal_does_not(monkeypatch):
    monkeypatch.setitem(sys.modules, "curvewise._cli.app", Saying())
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        main()

        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_answer_is_not_lost_for_a_character_that_its_encoding_lacks(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="latin-1"))
    monkeypatch.setitem(sys.modules, "curvewise._cli.app", Saying())
    main()

    assert written.getvalue().strip() == b"5 \\u2192 6"


@pytest.mark.skipif(os.name != "posix", reason="closes descriptors with a shell")
def test_who_closes_standard_output_gets_no_answer_and_no_traceback(tmp_path):
    command = f"exec {sys.executable} -m curvewise runs none.db >&-"
    ended = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 2
    assert ended.stderr == "Error: There is no file none.db.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["bench", "--help"]])
def test_an_answer_for_which_there_is_no_room_ends_in_a_sentence(arguments):
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "curvewise", *arguments],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert ended.returncode == 2
    assert ended.stderr == "Error: The answer cannot be written: No space left on device.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is prepared elsewhere")
def test_what_cannot_be_prepared_is_said_only_when_it_is_needed(monkeypatch, capsys):
    def fail(modules):
        raise CurvewiseError("no room for temporary files")

    monkeypatch.setattr(fork_server_client, "prepare_server", fail)
    monkeypatch.setattr(sys, "argv", ["curvewise", "select", "data.csv"])
    monkeypatch.setitem(sys.modules, "curvewise._cli.app", Saying())
    main()

    assert capsys.readouterr().out == "5 \u2192 6\n"


def test_nothing_is_measured_by_the_wall_clock():
    asking = re.compile(r"\btime\.time\(|from time import .*\btime\b")

    assert [path for path in FILES if asking.search(path.read_text())] == []
