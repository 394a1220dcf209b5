"""A fork server that is killed or stopped: another takes its place, and nobody is blamed."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

import psutil
import pytest

from curvewise._temporary import make_folder
from curvewise.core._outcome import Reason, Task
from curvewise.errors import CurvewiseError
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._workers.fork_server_client import ForkServerLauncher
from curvewise.executors._workers.running_fork_server import RunningForkServer
from curvewise.executors._workers.supervised_worker import SupervisedWorker
from curvewise.executors._workers.worker_loop import WorkerTerms
from tests.executors import troublemakers as trouble
from tests.executors.contract import PATIENCE_SECONDS, eventually, is_fork_server, is_running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")

TASK = Task("healthy", 64, 0)
# A program whose fork server takes as long to load as somebody wants.
LOADING = """
import sys, time
from pathlib import Path
from curvewise.executors import ProcessExecutor

class Slow:
    def __init__(self, folder):
        self.folder = folder

    def __setstate__(self, state):
        (state["folder"] / "loading").touch()
        while not (state["folder"] / "go").exists():
            time.sleep(0.01)
        if (state["folder"] / "broken").exists():
            raise ValueError("cannot be loaded")

    def __call__(self, task, candidate):
        return candidate

executor = ProcessExecutor(Slow(Path(sys.argv[1])))
"""


def fork_servers():
    return [child for child in psutil.Process().children() if is_fork_server(child)]


class Killer(threading.Thread):
    """Kills fork servers as they start, so many of them."""

    def __init__(self, n_kills):
        super().__init__(daemon=True)
        self.left = n_kills
        self.ended = False
        self._spared = {server.pid for server in fork_servers()}

    def run(self):
        while self.left and not self.ended:
            for server in fork_servers():
                if self.left and server.pid not in self._spared:
                    self._spared.add(server.pid)
                    server.kill()
                    self.left -= 1
            time.sleep(0.001)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.join()


def outcomes_of(executor, n):
    """Wait for so many outcomes; loading an evaluation again takes seconds on a busy machine."""
    outcomes = []
    deadline = time.monotonic() + 120
    while len(outcomes) < n:
        assert time.monotonic() < deadline
        outcomes += executor.wait(1.0)
    return {outcome.task.candidate: outcome for outcome in outcomes}


def test_one_that_is_killed_while_it_starts_is_started_again():
    with Killer(2) as killer, ProcessExecutor(trouble.evaluate) as executor:
        executor.submit(TASK, trouble.succeed)

        assert outcomes_of(executor, 1)["healthy"].loss == 0.25
    assert killer.left == 0


def test_one_that_is_stopped_while_it_loads_goes_on():
    with ProcessExecutor(trouble.Stopped()) as executor:
        executor.submit(TASK, trouble.succeed)

        assert outcomes_of(executor, 1)["healthy"].loss == 0.25


def test_when_all_are_killed_the_error_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    with (
        Killer(1000),
        pytest.raises(CurvewiseError, match=r"5 fork servers in a row .* ended by SIGKILL"),
    ):
        ProcessExecutor(trouble.evaluate)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("orphaned", "exitcode", "most"),
    [("Its fork server was killed.", 0, 20), ("", -signal.SIGKILL, 20), ("", 1, 5)],
)
def test_workers_that_others_have_ended_are_started_more_often(orphaned, exitcode, most):
    worker = object.__new__(SupervisedWorker)
    worker._process = SimpleNamespace(orphaned=orphaned, exitcode=exitcode)
    worker._n_failed_starts = most - 2
    worker._count_failed_start()

    with pytest.raises(CurvewiseError, match=f"^{most} worker processes in a row ended"):
        worker._count_failed_start()


@pytest.mark.slow
def test_a_candidate_that_kills_fork_servers_costs_only_itself(tmp_path):
    with ProcessExecutor(trouble.evaluate, n_workers=2) as executor:
        executor.submit(TASK, trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        executor.submit(Task("hostile", 64, 0), trouble.kill_fork_server)
        hostile = outcomes_of(executor, 1)["hostile"]
        (tmp_path / "go").touch()
        healthy = outcomes_of(executor, 1)["healthy"]

        assert hostile.reason is Reason.LOST
        assert "Its fork server was ended by SIGKILL" in hostile.message
        assert "Nobody knows whether that was the candidate's doing" in hostile.message
        assert healthy == trouble.succeed(TASK)
    assert fork_servers() == []


@pytest.mark.slow
def test_a_candidate_that_kills_its_siblings_costs_only_itself(tmp_path):
    with ProcessExecutor(trouble.evaluate, n_workers=2) as executor:
        executor.submit(TASK, trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        executor.submit(Task("hostile", 64, 0), trouble.kill_siblings, seconds=5.0)
        hostile = outcomes_of(executor, 1)["hostile"]
        (tmp_path / "go").touch()
        healthy = outcomes_of(executor, 1)["healthy"]

        assert hostile.reason is Reason.TIMEOUT
        assert healthy == trouble.succeed(TASK)
    assert fork_servers() == []


def test_an_executor_whose_fork_server_is_stopped_can_be_closed(tmp_path):
    executor = ProcessExecutor(trouble.evaluate, n_workers=2)
    (server,) = fork_servers()
    executor.submit(TASK, trouble.Loiter(tmp_path))
    eventually((tmp_path / "pid").exists)
    os.kill(server.pid, signal.SIGSTOP)
    executor.close()

    assert not server.is_running()


@pytest.mark.parametrize("broken", [False, True])
def test_a_program_that_is_killed_while_its_fork_server_loads_leaves_nothing(tmp_path, broken):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    program = psutil.Popen([sys.executable, "-c", LOADING, tmp_path], env=environment)
    eventually((tmp_path / "loading").exists)
    (server,) = program.children()
    program.kill()
    program.wait()
    if broken:
        (tmp_path / "broken").touch()
    (tmp_path / "go").touch()

    eventually(lambda: not is_running(server.pid))
    assert list(temporary.iterdir()) == []


def test_one_that_is_stopped_ends_with_its_program(tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "go").touch()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    program = psutil.Popen(
        [sys.executable, "-c", f"{LOADING}print(flush=True)\ntime.sleep(1000)", tmp_path],
        env=environment,
        stdout=subprocess.PIPE,
    )
    with program.stdout:
        program.stdout.readline()
    (server,) = program.children()
    server.suspend()
    program.kill()
    program.wait()

    eventually(lambda: not is_running(server.pid))
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("action", ["folder", "environment", "alarm", "nothing"])
def test_no_temporary_file_outlives_its_executor(action, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessExecutor(trouble.evaluate) as executor:
        executor.submit(TASK, trouble.LeaveFiles(action))
        (outcome,) = outcomes_of(executor, 1).values()
        eventually(lambda: not list(tmp_path.glob("*/*/*")))

    assert outcome.task == TASK
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_left_if_its_end_is_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    launcher = ForkServerLauncher.of(trouble.evaluate, WorkerTerms())
    end = RunningForkServer.end

    def interrupted(server):
        end(server)
        make_folder(launcher._premises.folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(RunningForkServer, "end", interrupted)
    with pytest.raises(KeyboardInterrupt):
        launcher.close()

    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_another_has_stopped_goes_on(tmp_path):
    with ProcessExecutor(trouble.evaluate, n_workers=2) as executor:
        executor.submit(Task("healthy", 64, 0), trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        executor.submit(Task("hostile", 64, 1), trouble.stop_siblings)
        outcomes = executor.wait(PATIENCE_SECONDS)
        (tmp_path / "go").touch()
        outcomes += executor.wait(PATIENCE_SECONDS)

    assert [outcome.loss for outcome in outcomes] == [0.25, 0.25]
