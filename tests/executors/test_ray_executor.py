"""What only Ray can do: lose an actor, lack a CPU. What it shares with all is in the contract."""

import subprocess
import sys
import time

import psutil
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV
from curvewise.core._outcome import Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError, MissingExtraError
from curvewise.executors import Execution, RayExecutor, _ray_executor
from curvewise.executors._execution import place_of
from tests.executors import troublemakers as trouble
from tests.executors.contract import PATIENCE_SECONDS, command_of, eventually, is_running

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'curvewise[ray]'")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SCRIPT = """
import sys, time
from curvewise.core._outcome import Task
from curvewise.executors import RayExecutor
from tests.executors import troublemakers as trouble

executor = RayExecutor(trouble.evaluate, address=sys.argv[1], n_workers=1)
executor.submit(Task("a", 64, 0), trouble.succeed)
(outcome,) = executor.wait()
executor.submit(Task("b", 64, 0), trouble.loop_in_c)
executor.wait(0.01)
print(outcome.loss, flush=True)
time.sleep(1000)
"""


@pytest.fixture(scope="module", autouse=True)
def cluster():
    with pytest.MonkeyPatch.context() as patch:
        # As in the contract: an ordinary priority.
        patch.setenv("RAY_worker_niceness", "0")
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            object_store_memory=100_000_000,
        )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


def run(executor, candidate, fold=0):
    executor.submit(Task("candidate", 64, fold), candidate)
    (outcome,) = executor.wait(PATIENCE_SECONDS)
    return outcome


def n_fork_servers():
    children = psutil.Process().children(recursive=True)
    return sum("_workers.fork_server" in command_of(child) for child in children)


def kill_actor(executor, folder):
    """Let the executor look after its actors until the only task loiters; kill its actor."""
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    while not (folder / "pid").exists():
        assert executor.wait(0.01) == []
        assert time.monotonic() < deadline
    pid = int((folder / "pid").read_text())
    (folder / "pid").unlink()
    ray.kill(executor._actors[0])
    return pid


def test_a_task_whose_actor_is_killed_is_sent_again(tmp_path):
    with RayExecutor(trouble.evaluate, n_workers=1) as executor:
        task = Task("healthy", 64, 0)
        executor.submit(task, trouble.Count(tmp_path / "runs", trouble.Loiter(tmp_path)))
        kill_actor(executor, tmp_path)
        (tmp_path / "go").touch()
        (outcome,) = executor.wait(3 * PATIENCE_SECONDS)

    assert outcome == trouble.succeed(task)
    assert (tmp_path / "runs").read_text() == "0\n0\n"


def test_a_task_that_loses_two_actors_is_lost_and_nobody_knows_why(tmp_path):
    with RayExecutor(trouble.evaluate, n_workers=1) as executor:
        task = Task("lost", 64, 0)
        executor.submit(task, trouble.Count(tmp_path / "runs", trouble.Loiter(tmp_path)))
        pids = [kill_actor(executor, tmp_path) for _ in range(2)]
        (outcome,) = executor.wait(3 * PATIENCE_SECONDS)
        after = run(executor, trouble.succeed)

    assert outcome.task == task
    assert outcome.reason is Reason.LOST
    assert outcome.message.startswith("The cluster lost a worker: ")
    assert "Nobody knows whether that was the candidate's doing" in outcome.message
    assert "\n" not in outcome.message
    assert after.loss == 0.25
    assert (tmp_path / "runs").read_text() == "0\n0\n"
    for pid in pids:
        eventually(lambda pid=pid: not is_running(pid))


def test_an_actor_that_is_killed_after_a_cancellation_is_replaced(tmp_path):
    with RayExecutor(trouble.evaluate, n_workers=1) as executor:
        executor.submit(Task("cancelled", 64, 0), trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        executor.cancel(Task("cancelled", 64, 0))
        ray.kill(executor._actors[0])

        assert run(executor, trouble.succeed).loss == 0.25


def test_a_cluster_of_somebody_else_is_left_as_it_was():
    RayExecutor(trouble.evaluate, n_workers=1).close()

    assert ray.is_initialized()
    eventually(lambda: n_fork_servers() == 0)


def test_a_cpu_that_becomes_free_is_put_to_use():
    @ray.remote(num_cpus=1)
    class Other:
        pass

    other = Other.remote()
    eventually(lambda: ray.available_resources().get("CPU") == 1)
    with RayExecutor(trouble.evaluate) as executor:
        n_before = executor.n_slots
        first = run(executor, trouble.succeed)
        ray.kill(other)
        eventually(lambda: executor._take_answers() == [] and executor.n_slots == 2)

    assert n_before == 1
    assert first.loss == 0.25


def test_a_cluster_without_a_free_cpu_is_an_error(monkeypatch):
    with RayExecutor(trouble.evaluate) as executor:
        eventually(lambda: executor._take_answers() == [] and executor.n_slots == 2)
        monkeypatch.setattr(_ray_executor, "START_SECONDS", 0.5)

        with pytest.raises(CurvewiseError, match=r"none of its 2 CPUs was free for 0\.5 s"):
            RayExecutor(trouble.evaluate)


def test_nothing_is_left_in_the_cluster_of_a_program_that_was_killed(cluster):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, cluster], stdout=subprocess.PIPE, text=True
    )
    loss = process.stdout.readline()
    n_before = n_fork_servers()
    process.kill()
    process.wait()
    process.stdout.close()

    assert float(loss) == 0.25
    assert n_before > 0
    eventually(lambda: n_fork_servers() == 0)


def test_an_evaluation_that_cannot_be_loaded_is_an_error():
    with (
        pytest.raises(CurvewiseError, match="I stay where I am"),
        RayExecutor(trouble.Stubborn(), n_workers=1) as executor,
    ):
        run(executor, None)


def test_a_context_of_joblib_takes_the_search_to_ray():
    from ray.util.joblib import register_ray

    register_ray()
    X, y = load_iris(return_X_y=True)
    candidates = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    alone = CurveSearchCV(candidates, cv=3, deterministic=True).fit(X, y)
    with parallel_config(backend="ray"):
        place = place_of(Execution())
        n_workers = Execution().n_workers
        search = CurveSearchCV(candidates, cv=3, deterministic=True).fit(X, y)

    assert place == ("ray", -1)
    assert n_workers == 2
    assert search.best_params_ == alone.best_params_
    assert search.best_score_ == alone.best_score_


def test_no_workers_are_refused():
    with pytest.raises(InvalidParameterError, match="n_workers must be at least 1, got 0"):
        RayExecutor(trouble.evaluate, n_workers=0)


def test_a_missing_package_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(MissingExtraError, match=r"pip install 'curvewise\[ray\]'"):
        RayExecutor(trouble.evaluate)
