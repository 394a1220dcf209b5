"""A search under anything that can happen to it, in any order."""

import math

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from curvewise import (
    LCCV,
    AdaptiveLCCV,
    AnovaRace,
    BootstrapDropping,
    EarlyStoppedCV,
    Failure,
    Halving,
    Hyperband,
    KFoldCV,
    Observation,
    Race,
    Reason,
    Scale,
    Search,
    Status,
    TimeLimit,
    WilcoxonRace,
)

ENDED = {Status.COMPLETED, Status.PRUNED, Status.STOPPED, Status.FAILED}


class SearchMachine(RuleBasedStateMachine):
    @initialize(
        policy=st.sampled_from(
            [
                KFoldCV(),
                LCCV(),
                LCCV(shape_alpha=0.2),
                AdaptiveLCCV(),
                Race(),
                Race(price=0),
                WilcoxonRace(),
                Halving(),
                Hyperband(),
                EarlyStoppedCV(),
                EarlyStoppedCV(rule="aggressive"),
                EarlyStoppedCV(rule="robust", top=2),
                AnovaRace(),
                BootstrapDropping(certainty=0.8),
            ]
        ),
        n=st.integers(0, 6),
        n_folds=st.integers(1, 6),
        rows=st.sampled_from([20, 700, 9000]),
        best_loss=st.none() | st.floats(0, 1),
        scale=st.sampled_from([Scale(), Scale.unbounded()]),
        limit=st.none() | st.floats(1, 1e5).map(lambda seconds: TimeLimit(per_candidate=seconds)),
        listed=st.booleans(),
    )
    def begin(self, policy, n, n_folds, rows, best_loss, scale, limit, listed):
        listed = listed or isinstance(policy, Halving | AnovaRace | BootstrapDropping)
        self.search = Search(
            range(n) if listed else iter(range(n)),
            schedule=rows,
            policy=policy,
            n_folds=n_folds,
            best_loss=best_loss,
            scale=scale,
            limit=limit,
        )
        self.n_folds, self.target = n_folds, rows
        self.n_added = n
        self.running, self.answered, self.may_return = [], [], set()
        self.stopped = False

    @rule(n=st.integers(1, 7))
    def ask(self, n):
        tasks = self.search.ask(n)

        assert len(tasks) <= n
        for task in tasks:
            assert task not in self.running
            assert task not in self.answered or task in self.may_return
            assert 0 <= task.fold < self.n_folds
            assert task.anchor in self.search.portfolio.schedule.anchors
        assert not (self.stopped and tasks)
        self.running += tasks

    @precondition(lambda self: self.running)
    @rule(
        data=st.data(),
        loss=st.floats(0, 1) | st.sampled_from([0.0, 1.0, -5.0, 1e-300, 1e99, 1e200, math.nan]),
    )
    def tell(self, data, loss):
        task = self._take(data)
        self.search.tell(Observation(task, loss, seconds=task.anchor, n_test=50))
        self._after(task)

    @precondition(lambda self: self.running)
    @rule(data=st.data(), reason=st.sampled_from(Reason))
    def fail(self, data, reason):
        task = self._take(data)
        if reason in (Reason.LOST, Reason.CANCELLED):
            self.may_return.add(task)
        self.search.tell(Failure(task, reason))
        self._after(task)

    @precondition(lambda self: self.answered)
    @rule(data=st.data())
    def tell_again(self, data):
        task = data.draw(st.sampled_from(self.answered))
        if task in self.running:
            return
        before = self.search.results
        outcome = Failure(task, Reason.LOST)
        if task not in self.may_return and data.draw(st.booleans()):
            outcome = Observation(task, 0.5)

        assert not self.search.tell(outcome)
        assert str(self.search.results) == str(before)

    @rule()
    def add(self):
        self.search.add(f"late {self.n_added}")
        self.n_added += 1

    @rule()
    def stop(self):
        self.search.stop()
        self.stopped = True
        self._after(None)

    def _take(self, data):
        return self.running.pop(data.draw(st.integers(0, len(self.running) - 1)))

    def _after(self, task):
        if task is not None:
            self.answered.append(task)
        for cancelled in self.search.cancellations():
            self.running.remove(cancelled)
            self.answered.append(cancelled)

    @invariant()
    def tasks_under_way_are_known(self):
        if hasattr(self, "search"):
            assert self.search.n_in_flight == len(self.running)

    @invariant()
    def results_are_coherent(self):
        if not hasattr(self, "search"):
            return
        for result in self.search.results.values():
            if result.status is Status.COMPLETED:
                assert math.isfinite(result.loss)
                assert result.curve.n(self.target) >= 1
            if result.status in (Status.PRUNED, Status.FAILED, Status.RUNNING):
                assert math.isnan(result.loss)
            assert result.status not in ENDED or result.explain()
        best = self.search.best
        complete = [r for r in self.search.results.values() if r.status is Status.COMPLETED]
        if complete:
            assert best.loss == min(result.loss for result in complete)

    @invariant()
    def done_means_that_everything_has_ended(self):
        if hasattr(self, "search") and self.search.done:
            assert self.search.ask(5) == []
            assert all(result.status in ENDED for result in self.search.results.values())

    def teardown(self):
        """Whatever happened, the search can be brought to its end."""
        if not hasattr(self, "search"):
            return
        for _ in range(10_000):
            self.running += self.search.ask(3)
            if not self.running:
                break
            task = self.running.pop(0)
            self.search.tell(Observation(task, 0.5, seconds=1.0, n_test=50))
            self._after(task)
        assert self.search.done


TestSearchMachine = SearchMachine.TestCase
TestSearchMachine.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
