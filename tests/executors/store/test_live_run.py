import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.ensemble import VotingClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from curvewise import LCCV, Race, Scale, Schedule
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors import RunStatus, RunStore
from curvewise.executors._listener import Ending
from curvewise.executors._store.live_run import algorithm_name
from tests.executors.store.strategies import decisions, outcomes

TERMS = {"schedule": Schedule((64, 900)), "n_folds": 5}
SETTINGS = {"policy": Race(), "cv": 5, "metrics": ["accuracy", "auc"]}


def begin(store, settings=SETTINGS, fingerprint="150x4-abc", **changed):
    return store.begin(settings, fingerprint, **{**TERMS, **changed})


def observe(candidate="svc", anchor=900, fold=0, loss=0.25, **rest):
    return Observation(Task(candidate, anchor, fold), loss, **rest)


def test_finished_evaluations_are_known_after_resuming(path):
    error = Failure(Task("svc", 64, 0), Reason.ERROR, "Traceback ...", seconds=2.0)
    timeout = Failure(Task("svc", 900, 1), Reason.TIMEOUT)
    scored = observe(scores={"accuracy": 0.75, "auc": math.nan}, n_test=30, fit_seconds=0.5)
    with RunStore.create(path) as store:
        run = begin(store)
        for outcome in (error, scored, timeout):
            assert run.known(outcome.task) is None
            assert run.record(outcome)
            assert run.known(outcome.task) is outcome
    with RunStore.open(path) as store:
        run = begin(store)

        assert run.id == 1
        assert run.n_known == 3
        assert run.known(error.task) == error
        assert run.known(timeout.task) == timeout
        assert repr(run.known(scored.task)) == repr(scored)


@pytest.mark.parametrize(
    "losses",
    [
        np.array([True, False, False]),
        np.ones(16, bool),
        np.array([0.5, np.nan, 1e-3], np.float32),
        np.zeros(0, bool),
        np.zeros(0, np.float32),
    ],
)
def test_losses_by_row_come_back_as_they_were_told(path, losses):
    observation = observe(row_losses=losses)
    with RunStore.open(path) as store:
        run = begin(store)
        run.record(observation)
        now = run.known(observation.task)

    with RunStore.open(path) as store:
        later = begin(store).known(observation.task)
    for known in (now, later):
        assert known == observation
        assert known.row_losses.dtype == losses.dtype
        np.testing.assert_array_equal(known.row_losses, losses)


@pytest.mark.parametrize("stored", ["text", b"", b"\x09abc", b"\x08abc", b"\x03"])
def test_losses_by_row_that_are_none_are_refused(path, stored):
    observation = observe(row_losses=np.ones(8, bool))
    with RunStore.open(path) as store:
        begin(store).record(observation)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE outcomes SET row_losses = ?", (stored,))

    with RunStore.open(path) as store:
        run = begin(store)
        with pytest.raises(StoreError, match="damaged"):
            run.known(observation.task)


@pytest.mark.parametrize("reason", [Reason.LOST, Reason.CANCELLED])
def test_lost_and_cancelled_attempts_are_recorded_and_not_known(path, reason):
    attempts = [Failure(Task("svc", 900, 0), reason, text) for text in ("once", "twice")]
    with RunStore.create(path) as store:
        run = begin(store)
        for attempt in attempts:
            assert run.record(attempt)
    with RunStore.open(path) as store:
        run = begin(store)

        assert run.known(attempts[0].task) is None
        assert run.attempts(attempts[0].task) == tuple(attempts)
        assert run.record(observe())
        assert run.known(attempts[0].task) == observe()
        assert run.outcomes() == [*attempts, observe()]
        columns = store._connection.execute("SELECT attempt FROM outcomes").fetchall()
        assert columns == [(1,), (2,), (3,)]


def test_the_first_outcome_of_a_task_counts(path):
    with RunStore.create(path) as store:
        run = begin(store)

        assert run.record(observe(loss=0.25))
        assert not run.record(observe(loss=0.5))
        assert run.outcomes() == [observe(loss=0.25)]


def under_first_names(results):
    """Candidates that are equal, as 0 and 0.0 are, are one: it has the name that came first."""
    first = {}
    for outcome in results:
        first.setdefault(outcome.task.candidate, outcome.task.candidate)
    return [
        replace(outcome, task=outcome.task._replace(candidate=first[outcome.task.candidate]))
        for outcome in results
    ]


ZEROS = under_first_names([Observation(Task(0, 9, 1), 0.5), Observation(Task(0.0, 9, 2), 0.5)])


@settings(max_examples=30, deadline=None)
@given(
    st.lists(outcomes, unique_by=lambda outcome: outcome.task).map(under_first_names),
    st.lists(decisions),
)
@example(
    under_first_names([Observation(Task(0, 9, 1), 0.5), Observation(Task(0.0, 9, 2), 0.5)]), []
)
def test_everything_survives_the_file(tmp_path_factory, results, made):
    path = tmp_path_factory.mktemp("store") / "run.db"
    with RunStore.create(path) as store:
        run = begin(store)
        for decision in made:
            run.decided("svc", decision)
        for outcome in results:
            run.record(outcome)
        run.finish()
    with RunStore.read(path) as store:
        run = store.run(1)

        assert repr(run.outcomes()) == repr(results)
        assert repr(run.decisions()) == repr([("svc", decision) for decision in made])


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"settings": {**SETTINGS, "cv": 10}}, "cv was 5 and is 10 now"),
        (
            {"settings": {**SETTINGS, "policy": LCCV()}},
            "policy.type was 'Race' and is 'LCCV' now",
        ),
        (
            {"settings": {**SETTINGS, "metrics": ["accuracy", "f1"]}},
            r"metrics\[1\] was 'auc' and is 'f1' now",
        ),
        (
            {"settings": {**SETTINGS, "metrics": ["auc"]}},
            r"metrics was \['accuracy', 'auc'\] and is \['auc'\] now",
        ),
        ({"settings": {**SETTINGS, "seed": 1}}, "seed was not set and is 1 now"),
        ({"settings": {"cv": 5, "metrics": ["accuracy", "auc"]}}, "policy was .* and is not set"),
        (
            {"fingerprint": "150x4-def"},
            "the fingerprint of the data was '150x4-abc' and is '150x4-def' now",
        ),
        ({"n_folds": 10}, "n_folds was 5 and is 10 now"),
        ({"schedule": Schedule((64, 901))}, r"schedule\[1\] was 900 and is 901 now"),
        ({"scale": Scale.unbounded()}, "scale.best was 1.0 and is 0.0 now, scale.unit was 1.0 and"),
    ],
)
def test_other_terms_are_refused_with_what_differs(path, changed, difference):
    with RunStore.create(path) as store:
        begin(store)

        with pytest.raises(StoreError, match=f"run 1 cannot be resumed, because .*{difference}"):
            begin(store, **changed)
        assert begin(store).id == 1


def test_long_texts_are_shown_where_they_differ(path):
    with RunStore.create(path) as store:
        begin(store, {"model": "Pipeline(" + "x" * 500 + "C=1.0)" + "y" * 500})

        with pytest.raises(
            StoreError, match=r"'\.\.\.x+C=1\.0\)y+\.\.\. and is '\.\.\.x+C=2"
        ) as info:
            begin(store, {"model": "Pipeline(" + "x" * 500 + "C=2.0)" + "y" * 500})
        assert len(str(info.value)) < 500


def test_many_differences_are_counted(path):
    with RunStore.create(path) as store:
        begin(store, dict.fromkeys("abcdef", 1))

        with pytest.raises(StoreError, match="c was 1 and is 2 now, and 3 more;"):
            begin(store, dict.fromkeys("abcdef", 2))


def test_settings_that_cannot_be_stored_are_refused_before_anything_is_written(path):
    with RunStore.create(path) as store:
        with pytest.raises(StoreError, match=r"settings\['model'\] cannot be stored"):
            begin(store, {"model": object()})
        assert store.runs() == []


def test_without_a_name_the_latest_unfinished_unnamed_run_goes_on(path):
    with RunStore.create(path) as store:
        named = begin(store, name="other")
        first = begin(store)
        first.finish(RunStatus.INTERRUPTED)

        assert begin(store).id == first.id
        assert begin(store, {"cv": 9}, resume=False).id == first.id + 1
        begin(store, {"cv": 9}).finish()
        assert begin(store).id == first.id
        begin(store).finish()
        assert begin(store).id == first.id + 2
        assert named.id == 1


def test_with_a_name_the_run_of_that_name_comes_again_even_if_finished(path):
    with RunStore.create(path) as store:
        begin(store, name="iris").record(observe())
        begin(store, name="iris").finish()
        begin(store, name="wine")

        again = begin(store, name="iris")
        assert again.n_known == 1
        assert again.over
        assert store.run("iris").summary().status is RunStatus.FINISHED
        assert [run.name for run in store.runs()] == ["iris", "wine"]
        with pytest.raises(StoreError, match="run 'iris' cannot be resumed"):
            begin(store, {}, name="iris")
        with pytest.raises(StoreError, match="has a run named 'iris' already"):
            begin(store, name="iris", resume=False)


def test_a_run_that_is_not_there_is_refused(path):
    with RunStore.create(path) as store:
        with pytest.raises(StoreError, match="has no run named 'iris'"):
            store.run("iris")
        with pytest.raises(StoreError, match="has no run 3"):
            store.run(3)


def test_a_run_is_found_by_name_by_number_or_as_the_last(path):
    with RunStore.create(path) as store:
        with pytest.raises(StoreError, match="holds no run"):
            store.run()
        begin(store, name="iris")
        begin(store, name="1")
        begin(store, name="wine")
        found = [store.run(which).id for which in ("iris", 1, "1", "3", None)]

    assert found == [1, 1, 2, 3, 3]


def test_an_earlier_process_may_no_longer_write_to_a_resumed_run(path):
    with RunStore.create(path) as one, RunStore.open(path) as other:
        earlier, later = begin(one), begin(other)
        later.record(observe(fold=0))

        with pytest.raises(StoreError, match=r"Run 1 .* has been resumed by another process"):
            earlier.record(observe(fold=1))
        with pytest.raises(StoreError, match="has been resumed by another process"):
            earlier.finish()
        assert later.outcomes() == [observe(fold=0)]


def test_two_runs_are_written_to_one_file_side_by_side(path):
    with RunStore.create(path) as one, RunStore.open(path) as other:
        runs = begin(one, name="a"), begin(other, name="b")
        for fold in range(5):
            for run in runs:
                run.record(observe(fold=fold))

        assert [len(run.outcomes()) for run in runs] == [5, 5]


def test_candidates_keep_their_parameters(path):
    with RunStore.create(path) as store:
        run = begin(store)
        run.record_candidate("svc", description="SVC(C=1)", parameters={"C": 1, "gamma": math.inf})
        run.record(observe("tree"))
        run.record_candidate(("svc", 2), parameters={"C": 2})
        run.finish()
    with RunStore.open(path) as store:
        run = begin(store, resume=False)
        results = store.run(1).results()

        assert [result.candidate for result in results] == ["svc", "tree", ("svc", 2)]
        assert results[0].description == "SVC(C=1)"
        assert results[0].parameters == {"C": 1, "gamma": math.inf}
        assert results[1].parameters is None


def test_a_candidate_is_recorded_as_its_estimator_is_shown_and_described(path):
    class Nameless:
        pass

    with RunStore.create(path) as store:
        run = begin(store, describe=lambda estimator: {"kind": type(estimator).__name__})
        run.entered("svc", Nameless())
        run.finish()
        (result,) = store.run(1).results()

    assert result.parameters["kind"] == "Nameless"
    assert result.parameters["estimator"].endswith("Nameless object>")


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        (Ending.FINISHED, RunStatus.FINISHED),
        (Ending.OUT_OF_TIME, RunStatus.OUT_OF_TIME),
        (Ending.INTERRUPTED, RunStatus.INTERRUPTED),
        (None, RunStatus.RUNNING),
    ],
)
def test_a_run_that_listens_knows_how_it_ended(path, ending, status):
    with RunStore.create(path) as store:
        begin(store).finished(ending)

        assert store.runs()[0].status is status


def test_the_algorithm_of_a_nested_pipeline_is_that_of_its_last_step():
    inner = Pipeline([("a", PCA()), ("b", VotingClassifier([("c", SVC())]))])

    assert algorithm_name(Pipeline([("x", inner)])) == "VotingClassifier"
    assert algorithm_name(Pipeline([("x", PCA()), ("y", "passthrough")])) == "Pipeline"
    assert algorithm_name(SVC()) == "SVC"


def test_a_candidate_that_is_another_one_now_is_refused(path):
    with RunStore.create(path) as store:
        run = begin(store)
        run.record_candidate(3, parameters={"C": 1})
        run.record(observe(3))
    with RunStore.open(path) as store:
        run = begin(store)
        run.record_candidate(3, description="said again", parameters={"C": 1})

        with pytest.raises(StoreError, match=r'candidate 3 .*were {"C": 1} and are {"C": 2}'):
            run.record_candidate(3, parameters={"C": 2})


def test_the_times_are_those_of_the_clock(path):
    seconds = iter([0.0, 1.5, 3.0])
    with RunStore.create(path, clock=lambda: next(seconds)) as store:
        run = begin(store)
        run.record(observe())

        summary = run.summary()
        assert summary.created == datetime(1970, 1, 1, tzinfo=UTC)
        assert summary.updated == datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)
        run.finish()
        assert run.summary().updated.second == 3


def test_notes_are_there_for_readers_and_the_latest_counts(path):
    with RunStore.create(path) as store:
        run = begin(store)
        run.note("versions", {"curvewise": "0.1"})
        run.note("versions", {"curvewise": "0.2"})
        run.note("limits", [1, math.inf])
    with RunStore.read(path) as store:
        notes = store.run(1).notes()

    assert notes == {"versions": {"curvewise": "0.2"}, "limits": [1, math.inf]}
