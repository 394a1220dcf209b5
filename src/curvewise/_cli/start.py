"""Where the command line starts: an interrupt is quiet even while modules are being loaded."""

from __future__ import annotations

import signal
import sys
from types import TracebackType

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
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
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


def prepare_workers() -> None:
    """Start what forks workers before everything else is loaded, where there is such a thing."""
    if sys.platform == "linux":
        from curvewise.executors._workers.fork_server_client import prepare_server

        prepare_server(MODULES)
