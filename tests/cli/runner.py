"""How tests run the command line."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from curvewise._cli.app import app


def curvewise(*arguments, cwd=None, **environment):
    """Run the command line as a user does, where the process itself matters: it takes seconds."""
    return subprocess.run(
        [sys.executable, "-m", "curvewise", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
    )


def invoke(*arguments):
    """Run the command line in this process, and keep whatever it raises."""
    return CliRunner().invoke(app, [str(each) for each in arguments])
