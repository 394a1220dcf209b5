"""A fork server that is started before there is anything to evaluate."""

import os
import subprocess
import sys
import tempfile
import time

import psutil
import pytest

from curvewise import Observation, Task
from curvewise.executors import ProcessExecutor
from curvewise.executors._workers import fork_server_client as client

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")


@pytest.fixture
def prepared():
    client.prepare_server(["json", "there_is_no_such_module"])
    (server,) = client._prepared
    yield server
    client._end_prepared()


def parents(task, candidate):
    """Say whose child the worker is."""
    return Observation(task, loss=float(os.getppid()))


def pid_of(server):
    return server.pid


def run(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answer_of(executor):
    executor.submit(Task("a", 64, 0), None, seconds=30.0)
    (outcome,) = executor.wait()
    return outcome.loss


def test_the_next_executor_takes_it(prepared):
    with ProcessExecutor(parents) as executor:
        assert answer_of(executor) == pid_of(prepared)
    assert not client._prepared
    assert not psutil.pid_exists(pid_of(prepared))


def test_only_one_executor_takes_it(prepared):
    with ProcessExecutor(parents) as first, ProcessExecutor(parents) as second:
        assert answer_of(first) == pid_of(prepared)
        assert answer_of(second) != pid_of(prepared)


def test_limits_of_memory_hold_in_it(prepared):
    def hungry(task, candidate):
        return Observation(task, loss=float(len(bytearray(10**9))))

    with ProcessExecutor(hungry, memory_limit=10**8) as executor:
        executor.submit(Task("a", 64, 0), None)
        (outcome,) = executor.wait()

    assert outcome.reason.value == "memory"


def test_one_that_was_killed_is_replaced(prepared):
    psutil.Process(pid_of(prepared)).kill()
    with ProcessExecutor(parents) as executor:
        assert answer_of(executor) != pid_of(prepared)


def test_one_that_nobody_needs_ends_with_the_program():
    program = (
        "from curvewise.executors._workers import fork_server_client as client\n"
        "client.prepare_server(['json'])\n"
        "print(client._prepared[0].pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert not psutil.pid_exists(int(done.stdout))


def test_one_that_waits_has_made_no_folder_that_could_be_left(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    server = client.PreparedServer(["json"])
    during = list(tmp_path.iterdir())
    server.close()

    assert during == []


def test_one_whose_owner_is_killed_ends_and_leaves_no_file(tmp_path):
    program = (
        "import os, signal\n"
        "from curvewise.executors._workers import fork_server_client as client\n"
        "client.prepare_server(['json'])\n"
        "print(client._prepared[0].pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    pid, deadline = int(done.stdout), time.monotonic() + 30
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not psutil.pid_exists(pid)
    assert list(tmp_path.iterdir()) == []
