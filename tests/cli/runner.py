"""How tests run the command line."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from curvewise._cli.app import app


def curvewise(*arguments, cwd=None, **environment):
    """Run the command line as a user does; only where the process itself matters: it takes seconds.

    With one thread: tests run side by side.
    """
    return subprocess.run(
        [sys.executable, "-m", "curvewise", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )


def invoke(*arguments):
    """Run the command line in this process, and keep whatever it raises."""
    return CliRunner().invoke(app, [str(each) for each in arguments])
