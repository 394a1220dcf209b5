import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Failure, KFoldCV, Observation, Race, Reason, Search, Status
from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError, StoreError
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._listener import Ending, Listener, OutcomeRecord
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor
from tests.play import noise

# Seconds that an evaluation takes at the most.
LONGEST = 51.0


def losing(task):
    """A made-up learner whose seconds vary wildly, so that outcomes come in any order."""
    loss = 0.2 + 0.05 * noise(task.candidate) + 0.01 * noise(*task)
    return Observation(task, loss, seconds=1 + abs(noise(3, *task)) * 50, n_test=400)


class Memory(OutcomeRecord):
    """A record that forgets nothing."""

    def __init__(self):
        self.outcomes = {}

    def known(self, task):
        return self.outcomes.get(task)

    def received(self, outcome):
        assert outcome.task not in self.outcomes, "a finished evaluation was repeated"
        self.outcomes[outcome.task] = outcome


class Interrupting(ReplayExecutor):
    """Raises what Ctrl-C raises, after some outcomes."""

    def __init__(self, *arguments, after, **options):
        super().__init__(*arguments, **options)
        self.n_left = after

    def wait(self, timeout=None):
        self.n_left -= 1
        if self.n_left < 0:
            raise KeyboardInterrupt
        return super().wait(timeout)


def search_of(**options):
    return Search(range(8), schedule=6000, policy=Race(), n_folds=4, count_rows=True, **options)


def summary(search):
    return {name: (r.status, r.loss, r.decisions) for name, r in search.results.items()}


@given(st.lists(st.integers(0, 20), max_size=6), st.integers(1, 5), st.sampled_from([None, 4]))
def test_an_interrupted_run_goes_on_without_repeating_anything(interruptions, n_workers, window):
    record = Memory()
    for after in interruptions:
        search = search_of()
        executor = Interrupting(losing, n_workers=n_workers, after=after)
        ending = run(search, executor, record=record, window=window)
        assert search.done
        if ending is Ending.FINISHED:
            break
        assert ending is Ending.INTERRUPTED
    resumed, undisturbed = search_of(), search_of()
    ending = run(resumed, ReplayExecutor(losing, n_workers=n_workers), record=record, window=window)
    run(undisturbed, ReplayExecutor(losing, n_workers=n_workers), window=window)

    assert ending is Ending.FINISHED
    if window is not None or n_workers == 1:
        assert str(summary(resumed)) == str(summary(undisturbed))


def test_a_budget_ends_the_run_with_partial_results():
    search = Search(range(50), schedule=100, policy=KFoldCV(), n_folds=4)
    executor = ReplayExecutor(losing)

    ending = run(search, executor, time_budget=500, clock=lambda: executor.clock)

    assert ending is Ending.OUT_OF_TIME
    assert search.done
    assert 400 < executor.clock < 600
    statuses = {result.status for result in search.results.values()}
    assert statuses == {Status.COMPLETED, Status.STOPPED}
    assert search.best is not None


@given(st.floats(0, 600), st.floats(0, 600), st.integers(1, 4))
def test_what_passed_before_and_what_is_to_be_left_shorten_the_run(passed, kept, n_workers):
    search = Search(range(50), schedule=100, policy=KFoldCV(), n_folds=4)
    executor = ReplayExecutor(losing, n_workers=n_workers)

    ending = run(
        search,
        executor,
        time_budget=500,
        begun=-passed,
        reserve=lambda search: kept,
        clock=lambda: executor.clock,
    )

    left = max(0.0, 500 - passed - kept)
    assert ending is Ending.OUT_OF_TIME
    assert search.done
    assert left <= executor.clock + 1e-6
    assert executor.clock < left + LONGEST


def test_what_is_to_be_left_follows_who_leads():
    asked = []

    def reserve(search):
        leader = search.portfolio.leader
        asked.append(leader and leader.candidate)
        return 0.0 if leader is None else 300.0

    search = Search(range(50), schedule=100, policy=KFoldCV(), n_folds=4)
    executor = ReplayExecutor(losing)
    run(search, executor, time_budget=500, reserve=reserve, clock=lambda: executor.clock)

    assert asked[0] is None
    assert asked[-1] is not None
    assert 200 <= executor.clock < 200 + LONGEST


def test_without_a_budget_nothing_is_to_be_left():
    search = Search(["a"], schedule=100, policy=KFoldCV(), n_folds=1)

    assert run(search, ReplayExecutor(losing_nothing), reserve=lambda _: 9.0) is Ending.FINISHED


def test_an_executor_gets_the_estimator_and_its_time():
    seen = {}

    class Noting(ReplayExecutor):
        def submit(self, task, candidate=None, *, seconds=None):
            seen[task.candidate] = (candidate, seconds)
            super().submit(task, candidate, seconds=seconds)

    search = Search(
        ["a"], schedule=100, policy=KFoldCV(), n_folds=1, limit=TimeLimit(per_candidate=7)
    )
    run(search, Noting(lambda task: Observation(task, 0.1)), candidates={"a": "estimator"})

    assert seen == {"a": ("estimator", 7)}


def test_a_candidate_without_an_estimator_is_named():
    search = Search(["a", "b"], schedule=100, policy=KFoldCV())

    with pytest.raises(InvalidParameterError, match="no estimator for the candidate 'b'"):
        run(search, ReplayExecutor(losing_nothing), candidates={"a": 1})


def test_an_error_of_the_record_leaves_nothing_under_way():
    class Full(OutcomeRecord):
        def received(self, outcome):
            raise RuntimeError("no space left")

    executor = ReplayExecutor(losing_nothing, n_workers=3)
    search = Search(["a"], schedule=100, policy=KFoldCV())
    with pytest.raises(RuntimeError):
        run(search, executor, record=Full())

    assert search.done
    assert executor.wait() == []


def test_a_search_that_is_done_in_time_has_finished():
    search = Search(["a"], schedule=100, policy=KFoldCV(), n_folds=1)
    executor = ReplayExecutor(losing_nothing)

    assert run(search, executor, time_budget=1.0, clock=lambda: executor.clock) is Ending.FINISHED


@pytest.mark.parametrize("window", [None, 4])
def test_a_candidate_that_kills_its_workers_fails_after_three(window):
    deaths = []

    def deadly(task):
        deaths.append(task)
        return Failure(task, Reason.LOST, seconds=1.0)

    search = Search(["a"], schedule=100, policy=KFoldCV(), n_folds=1)
    run(search, ReplayExecutor(deadly), window=window)

    assert search.results["a"].status is Status.FAILED
    assert len(deaths) == 3


def losing_nothing(task):
    return Observation(task, 0.1, seconds=1.0)


def test_a_limit_that_the_executor_cannot_keep_is_refused():
    search = Search(["a"], schedule=100, limit=TimeLimit(per_candidate=7))

    with pytest.raises(InvalidParameterError, match="InProcessExecutor cannot keep a time limit"):
        run(search, InProcessExecutor(lambda task, candidate: Observation(task, 0.1)))


def test_a_simulated_limit_is_kept():
    search = Search(["a"], schedule=100, policy=KFoldCV(), limit=TimeLimit(per_fit=7))
    executor = ReplayExecutor(lambda task: Observation(task, 0.1, seconds=3.0 + 3 * task.fold))
    run(search, executor)

    result = search.results["a"]
    assert result.status is Status.STOPPED
    assert result.curve.n(100) == 2
    assert executor.clock == 3 + 6 + 7


class Diary(Listener):
    """Writes down all that it hears."""

    def __init__(self):
        self.heard = []

    def started(self, search):
        self.heard.append(("started", search))

    def entered(self, candidate, estimator):
        self.heard.append(("entered", candidate, estimator))

    def decided(self, candidate, decision):
        self.heard.append(("decided", candidate, decision))

    def received(self, outcome):
        self.heard.append(("received", outcome))

    def told(self, outcome):
        self.heard.append(("told", outcome))

    def finished(self, ending):
        self.heard.append(("finished", ending))

    def of(self, kind):
        return [what for word, *what in self.heard if word == kind]


def test_a_listener_hears_of_everything_in_its_order(caplog):
    diary, search = Diary(), search_of()
    with caplog.at_level(logging.DEBUG, logger="curvewise"):
        run(search, ReplayExecutor(losing), candidates=str, listeners=[diary])

    assert diary.heard[0] == ("started", search)
    assert diary.heard[-1] == ("finished", Ending.FINISHED)
    assert diary.of("received") == diary.of("told")
    assert len(diary.of("told")) == sum(len(r.curve) for r in search.results.values())
    assert diary.of("entered") == [[i, str(i)] for i in range(8)]
    for name, result in search.results.items():
        own = [decision for candidate, decision in diary.of("decided") if candidate == name]
        assert own == list(result.decisions)
    assert len(caplog.records) >= len(diary.of("told"))


def test_known_outcomes_are_told_but_not_received_again():
    memory, diary = Memory(), Diary()
    run(search_of(), ReplayExecutor(losing), record=memory)
    run(search_of(), ReplayExecutor(losing), record=memory, listeners=[diary])

    assert diary.of("received") == []
    assert len(diary.of("told")) == len(memory.outcomes)


@pytest.mark.parametrize("method", ["started", "entered", "decided", "received", "told"])
def test_a_listener_that_fails_hears_no_more_and_costs_no_result(method):
    class Broken(Diary):
        pass

    def fail(self, *told):
        self.heard.append((method, *told))
        raise ValueError("my own mistake")

    setattr(Broken, method, fail)
    broken, diary, disturbed, undisturbed = Broken(), Diary(), search_of(), search_of()
    with pytest.warns(RuntimeWarning, match="Broken failed and hears no more.*my own mistake"):
        run(disturbed, ReplayExecutor(losing), listeners=[broken, diary])
    run(undisturbed, ReplayExecutor(losing))

    assert broken.heard[-1][0] == method
    assert len(broken.of(method)) == 1
    assert diary.heard[-1] == ("finished", Ending.FINISHED)
    assert summary(disturbed) == summary(undisturbed)


def test_who_never_heard_of_a_run_hears_of_no_end():
    class Full(Memory):
        def started(self, search):
            raise StoreError("the disk is full")

    diary = Diary()
    with pytest.raises(StoreError, match="the disk is full"):
        run(search_of(), ReplayExecutor(losing), record=Full(), listeners=[diary])

    assert diary.heard == []


def test_a_listener_that_fails_at_the_end_costs_no_result():
    class Broken(Listener):
        def finished(self, ending):
            raise ValueError("my own mistake")

    with pytest.warns(RuntimeWarning, match="my own mistake"):
        ending = run(search_of(), ReplayExecutor(losing), listeners=[Broken()])

    assert ending is Ending.FINISHED


def test_a_listener_hears_of_an_error_that_ends_the_run():
    class Full(OutcomeRecord):
        def received(self, outcome):
            raise RuntimeError("no space left")

    diary = Diary()
    with pytest.raises(RuntimeError):
        run(search_of(), ReplayExecutor(losing), record=Full(), listeners=[diary])

    assert diary.heard[-1] == ("finished", None)


def test_whoever_observes_the_search_still_does():
    seen, diary = [], Diary()

    def observer(candidate, decision):
        seen.append([candidate, decision])

    search = search_of(observer=observer)
    run(search, ReplayExecutor(losing), listeners=[diary])

    assert seen == diary.of("decided")
    assert search.observer is observer


@pytest.mark.parametrize("options", [{"time_budget": 0}, {"window": 0}])
def test_impossible_options_are_refused(options):
    with pytest.raises(InvalidParameterError):
        run(search_of(), ReplayExecutor(losing), **options)
