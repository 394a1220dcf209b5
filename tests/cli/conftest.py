import sys

import pytest

from curvewise._cli.app import main


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line in this process: its exit code, and the sentence on standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["curvewise", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        text = capsys.readouterr().err
        assert "Traceback" not in text
        assert len([line for line in text.splitlines() if line.startswith("Error")]) <= 1
        return ended.value.code, text.strip().splitlines()[-1] if text else ""

    return run
