"""What only Ray can do: lose an actor. What it shares with all executors is in the contract."""

import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV
from curvewise.core._outcome import Reason, Task
from curvewise.errors import InvalidParameterError
from curvewise.executors import Execution, RayExecutor
from curvewise.executors._execution import place_of
from tests.executors import troublemakers as trouble
from tests.executors.contract import PATIENCE_SECONDS, eventually

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'curvewise[ray]'")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


def test_an_actor_that_is_killed_loses_its_task_and_is_replaced(tmp_path):
    with RayExecutor(trouble.evaluate, n_workers=1) as executor:
        task = Task("lost", 64, 0)
        executor.submit(task, trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        ray.kill(executor._actors[0])
        (outcome,) = executor.wait(PATIENCE_SECONDS)
        executor.submit(Task("next", 64, 0), trouble.succeed)
        (after,) = executor.wait(PATIENCE_SECONDS)

    assert outcome.task == task
    assert outcome.reason is Reason.LOST
    assert after.loss == 0.25


def test_a_cluster_of_somebody_else_is_left_as_it_was():
    RayExecutor(trouble.evaluate, n_workers=1).close()

    assert ray.is_initialized()


def test_a_context_of_joblib_takes_the_search_to_ray():
    from ray.util.joblib import register_ray

    register_ray()
    X, y = load_iris(return_X_y=True)
    candidates = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    alone = CurveSearchCV(candidates, cv=3, deterministic=True).fit(X, y)
    with parallel_config(backend="ray"):
        place = place_of(Execution())
        search = CurveSearchCV(candidates, cv=3, deterministic=True).fit(X, y)

    assert place == ("ray", -1)
    assert search.best_params_ == alone.best_params_
    assert search.best_score_ == alone.best_score_


def test_no_workers_are_refused():
    with pytest.raises(InvalidParameterError, match="n_workers must be at least 1, got 0"):
        RayExecutor(trouble.evaluate, n_workers=0)
