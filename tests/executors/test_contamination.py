"""What a candidate does to its process reaches no other candidate."""

import sys

import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeRegressor

from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._outcome import Task
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors.contaminators import (
    CONTAMINATORS,
    RegressorThat,
    RegressorThatTellsItsState,
    change_folder,
)
from tests.executors.contract import PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")

WITNESSES = {
    "tree": DecisionTreeRegressor(random_state=0),
    "state": RegressorThatTellsItsState(),
}


class Stage:
    """An executor with one worker, and what healthy candidates get in it."""

    def __init__(self, fresh_workers):
        X, y = load_iris(return_X_y=True)
        self.folds = Folds(X, y, cv=3, classifier=False, random_state=0)
        evaluate = Evaluator(
            X, y, folds=self.folds, scoring=resolve_scoring("neg_mean_squared_error")
        )
        self.executor = ProcessExecutor(evaluate, n_workers=1, fresh_workers=fresh_workers)
        self.undisturbed = self.witness()

    def run(self, name, candidate):
        self.executor.submit(Task(name, self.folds.target, 0), candidate)
        (outcome,) = self.executor.wait(PATIENCE_SECONDS)
        return outcome

    def witness(self):
        return {name: self.run(name, candidate).loss for name, candidate in WITNESSES.items()}


@pytest.fixture(scope="module", params=["unknown", "always"])
def stage(request):
    stage = Stage(request.param)
    yield stage
    stage.executor.close()


@pytest.mark.parametrize("contaminate", CONTAMINATORS, ids=lambda action: action.__name__)
def test_what_a_candidate_changes_is_gone_with_it(contaminate, stage):
    stage.run("hostile", RegressorThat(contaminate))

    assert stage.witness() == stage.undisturbed


def test_candidates_of_known_packages_share_a_worker():
    stage = Stage("unknown")
    with stage.executor as executor:
        (worker,) = executor._workers
        before = worker._process
        stage.run("tree", DecisionTreeRegressor())
        after_known = worker._process
        stage.run("own", RegressorThat())
        stage.run("tree", DecisionTreeRegressor())

        assert after_known is before
        assert worker._process is not before


def test_reused_workers_are_an_option_that_protects_nobody():
    stage = Stage("never")
    with stage.executor:
        stage.run("hostile", RegressorThat(change_folder))

        assert stage.witness() != stage.undisturbed
