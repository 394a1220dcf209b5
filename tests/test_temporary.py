"""Temporary files: made in one place, removed however a program ends."""

import ast
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import DEVNULL

import psutil
import pytest

import curvewise
from curvewise._temporary import temporary_folder
from curvewise.executors import ProcessExecutor
from tests.executors.contract import PATIENCE_SECONDS, eventually, is_fork_server, is_running

N_WORKERS = 2
SOURCE = Path(curvewise.__file__).parent
# Workers that never end, in a program that waits for them.
WAITING = """
from curvewise.core._outcome import Task
from curvewise.executors import ProcessExecutor

class Forever:
    def __call__(self, task, candidate):
        open(tempfile.mkstemp()[1], "w").close()
        while True:
            time.sleep(1)

import tempfile, time
with ProcessExecutor(Forever(), n_workers=2) as executor:
    for name in ("a", "b"):
        executor.submit(Task(name, 64, 0), 0)
    print(flush=True)
    while True:
        executor.wait(1)
"""


def modules_of(path):
    """All that a file of the package imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_temporary_files_are_made_in_one_place():
    places = [path for path in SOURCE.rglob("*.py") if "tempfile" in modules_of(path)]

    assert places == [SOURCE / "_temporary.py"]


def test_a_temporary_folder_is_removed_wherever_the_program_has_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    def go_elsewhere():
        with temporary_folder() as folder:
            (folder / "run.db").touch()
            monkeypatch.chdir("/")
            monkeypatch.setenv("TMPDIR", "/nowhere")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go_elsewhere()

    assert list(tmp_path.iterdir()) == []
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers


def files_of_workers(folder):
    return [path for path in folder.glob("*/*/*") if path.is_file()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")
@pytest.mark.parametrize("victim", ["nobody", "worker", "fork server"])
@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_no_temporary_file_outlives_a_program(ending, victim, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", WAITING]
    program = psutil.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=DEVNULL)
    try:
        program.stdout.readline()
        eventually(lambda: len(files_of_workers(tmp_path)) == N_WORKERS)
        before = program.children(recursive=True)
        server = next(filter(is_fork_server, program.children()))
        strike(victim, server)
        eventually(lambda: len(program.children(recursive=True)) > N_WORKERS)
        program.send_signal(getattr(signal, ending))
        program.wait(PATIENCE_SECONDS)
    finally:
        if program.is_running():
            program.kill()
        program.stdout.close()

    eventually(lambda: not any(is_running(process.pid) for process in before))
    eventually(lambda: list(tmp_path.iterdir()) == [])


def strike(victim, server):
    """Kill a worker or its fork server, and wait until it is gone."""
    if victim != "nobody":
        killed = server if victim == "fork server" else server.children()[0]
        killed.kill()
        eventually(lambda: not is_running(killed.pid))


def evaluate(task, candidate):
    return candidate


def test_workers_that_are_spawned_leave_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessExecutor(evaluate, start_method="spawn"):
        during = list(tmp_path.iterdir())
    with pytest.raises(Exception, match="pickle"):
        ProcessExecutor(Unpicklable(), start_method="spawn")

    assert len(during) == 1
    assert list(tmp_path.iterdir()) == []


class Unpicklable:
    """An evaluation that cannot be sent."""

    def __reduce__(self):
        raise TypeError("cannot pickle this")


# Limits the size of files: what is written to a temporary one then fails, as on a full disk.
NO_ROOM = """
import resource, sys
import numpy
from curvewise.core._outcome import Task
from curvewise.errors import CurvewiseError
from curvewise.executors import ProcessExecutor

def evaluate(task, candidate):
    raise AssertionError("never reached")

resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, resource.RLIM_INFINITY))
try:
    with ProcessExecutor(evaluate, n_workers=1, start_method={method!r}) as executor:
        executor.submit(Task("a", 64, 0), numpy.zeros(4_000_000))
        print(executor.wait(60))
except CurvewiseError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files need POSIX")
@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_data_for_which_there_is_no_room_end_a_search_in_a_sentence(method, tmp_path):
    said = say_without_room(method, most_bytes=10, folder=tmp_path)

    assert said.startswith(f"Temporary files cannot be written to {tmp_path} (File too large)")


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files need POSIX")
def test_a_candidate_for_which_there_is_no_room_is_not_blamed(tmp_path):
    said = say_without_room("forkserver", most_bytes=1_000_000, folder=tmp_path)

    assert said.startswith(f"Temporary files cannot be written to {tmp_path} (File too large)")


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files need POSIX")
def test_a_machine_without_any_room_ends_a_search_in_a_sentence(tmp_path):
    said = say_without_room("forkserver", most_bytes=0, folder=tmp_path)

    assert said.startswith("Temporary files cannot be written to any folder for them (No usable")


def say_without_room(method, *, most_bytes, folder):
    """Run it in a process of its own, and give its last line."""
    script = NO_ROOM.format(most_bytes=most_bytes, method=method)
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ended.stdout.strip().splitlines()[-1]
