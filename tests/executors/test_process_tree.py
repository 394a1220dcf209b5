"""Ending processes: when it returns, nothing runs any more."""

import subprocess
import sys

import psutil
import pytest

from curvewise.executors._workers.process_tree import describe_exit, end_process
from tests.executors.contract import is_running

# The system takes its time to end a process with much memory.
CHILD = (
    "import time; hoard = bytearray(b'x' * 200_000_000); print('full', flush=True); time.sleep(60)"
)
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}])"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX sessions")
def test_that_nothing_runs_once_a_process_has_been_ended():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, start_new_session=True
    )
    with parent:
        assert parent.stdout.readline() == b"full\n"
        below = [child.pid for child in psutil.Process(parent.pid).children(recursive=True)]

        end_process(parent.pid)

        assert below
        assert not any(map(is_running, [parent.pid, *below]))


def test_the_end_of_a_process_is_a_sentence():
    ends = [describe_exit(code, "The worker process") for code in (3, -9, -40)]

    assert ends == [
        "The worker process exited with status 3.",
        "The worker process was ended by SIGKILL.",
        "The worker process was ended by signal 40.",
    ]
