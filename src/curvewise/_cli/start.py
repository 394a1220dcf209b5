"""Where the command line starts: an interrupt is quiet even while modules are being loaded."""

from __future__ import annotations

import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; a request to terminate is taken as an interrupt."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from curvewise._cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
