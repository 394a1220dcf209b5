import sys

import pytest

from curvewise._cli.start import main


class Loading:
    """Stands for a module of which the user gets tired while it is loaded."""

    @property
    def main(self):
        raise KeyboardInterrupt


def test_an_interrupt_while_modules_are_loaded_shows_no_traceback(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "curvewise._cli.app", Loading())

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
