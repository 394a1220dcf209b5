r"""Where the command line starts: an interrupt is quiet even while modules are being loaded.

What whoever started it has decided stays so: a signal that is ignored (``nohup``) is ignored. What
the output's encoding lacks is written as ``\u2192``: no answer is lost for a character.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from contextlib import suppress
from types import TracebackType

# What counts from the start of the command counts from here, whatever becomes of the wall clock.
BEGUN = time.monotonic()
INTERRUPTED = 130
SAID = "Interrupted."
# A request to terminate, a terminal that was closed, an alarm that a candidate has set: what was
# found is given, and nothing is left behind.
INTERRUPTS = ("SIGTERM", "SIGHUP", "SIGALRM")
# What the workers of a search over pipelines need: loaded by them while this process loads its own.
MODULES = (
    "curvewise.automl._estimators",
    "pandas",
    "lightgbm",
    "sklearn.ensemble",
    "sklearn.neural_network",
    "sklearn.svm",
)


def main() -> None:
    """Load the command line and run it; a request to terminate is taken as an interrupt."""
    sys.excepthook = show_error
    for name in INTERRUPTS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    open_outputs()
    try:
        if "select" in sys.argv[1:2] and not {"--help", "--dask"} & set(sys.argv):
            prepare_workers()
        from curvewise._cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write(f"{SAID}\n")
        sys.exit(INTERRUPTED)
    except SystemExit as ended:
        # A command that is interrupted before it has anything to say ends without a word.
        if ended.code == INTERRUPTED:
            sys.stderr.write(f"{SAID}\n")
        raise


def show_error(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print what nobody has caught; a stranger's words in it steer no terminal."""
    from traceback import format_exception

    from curvewise._text import visible

    sys.stderr.write(visible("".join(format_exception(kind, error, trace))))


def open_outputs() -> None:
    """See that all can be written: what was closed is nowhere, and no character is refused."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            setattr(sys, name, os.fdopen(nowhere, "w", encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def prepare_workers() -> None:
    """Start what forks workers before everything else is loaded, where there is such a thing.

    It is a head start only: what cannot be started now is said when it is needed.
    """
    if sys.platform == "linux":
        from curvewise.errors import CurvewiseError
        from curvewise.executors._workers.fork_server_client import prepare_server

        with suppress(OSError, CurvewiseError):
            prepare_server(MODULES)
