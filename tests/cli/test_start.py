import sys

import pytest

from curvewise._cli.start import main


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
