"""What a process tree holds, counted from outside."""

import subprocess
import sys

import psutil
import pytest

from curvewise.executors._workers import memory
from curvewise.executors._workers.memory import (
    held_bytes,
    machine_memory,
    system_kills,
    tree_bytes,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says")

HOLD = """
import mmap, os, sys
private = bytearray(b"x") * 30_000_000
shared = mmap.mmap(-1, 20_000_000)
shared.write(b"x" * 20_000_000)
if os.fork() == 0:
    more = bytearray(b"x") * 40_000_000
print("full", flush=True)
sys.stdin.read()
"""


def test_shared_mappings_and_children_count_and_what_forks_share_counts_once():
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        lines = [process.stdout.readline() for _ in range(2)]
        alone = held_bytes(process.pid)
        roughly = tree_bytes(process.pid, most=10**12)
        exactly = tree_bytes(process.pid, most=0)
        process.stdin.close()

    assert lines == [b"full\n"] * 2
    assert alone > 50_000_000
    assert exactly > 90_000_000
    assert roughly > exactly + 20_000_000


def test_a_process_that_has_gone_holds_nothing():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()

    assert held_bytes(process.pid) == tree_bytes(process.pid, most=0) == 0


def test_the_system_says_how_often_memory_ran_out():
    assert system_kills() == system_kills()


@pytest.mark.parametrize(
    ("files", "cache"),
    [
        (("memory.max", "memory.current"), "inactive_file"),
        (("memory.limit_in_bytes", "memory.usage_in_bytes"), "total_inactive_file"),
    ],
)
def test_the_memory_of_a_container_is_what_it_may_hold(tmp_path, monkeypatch, files, cache):
    limit, used = files
    (tmp_path / limit).write_text("1000000\n")
    (tmp_path / used).write_text("800000\n")
    (tmp_path / "memory.stat").write_text(f"anon 5\n{cache} 300000\n")
    monkeypatch.setattr(memory, "_groups", lambda files: [files])

    assert machine_memory(tmp_path) == (1_000_000, 500_000)


@pytest.mark.parametrize("limit", ["max\n", "9223372036854771712\n", "", None])
def test_without_a_limit_the_memory_is_the_machines(tmp_path, monkeypatch, limit):
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
    monkeypatch.setattr(memory, "_groups", lambda files: [files])

    assert machine_memory(tmp_path)[0] == psutil.virtual_memory().total


def test_control_groups_are_looked_for_from_ones_own_to_the_root(tmp_path):
    listed = tmp_path / "cgroup"
    listed.write_text("9:name=systemd:/a\n8:pids:/b\n7:cpu,memory:/c/d\n0::/e\n")
    memories = [tmp_path / "memory" / place for place in ("c/d", "c", "")]

    assert list(memory._groups(tmp_path, listed)) == [*memories, tmp_path / "e", tmp_path]
    assert list(memory._groups(tmp_path, tmp_path / "nothing")) == []
