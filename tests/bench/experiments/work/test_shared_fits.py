import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.shared_fits import SharingExecutor
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.core._policies import LCCV, KFoldCV, Race
from curvewise.core._search import Search
from curvewise.core._time_limit import TimeLimit
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor


class Kept(dict):
    """Keeps fits as a ledger does."""

    known = dict.get

    def record(self, outcome):
        known = self.get(outcome.task)
        timed_out = isinstance(known, Failure) and known.reason is Reason.TIMEOUT
        if known is None or timed_out:
            self[outcome.task] = outcome
        return self[outcome.task]


def truth(task):
    """What a task gives; some fail."""
    seconds = 1.0 + (7 * hash(task) % 13) / 2
    if hash(task) % 5 == 0:
        return Failure(task, Reason.ERROR, "It broke.", seconds)
    return Observation(task, 0.1 + task.candidate / 50 + task.fold / 500, seconds=seconds)


def ask(executor, task, seconds):
    executor.submit(task, seconds=seconds)
    (outcome,) = executor.wait()
    return outcome


TASKS = st.builds(Task, st.integers(0, 3), st.sampled_from([64, 128]), st.integers(0, 2))
LIMITS = st.none() | st.sampled_from([0.0, 0.5, 1.0, 2.5, 4.0, 9.0])


@given(st.lists(st.tuples(TASKS, LIMITS), max_size=30))
def test_a_shared_fit_is_what_a_fit_of_its_own_would_be(asked):
    memo = Kept()
    for task, seconds in asked:
        sharing = SharingExecutor(lambda: ReplayExecutor(truth), memo)
        alone = ask(ReplayExecutor(truth), task, seconds)

        shared = ask(sharing, task, seconds)

        assert type(shared) is type(alone)
        assert shared.seconds == alone.seconds == sharing.bill.seconds
        if isinstance(alone, Failure):
            assert shared.reason is alone.reason
        else:
            assert shared.loss == alone.loss


@given(st.lists(st.tuples(TASKS, LIMITS), max_size=30))
def test_a_fit_is_made_again_only_for_a_larger_limit(asked):
    memo, made = Kept(), {}
    for task, seconds in asked:
        sharing = SharingExecutor(lambda: ReplayExecutor(truth), memo)
        ask(sharing, task, seconds)
        limit = float("inf") if seconds is None else seconds
        if sharing.bill.n_made:
            assert limit > made.get(task, -1.0)
            made[task] = limit


@pytest.mark.parametrize("policy", [KFoldCV(), LCCV(min_exp=3), Race()])
def test_a_search_decides_the_same_whether_its_fits_are_shared_or_not(policy, tmp_path):
    def search():
        return Search(
            range(8), schedule=200, policy=policy, n_folds=5, limit=TimeLimit(per_candidate=18.0)
        )

    alone = search()
    executor = ReplayExecutor(truth)
    run(alone, executor)
    with Ledger(tmp_path / "results.db") as ledger:
        fits = ledger.fits("toy")
        others = Search(range(8), schedule=200, policy=KFoldCV(), n_folds=5)
        run(others, SharingExecutor(lambda: ReplayExecutor(truth), fits))
        shared = search()
        sharing = SharingExecutor(lambda: ReplayExecutor(truth), fits)
        run(shared, sharing)

    assert shared.best.candidate == alone.best.candidate
    assert [str(r.decisions) for r in shared.results.values()] == [
        str(r.decisions) for r in alone.results.values()
    ]
    assert sharing.bill.seconds == pytest.approx(executor.busy_seconds)
    assert (sharing.bill.n_fits, sharing.bill.n_rows) == (executor.n_tasks, executor.n_rows)


def test_what_was_lost_is_not_recorded():
    task, memo = Task(0, 64, 0), Kept()
    lost = Failure(task, Reason.LOST, "It is gone.", 1.0)
    sharing = SharingExecutor(lambda: ReplayExecutor(lambda _: lost), memo)

    assert ask(sharing, task, None) == lost
    assert not memo


def test_a_timeout_is_charged_with_its_limit_not_with_the_time_it_took_to_end():
    task = Task(0, 64, 0)
    late = Failure(task, Reason.TIMEOUT, "It was ended.", 2.03)

    class Late(ReplayExecutor):
        def submit(self, task, candidate=None, *, seconds=None):
            super().submit(task, candidate)

    sharing = SharingExecutor(lambda: Late(lambda _: late), Kept())

    assert ask(sharing, task, 2.0).seconds == sharing.bill.seconds == 2.0


def test_a_cancelled_task_gives_no_outcome():
    memo = Kept()
    task = Task(0, 64, 0)
    for _ in range(2):
        sharing = SharingExecutor(lambda: ReplayExecutor(truth), memo)
        sharing.submit(task)
        sharing.cancel(task)

        assert sharing.wait() == []
        sharing.close()
        memo.record(truth(task))
