import json
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from curvewise._bench.experiments.cells import State
from curvewise._bench.experiments.ledger import LEASE_SECONDS, MOST_LOSSES, Ledger
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.errors import InvalidParameterError, StoreError
from tests.bench.experiments.samples import plan_of

OWNERS = st.sampled_from(["elsewhere 1 0.0 a", "elsewhere 2 0.0 b", "elsewhere 3 0.0 c"])


class SharedLedger(RuleBasedStateMachine):
    """Several owners share a file on one clock; some stop beating."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.now = 0.0
        path = Path(self.folder.name) / "results.db"
        self.ledgers = {
            owner: Ledger(path, owner=owner, clock=lambda: self.now)
            for owner in ("elsewhere 1 0.0 a", "elsewhere 2 0.0 b", "elsewhere 3 0.0 c")
        }
        self.plan = plan_of(2, seeds=1)
        next(iter(self.ledgers.values())).register(self.plan)
        self.held = {}
        self.claimed = {owner: {} for owner in self.ledgers}
        self.ended = Counter()

    def teardown(self):
        for ledger in self.ledgers.values():
            ledger.close()
        self.folder.cleanup()

    def live(self, owner):
        """What an owner may not claim: what others hold in time, and what it holds itself."""
        return {
            key: value
            for key, value in self.held.items()
            if value[1] > self.now or value[2] == owner
        }

    @rule(owner=OWNERS)
    def claim(self, owner):
        cell = self.ledgers[owner].claim("toy")
        if cell is not None:
            live = self.live(owner)
            assert cell.id not in live
            busy = {(held.dataset, held.seed) for held, *_ in live.values()}
            assert (cell.dataset, cell.seed) not in busy
            assert not self.ended[cell.id]
            self.held[cell.id] = (cell, self.now + LEASE_SECONDS, owner)
            self.claimed[owner][cell.id] = cell

    @rule(owner=OWNERS)
    def beat(self, owner):
        claimed = self.claimed[owner]
        lost = self.ledgers[owner].beat(claimed.values())
        held = {key for key, (_, _, holder) in self.held.items() if holder == owner}
        assert {cell.id for cell in lost} == claimed.keys() - held
        self.claimed[owner] = {key: claimed[key] for key in claimed.keys() & held}
        for key, (cell, _, holder) in self.held.items():
            if holder == owner:
                self.held[key] = (cell, self.now + LEASE_SECONDS, owner)

    @rule(seconds=st.sampled_from([1.0, LEASE_SECONDS / 2, LEASE_SECONDS + 1]))
    def time_passes(self, seconds):
        self.now += seconds

    @precondition(lambda self: self.held)
    @rule(owner=OWNERS, works=st.booleans(), data=st.data())
    def end(self, owner, works, data):
        key = data.draw(st.sampled_from(sorted(self.held)))
        cell, _, holder = self.held[key]
        ledger = self.ledgers[owner]
        wrote = ledger.finish(cell, {"error": 0.1}) if works else ledger.fail(cell, "It broke.")

        assert wrote == (owner == holder)
        if wrote:
            self.ended[key] += 1
            del self.held[key]
            del self.claimed[owner][key]

    @rule(owner=OWNERS)
    def release(self, owner):
        self.ledgers[owner].release()
        self.held = {key: value for key, value in self.held.items() if value[2] != owner}
        self.claimed[owner] = {}

    @invariant()
    def no_cell_ends_twice(self):
        assert all(n == 1 for n in self.ended.values())

    @invariant()
    def what_ended_stays_ended(self):
        cells = next(iter(self.ledgers.values())).cells("toy")
        ended = {cell.id for cell in cells if cell.state in (State.DONE, State.FAILED)}
        assert ended == set(self.ended)


SharedLedger.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestSharedLedger = SharedLedger.TestCase

CLAIMING = """
import sys
from curvewise._bench.experiments.ledger import Ledger
with Ledger(sys.argv[1]) as ledger:
    cell = ledger.claim("toy")
    print("ready", flush=True)
    sys.stdin.readline()
    while cell is not None or ledger.counts("toy")["pending"]:
        if cell is not None:
            print(cell.id, flush=True)
            assert ledger.finish(cell, {"error": 0.1})
        cell = ledger.claim("toy")
"""


def test_two_processes_never_do_a_cell_twice(tmp_path):
    path = tmp_path / "results.db"
    with Ledger(path) as ledger:
        ledger.register(plan_of(10, seeds=4))

    command = [sys.executable, "-c", CLAIMING, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    claimed = [process.communicate()[0].split() for process in processes]

    assert [process.returncode for process in processes] == [0, 0]
    assert len(claimed[0] + claimed[1]) == len(set(claimed[0] + claimed[1])) == 120
    assert all(claimed)


def test_a_cell_of_an_ended_process_is_taken_over_at_once(tmp_path):
    path = tmp_path / "results.db"
    dying = (
        "import os, sys; from curvewise._bench.experiments.ledger import Ledger; "
        "print(Ledger(sys.argv[1]).claim('toy').id, flush=True); os.kill(os.getpid(), 9)"
    )
    with Ledger(path) as ledger:
        ledger.register(plan_of(1, seeds=1))
        answer = subprocess.run(
            [sys.executable, "-c", dying, str(path)], capture_output=True, text=True, check=False
        )

        assert answer.returncode == -9
        assert ledger.counts("toy")["running"] == 0
        assert str(ledger.claim("toy").id) == answer.stdout.strip()


def shared(path, now):
    """Open a file twice, for two owners on one clock."""
    return [
        Ledger(path, owner=f"elsewhere {number} 0.0 {number}", clock=lambda: now[0])
        for number in (1, 2)
    ]


def test_an_owner_never_claims_what_it_holds_itself(tmp_path):
    now = [0.0]
    mine, other = shared(tmp_path / "results.db", now)
    with mine, other:
        mine.register(plan_of(1, seeds=2))
        first = mine.claim("toy")
        now[0] += LEASE_SECONDS + 1
        second = mine.claim("toy")

        assert (first.seed, second.seed) == (0, 1)
        assert mine.claim("toy") is None
        assert other.claim("toy").id == first.id


def test_a_beat_tells_which_cells_others_took_over(tmp_path):
    now = [0.0]
    mine, other = shared(tmp_path / "results.db", now)
    with mine, other:
        mine.register(plan_of(1, seeds=4))
        taken, taken_and_done, done, kept = (mine.claim("toy") for _ in range(4))
        now[0] += LEASE_SECONDS + 1
        assert [other.claim("toy").id for _ in range(2)] == [taken.id, taken_and_done.id]
        other.finish(taken_and_done, {"error": 0.1})
        mine.finish(done, {"error": 0.1})

        lost = mine.beat([taken, taken_and_done, done, kept])

        assert [cell.id for cell in lost] == [taken.id, taken_and_done.id]
        assert mine.beat([kept]) == other.beat([taken]) == []


def test_a_cell_counts_as_running_while_its_lease_lasts_only(tmp_path):
    now = [0.0]
    mine, other = shared(tmp_path / "results.db", now)
    with mine, other:
        mine.register(plan_of(1, seeds=1))
        mine.claim("toy")
        now[0] += 20.0
        (running,) = [cell for cell in other.cells("toy") if cell.state is State.RUNNING]
        now[0] += LEASE_SECONDS

        assert (running.spent, running.seconds) == (20.0, None)
        assert other.counts("toy") == {"pending": 3, "running": 0, "done": 0, "failed": 0}
        assert all(cell.spent is None for cell in other.cells("toy"))
        assert mine.counts("toy")["running"] == 1


def test_a_cell_whose_process_is_lost_again_and_again_has_failed(tmp_path):
    with Ledger(tmp_path / "results.db") as ledger:
        ledger.register(plan_of(1, seeds=1))
        for _ in range(MOST_LOSSES):
            cell = ledger.claim("toy")
            ledger.lose(cell, "It was ended by SIGKILL.")

        (failed,) = [one for one in ledger.cells("toy") if one.state is State.FAILED]
        assert failed.id == cell.id
        assert failed.headline == "It was ended by SIGKILL. This happened 3 times."
        assert ledger.retry_failed("toy") == 1
        assert ledger.claim("toy").id == cell.id


def tables(folder, *contents):
    """Write files of the same name into folders of their own; give a plan for each."""
    plans = []
    for i, content in enumerate(contents):
        (folder / str(i)).mkdir()
        file = folder / str(i) / "churn.parquet"
        file.write_text(content)
        plans.append(replace(plan_of(1), datasets={"churn": str(file), "iris": "sklearn:iris"}))
    return plans


def test_a_file_of_an_earlier_curvewise_is_opened_and_gets_what_it_lacks(tmp_path):
    path = tmp_path / "results.db"
    first, other = tables(tmp_path, "old", "new")
    with Ledger(path) as ledger:
        ledger.register(first, machine=machine())
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE experiments DROP COLUMN sources")
    connection.close()

    with Ledger(path) as ledger:
        # What the done cells were made with is not known: it is taken on trust, once.
        ledger.register(other, machine=machine())

        assert ledger.counts("toy")["done"] == 1
        with pytest.raises(InvalidParameterError, match="other data"):
            ledger.register(first)


def machine(cores=2, **versions):
    """Describe a machine."""
    known = {"python": "3.11", "curvewise": "0.1.0", "scikit-learn": "1.7.0"}
    return {"cores": cores, "versions": known | versions}


def test_a_run_may_keep_to_some_of_the_cells(tmp_path):
    with Ledger(tmp_path / "results.db") as ledger:
        plan = plan_of(2, seeds=1)
        ledger.register(plan)
        last = list(plan.datasets)[-1]

        cell = ledger.claim("toy", within={("race", last, 0)})

        assert (cell.method, cell.dataset) == ("race", last)
        assert ledger.claim("toy", within={("lccv", last, 0)}) is None


def test_a_file_that_is_no_ledger_is_refused_in_a_sentence(tmp_path):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("no database, but long enough")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE photos (name)")
    connection.close()

    for path, sentence in (
        (text, "it is not an SQLite file"),
        (other, "an SQLite file of something else"),
        (tmp_path, "is a folder"),
        (tmp_path / "none" / "r.db", "There is no folder"),
    ):
        with pytest.raises(StoreError, match=sentence):
            Ledger(path)
    with pytest.raises(StoreError, match="There is no file"):
        Ledger(tmp_path / "none.db", must_exist=True)


def test_another_schema_version_is_refused(tmp_path):
    path = tmp_path / "results.db"
    Ledger(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    connection.close()

    with pytest.raises(StoreError, match="has schema version 99"):
        Ledger(path)


def test_the_first_record_of_a_fit_counts_unless_it_met_a_smaller_limit(tmp_path):
    task = Task(0, 64, 1)
    with Ledger(tmp_path / "results.db") as ledger:
        fits, others = ledger.fits("here"), ledger.fits("there")
        fits.record(Failure(task, Reason.TIMEOUT, "late", 2.0))
        fits.record(Failure(task, Reason.TIMEOUT, "late", 1.0))

        assert fits.known(task).seconds == 2.0
        assert others.known(task) is None
        assert fits.record(Observation(task, 0.25, seconds=3.0, n_test=9)).loss == 0.25
        assert fits.record(Observation(task, 0.5, seconds=4.0)).loss == 0.25
        assert fits.known(task).n_test == 9


OPENING = """
import sys
from curvewise._bench.experiments.ledger import Ledger
Ledger(sys.argv[1]).close()
"""


def test_a_second_ledger_in_a_process_takes_no_locks_from_the_first(tmp_path):
    path = tmp_path / "results.db"
    with Ledger(path) as first, Ledger(path) as second:
        first.register(plan_of(1))
        subprocess.run([sys.executable, "-c", OPENING, str(path)], check=True)

        # Who closes a file last removes the log; the other process was not the last.
        assert path.with_name("results.db-wal").exists()
        assert second.names() == ["toy"]


def test_a_ledger_names_no_host_once_its_cells_have_ended(tmp_path):
    path = tmp_path / "results.db"
    with Ledger(path, owner="secret.host 1 0.0 cafe") as ledger:
        ledger.register(plan_of(1))
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
        ledger.fail(ledger.claim("toy"), "It broke.")
    connection = sqlite3.connect(path)
    text = "".join(connection.iterdump())
    connection.close()

    assert "secret.host" not in text


def test_a_ledger_holds_no_pickles(tmp_path):
    path = tmp_path / "results.db"
    with Ledger(path) as ledger:
        ledger.register(plan_of(1))
        ledger.finish(ledger.claim("toy"), {"error": 0.1})
    connection = sqlite3.connect(path)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    values = [
        value
        for table in tables
        if not table.startswith("sqlite_")
        for row in connection.execute(f"SELECT * FROM {table}")
        for value in row
    ]
    (plan,) = connection.execute("SELECT plan FROM experiments").fetchone()
    connection.close()

    assert not any(isinstance(value, bytes) for value in values)
    assert json.loads(plan)["name"] == "toy"
