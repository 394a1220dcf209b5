"""What a stored run says of its candidates: decisions, results, the best."""

import math

import pytest

from curvewise import LCCV
from curvewise.core._decisions import Complete, Fail, Lead, Prune, Revive, Sample, Stop
from curvewise.core._intervals import UNKNOWN, mean_interval
from curvewise.core._outcome import Failure, Reason, Task
from curvewise.core._portfolio import Status
from curvewise.executors import RunStatus, RunStore
from tests.executors.store.test_live_run import begin, observe

PRUNED = Prune(64, 0.5, 0.25, 900, "bound", 1)


def test_results_follow_the_last_decision(path):
    failure = Failure(Task("d", 900, 0), Reason.ERROR, "no")
    with RunStore.create(path) as store:
        run = begin(store)
        for fold in range(3):
            run.record(observe("a", fold=fold, loss=0.25 + fold / 8, seconds=2.0))
        run.record(failure)
        for candidate, decision in [
            ("a", Sample(900, ((900, 0),))),
            ("a", Lead(0.25, 1)),
            ("b", PRUNED),
            ("a", Complete(900, 0.375, 3)),
            ("c", Stop("timeout", math.nan)),
            ("d", Fail(failure, 1)),
            ("e", PRUNED),
            ("e", Revive("z")),
        ]:
            run.decided(candidate, decision)
        run.finish()
        results = {result.candidate: result for result in run.results()}
        summary = run.summary()

    assert {key: result.status for key, result in results.items()} == {
        "a": Status.COMPLETED,
        "b": Status.PRUNED,
        "c": Status.STOPPED,
        "d": Status.FAILED,
        "e": Status.RUNNING,
    }
    assert results["a"].loss == 0.375
    assert results["a"].interval == pytest.approx(mean_interval([0.25, 0.375, 0.5], kind="t"))
    assert (results["a"].n_observations, results["a"].seconds) == (3, 6.0)
    assert results["d"].n_failures == 1
    assert math.isnan(results["b"].loss)
    assert results["b"].interval == UNKNOWN
    assert (summary.n_completed, summary.n_pruned, summary.n_stopped, summary.n_failed) == (
        1,
        1,
        1,
        1,
    )
    assert (summary.best, summary.best_loss, summary.best_score) == ("a", 0.375, 0.625)
    assert (summary.n_candidates, summary.n_observations, summary.seconds) == (5, 3, 6.0)


def test_the_best_stopped_candidate_stands_in_if_none_is_complete(path):
    with RunStore.create(path) as store:
        run = begin(store)
        assert math.isnan(run.summary().best_loss)
        for i, estimate in enumerate([0.5, math.nan, 0.25]):
            run.decided(i, Stop("timeout", estimate))
        run.finish(RunStatus.INTERRUPTED)

        assert run.summary().best == 2
        assert run.summary().status is RunStatus.INTERRUPTED


@pytest.mark.parametrize(("policy", "best"), [(LCCV(), 0), (LCCV(partial_results=True), 1)])
def test_a_partial_result_is_the_best_of_all_where_the_policy_lets_it_compete(path, policy, best):
    with RunStore.create(path) as store:
        run = begin(store, settings={"policy": policy})
        run.decided(0, Complete(900, 0.5, 5))
        run.decided(1, Stop("timeout", 0.25))
        run.finish(RunStatus.FINISHED)

        assert run.summary().best == best


def test_decisions_are_written_with_the_next_outcome(path):
    with RunStore.create(path) as store, RunStore.read(path) as reader:
        run = begin(store)
        run.decided("svc", Sample(900, ((900, 0),)))

        assert reader.run(1).decisions() == []
        run.record(observe())
        assert reader.run(1).decisions() == [("svc", Sample(900, ((900, 0),)))]


def test_the_same_decisions_are_not_written_twice(path):
    steps = [("a", Sample(900, ((900, 0),))), ("b", PRUNED), ("a", Complete(900, 0.5, 5))]
    for n in (2, 3, 3):
        with RunStore.open(path) as store:
            run = begin(store, name="same")
            for step in steps[:n]:
                run.decided(*step)
            run.finish()

            assert run.decisions() == steps[:n]


def test_from_the_first_different_decision_on_the_stored_ones_are_replaced(path):
    first = [("a", Lead(0.5, 1)), ("b", Stop("interrupted", 0.5)), ("a", Stop("interrupted", 0.5))]
    then = [("a", Lead(0.5, 1)), ("b", PRUNED)]
    with RunStore.create(path) as store:
        run = begin(store)
        for step in first:
            run.decided(*step)
        run.finish(RunStatus.INTERRUPTED)
    with RunStore.open(path) as store:
        run = begin(store)
        for step in then:
            run.decided(*step)
        run.record(observe("a"))

        assert run.decisions() == then
        assert [result.status for result in run.results()] == [Status.RUNNING, Status.PRUNED]


def test_what_a_finished_run_did_not_decide_again_is_forgotten(path):
    with RunStore.create(path) as store:
        run = begin(store, name="a")
        run.decided("a", Lead(0.5, 1))
        run.decided("a", Stop("interrupted", 0.5))
        run.finish(RunStatus.INTERRUPTED)

        again = begin(store, name="a")
        again.decided("a", Lead(0.5, 1))
        again.finish(RunStatus.INTERRUPTED)
        assert len(again.decisions()) == 2
        again.finish(RunStatus.FINISHED)
        assert again.decisions() == [("a", Lead(0.5, 1))]
        assert again.results()[0].status is Status.RUNNING
