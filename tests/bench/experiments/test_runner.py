import os
import signal
import sqlite3
import subprocess
import sys
import time

import psutil
import pytest

from curvewise._bench.experiments import ledger as ledger_module
from curvewise._bench.experiments import runner as running
from curvewise._bench.experiments.cells import State
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.plan_file import read_plan
from curvewise._bench.experiments.runner import Runner

COMMAND = [sys.executable, "-m", "curvewise", "bench", "run"]
# By this variable all that a run starts is known, whatever session and parent it has.
MARK = "CURVEWISE_TEST_RUN"
# Without a limit fits are made in the cell's own process, which makes a cell quick.
PLAN = """
name = "mine"
datasets = ["sklearn:iris"]

[settings]
seeds = 2
candidates = 3
timeout = 0
quality_repeats = 2

[[method]]
name = "5cv"
policy = "kfold"

[[method]]
name = "race"
policy = "race"
against = "5cv"
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "mine.toml").write_text(PLAN)
    return tmp_path


def start(place, *options):
    with (place / "said.txt").open("a") as said:
        return subprocess.Popen(
            [*COMMAND, "mine.toml", "--store", "results.db", "--quiet", *options],
            cwd=place,
            stdout=said,
            stderr=said,
            env={**os.environ, MARK: str(place)},
            start_new_session=True,
        )


def finish(place, run):
    """Wait for a run's end; give its exit code and what it said."""
    return run.wait(timeout=90), (place / "said.txt").read_text()


def until(place, reached, *, seconds=60):
    """Wait for a state of the ledger; what is waited for is another process."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if (place / "results.db").exists():
            with Ledger(place / "results.db") as ledger:
                if "mine" in ledger.names() and reached(ledger.cells("mine")):
                    return
        time.sleep(0.1)
    raise AssertionError("It took too long.")


def cells(place):
    with Ledger(place / "results.db") as ledger:
        return ledger.cells("mine")


def some_done(found):
    return any(cell.state is State.DONE for cell in found)


def started(place):
    """List the processes that runs at a place started and that have not ended, with sessions."""
    found = {}
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == str(place):
                found[process] = os.getsid(process.pid)
        except (OSError, psutil.Error):
            continue
    return found


def none_left(place):
    """Whether all that was started ends within a moment."""
    return not psutil.wait_procs(list(started(place)), timeout=10)[1]


@pytest.mark.slow
def test_a_killed_run_goes_on_and_repeats_nothing(place):
    first = start(place)
    until(place, some_done)
    first.kill()
    first.wait()
    ended = none_left(place)
    done = {cell.id: cell for cell in cells(place) if cell.state is State.DONE}

    code, said = finish(place, start(place))

    assert ended
    assert code == 0, said
    after = {cell.id: cell for cell in cells(place)}
    assert all(cell.state is State.DONE for cell in after.values())
    assert all(after[number] == cell for number, cell in done.items())
    assert none_left(place)


def query(place, sql):
    connection = sqlite3.connect(place / "results.db")
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


@pytest.mark.slow
def test_a_run_that_is_killed_amid_fits_in_workers_goes_on_and_leaves_no_process(place):
    # With a limit each fit is made in a worker, which has a session of its own.
    (place / "mine.toml").write_text(PLAN.replace("timeout = 0", "timeout = 20"))
    options = ("--seeds", "1", "--candidates", "4")
    first = start(place, *options)
    until(place, lambda _: query(place, "SELECT 1 FROM fits"))
    sessions = set(started(place).values())
    first.kill()
    first.wait()
    ended = none_left(place)
    kept = query(place, "SELECT * FROM fits")
    unfinished = [cell for cell in cells(place) if cell.state is not State.DONE]

    code, said = finish(place, start(place, *options))

    assert len(sessions) > 1
    assert ended
    assert unfinished
    assert code == 0, said
    assert all(cell.state is State.DONE for cell in cells(place))
    assert set(kept) <= set(query(place, "SELECT * FROM fits"))
    assert none_left(place)


@pytest.mark.slow
def test_two_runs_share_the_work_and_make_no_fit_twice(place):
    runs = [start(place) for _ in range(2)]
    ends = [finish(place, run) for run in runs]

    assert [code for code, _ in ends] == [0, 0], ends
    found = cells(place)
    assert all(cell.state is State.DONE for cell in found)
    ((n_fits,),) = query(place, "SELECT count(*) FROM fits")
    made = sum(cell.result["fits_made"] for cell in found)
    choices = {(cell.dataset, cell.seed, cell.result["choice"]) for cell in found}
    assert made + 2 * len(choices) == n_fits


@pytest.mark.slow
def test_an_interrupt_gives_cells_back_and_leaves_no_process(place):
    run = start(place)
    until(place, some_done)
    run.send_signal(signal.SIGINT)
    code, said = finish(place, run)

    assert code == 130, said
    assert not query(place, "SELECT 1 FROM cells WHERE state = 'running'")
    assert none_left(place)


def run_here(place, *, meddle=lambda runner: None, n_jobs=1, **choices):
    """Run in this process; give the cells."""
    plan = read_plan(place / "mine.toml", **choices)
    with Ledger(place / "results.db") as ledger:
        ledger.register(plan)
        runner = Runner(ledger, plan, n_jobs=n_jobs, on_change=lambda: meddle(runner))
        runner.run()
        return ledger.cells("mine")


def test_a_cell_whose_process_is_killed_is_done_again(place):
    killed = []

    def kill_the_first(runner):
        if runner._workers and not killed:
            killed.append(runner._workers[0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    found = run_here(place, meddle=kill_the_first, overrides={"seeds": 1})

    assert killed
    assert [cell.state for cell in found] == [State.DONE, State.DONE]


def test_a_run_that_slept_longer_than_its_leases_begins_no_cell_twice(place, monkeypatch):
    monkeypatch.setattr(ledger_module, "LEASE_SECONDS", -1.0)
    twice = []

    def look(runner):
        numbers = [worker.cell.id for worker in runner._workers]
        twice.extend(number for number in numbers if numbers.count(number) > 1)

    found = run_here(place, meddle=look, n_jobs=2)

    assert not twice
    assert all(cell.state is State.DONE for cell in found)


def test_the_process_of_a_cell_that_another_run_took_over_is_ended(place, monkeypatch):
    monkeypatch.setattr(running, "BEAT_SECONDS", 0.0)
    thief = Ledger(place / "results.db", owner="elsewhere 1 0.0 cafe")
    stolen = []

    def steal_the_first(runner):
        if runner._workers and not stolen:
            stolen.append(runner._workers[0])
            with sqlite3.connect(place / "results.db") as connection:
                connection.execute(
                    "UPDATE cells SET owner = ? WHERE id = ?", (thief.owner, stolen[0].cell.id)
                )
            connection.close()
        elif stolen and not runner._workers:
            thief.finish(stolen[0].cell, {"error": 0.5})

    with thief:
        found = run_here(place, meddle=steal_the_first, overrides={"seeds": 1})

    assert stolen[0].process.exitcode == -signal.SIGKILL
    assert found[0].result == {"error": 0.5}
    assert found[1].state is State.DONE


def test_a_cell_that_is_killed_again_and_again_has_failed(place):
    def kill(runner):
        for worker in runner._workers:
            if worker.cell.method == "5cv" and worker.process.is_alive():
                os.kill(worker.process.pid, signal.SIGKILL)

    found = run_here(place, meddle=kill, overrides={"seeds": 1})

    assert [cell.state for cell in found] == [State.FAILED, State.DONE]
    assert found[0].headline.startswith("The cell's process was ended by SIGKILL")


def test_a_cell_that_fails_is_reported_with_its_traceback_and_ends_nothing_else(place):
    (place / "broken.parquet").write_text("no table")
    found = run_here(place, datasets=["sklearn:iris", "broken.parquet"], overrides={"seeds": 1})

    failed = [cell for cell in found if cell.state is State.FAILED]
    assert {cell.dataset for cell in failed} == {"broken"}
    assert "Traceback" in failed[0].failure
    assert "TableError" in failed[0].headline
    assert sum(cell.state is State.DONE for cell in found) == 2


def test_a_cell_that_exceeds_its_time_has_failed(place):
    found = run_here(place, overrides={"seeds": 1, "cell_timeout": 0.001})

    assert {cell.headline for cell in found} == {"The cell took longer than its 0.001 s."}


def test_cells_that_were_not_asked_for_are_left_alone(place):
    run_here(place, overrides={"seeds": 2, "cell_timeout": 0.001})
    with Ledger(place / "results.db") as ledger:
        ledger.retry_failed("mine")

    found = run_here(place, overrides={"seeds": 1})

    assert [cell.state.value for cell in found] == ["done", "done", "pending", "pending"]
