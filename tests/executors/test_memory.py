"""What a process tree holds, counted from outside."""

import subprocess
import sys

import pytest

from curvewise.executors._workers.memory import held_bytes, system_kills, tree_bytes

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
