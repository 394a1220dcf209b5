"""Contexts of joblib: obeyed where a search itself says nothing."""

import sys
from types import SimpleNamespace

import joblib
import pytest
from joblib import Parallel, delayed, parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, compare
from curvewise.executors._execution import Execution, make_executor, place_of, resolve_n_jobs
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._joblib_context import asked_by_joblib, n_cores
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors import troublemakers as trouble

X, y = load_iris(return_X_y=True)
CANDIDATES = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}


class Elsewhere(ThreadingBackend):
    """Stands for a backend that carries work out somewhere else."""

    def effective_n_jobs(self, n_jobs):
        return 10_000


def test_without_a_context_there_is_one_job():
    assert resolve_n_jobs(None) == 1
    assert isinstance(make_executor(trouble.evaluate), InProcessExecutor)


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_the_number_of_jobs_comes_from_the_context(backend):
    with parallel_config(backend=backend, n_jobs=2):
        n_jobs = resolve_n_jobs(None)
        with make_executor(trouble.evaluate) as executor:
            kind, n_slots = type(executor), executor.n_slots

    assert n_jobs == n_slots == 2
    assert kind is ProcessExecutor
    assert resolve_n_jobs(None) == 1


def test_all_cores_are_counted_by_joblib():
    with parallel_config(n_jobs=-1):
        assert resolve_n_jobs(None) == joblib.cpu_count()


def test_a_number_that_is_given_wins():
    with parallel_config(n_jobs=2):
        assert resolve_n_jobs(1) == 1
        assert isinstance(
            make_executor(trouble.evaluate, execution=Execution(n_jobs=1)), InProcessExecutor
        )


def test_inside_of_a_worker_of_joblib_there_is_one_job():
    asked = Parallel(n_jobs=2, backend="threading")(delayed(resolve_n_jobs)(None) for _ in range(2))

    assert asked == [1, 1]


def test_a_backend_that_is_not_known_is_named():
    Elsewhere.__module__ = "elsewhere"
    register_parallel_backend("elsewhere", Elsewhere)
    with (
        parallel_config(backend="elsewhere", n_jobs=-1),
        pytest.warns(UserWarning, match="does not know joblib's backend Elsewhere"),
    ):
        asked = asked_by_joblib()

    assert asked.n_jobs == n_cores()
    assert asked.cluster is None


def test_a_ray_cluster_that_is_yet_to_be_started_has_all_cores(monkeypatch):
    class RayBackend(ThreadingBackend):
        def effective_n_jobs(self, n_jobs):
            raise AssertionError("there is no cluster to ask")

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    register_parallel_backend("ray to be", RayBackend)
    with parallel_config(backend="ray to be"):
        asked = asked_by_joblib()

    assert asked == (-1, "ray", n_cores())


@pytest.mark.slow
def test_the_answer_does_not_depend_on_the_context():
    alone = CurveSearchCV(CANDIDATES, cv=3).fit(X, y)
    with parallel_config(n_jobs=2):
        together = CurveSearchCV(CANDIDATES, cv=3).fit(X, y)
        compared = compare(CANDIDATES, X, y, cv=3)
        scores = cross_val_score(CurveSearchCV(CANDIDATES, cv=3), X, y, cv=2)

    assert together.best_params_ == alone.best_params_
    assert compared.best.candidate == alone.best_params_["candidate"]
    assert len(scores) == 2


@pytest.mark.slow
def test_a_context_of_dask_takes_the_search_to_its_cluster():
    distributed = pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install 'curvewise[dask]'"
    )
    with (
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=False,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
        ) as cluster,
        distributed.Client(cluster),
        parallel_config(backend="dask"),
    ):
        expected = cluster.scheduler_address
        address, n_jobs = place_of(Execution())
        given = place_of(Execution(n_jobs=1))
        n_workers = resolve_n_jobs(None)

    assert address == expected
    assert n_jobs == -1
    assert n_workers == 2
    assert given == (None, 1)
