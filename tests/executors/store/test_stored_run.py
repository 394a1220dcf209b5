"""A store is read while another process writes to it."""

import subprocess
import sys
from pathlib import Path

from curvewise.executors import RunStatus, RunStore
from tests.executors.store.searching import begin, search_on

ROOT = Path(__file__).parents[3]
WRITER = """
import sys
from curvewise.executors import RunStore
from tests.executors.store.searching import begin, search_on

def recorded(task):
    print("recorded", flush=True)
    sys.stdin.readline()

with RunStore.open(sys.argv[1]) as store:
    search_on(begin(store, "kfold"), "kfold", recorded=recorded)
"""


def test_what_another_process_has_recorded_is_seen_at_once(tmp_path):
    path = tmp_path / "run.db"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as writer:
        writer.stdout.readline()
        with RunStore.read(path) as store:
            run = store.run(1)
            for n in range(1, 40):
                summary = run.summary()
                assert summary.status is RunStatus.RUNNING
                assert summary.n_observations + summary.n_failures == n
                assert len(run.outcomes()) == n
                assert len(run.decisions()) >= len(run.results())
                writer.stdin.write("go on\n")
                writer.stdout.readline()
            writer.stdin.close()
            writer.wait()
            assert run.summary().status is RunStatus.FINISHED


def test_a_long_look_does_not_hold_up_the_writer(tmp_path):
    path = tmp_path / "run.db"
    with RunStore.create(path) as store, RunStore.read(path) as reader:
        run = begin(store, "kfold")
        reader._connection.execute("BEGIN")
        before = repr(reader.run(1).summary())
        search_on(run, "kfold")

        assert repr(reader.run(1).summary()) == before
        reader._connection.execute("ROLLBACK")
        assert reader.run(1).summary().status is RunStatus.FINISHED
