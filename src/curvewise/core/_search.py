"""The search over many candidates, as ask and tell.

`Search` owns the state and the queue; the policy owns the rules. The life of one task:

1. ``ask`` takes the contender with the smallest priority from the queue. If the leader changed
   since it was queued, the policy decides anew. Its decision goes into the contender's trace, and
   the evaluations it wants are handed out.
2. ``tell`` records what came back. When a contender's last evaluation has answered, failures are
   looked at first (`curvewise.core._failures`), then the policy decides: an end takes effect at
   once, anything else is queued.
3. When the leader changes, contenders with evaluations under way are looked at again; those that
   are out now have their evaluations cancelled (`cancellations`).

Invariants: a task is handed out at most once, unless its worker was lost or it was cancelled from
outside; outcomes that come twice, late or after a cancellation change nothing; the order in which
the outcomes of one candidate arrive changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from curvewise.core._checks import whole_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import (
    ENDS,
    STEPS,
    WAITS,
    Complete,
    Decision,
    End,
    Hold,
    Lead,
    Prune,
    Revive,
    Step,
    Stop,
)
from curvewise.core._failures import verdict
from curvewise.core._flight import Flight, grant
from curvewise.core._outcome import Candidate, Failure, Outcome, Reason, Task, as_outcome
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy, competes_partially, may_wait
from curvewise.core._portfolio import STATUSES, Contender, Status
from curvewise.core._queue import Queue, Turn
from curvewise.core._ranks import best_of
from curvewise.core._result import ValidationResult, as_leader, result_of
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule
from curvewise.core._search_state import SearchState
from curvewise.core._source import Source
from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError, UnknownTaskError


class Search:
    """Find the best of many candidates.

    Parameters
    ----------
    candidates
        Hashable names. A list or range is known in advance; an iterator is drawn from when there
        is nothing better to do, and may be endless.
    schedule
        The anchors, or just the target: then the policy chooses the anchors.
    policy
        The rules; by default a race.
    n_folds
        How many folds there are.
    scale
        How losses are to be read; by default as error rates.
    best_loss
        What has to be beaten from the start: a loss, or a result, which allows paired comparisons.
    limit
        The time that a candidate may take; by default there is no limit.
    earlier
        Curves of candidates that ended before this search: what their evaluations cost and how
        their losses spread is known then. They are no part of the results.
    one_of
        How many candidates there are in all, if there are more than this search has. A race lets
        each bear its share of the bill.
    count_rows
        Whether the cost of an evaluation is its training rows instead of its seconds. Rows are
        the same in every run, seconds are not: with this, the same outcomes told in the same order
        give the same decisions.
    observer
        Called with a candidate and each decision that is carried out.

    Examples
    --------
    >>> from curvewise.core._outcome import Observation
    >>> search = Search(["good", "bad"], schedule=900, n_folds=3)
    >>> while not search.done:
    ...     for task in search.ask():
    ...         loss = {"good": 0.1, "bad": 0.4}[task.candidate] + task.fold / 100
    ...         _ = search.tell(Observation(task, loss, n_test=300))
    >>> search.best.candidate, len(search.results["bad"].curve)
    ('good', 1)
    """

    def __init__(
        self,
        candidates: Iterable[Candidate] = (),
        *,
        schedule: Schedule | int,
        policy: Policy | None = None,
        n_folds: int = 5,
        scale: Scale | None = None,
        best_loss: ValidationResult | float | None = None,
        limit: TimeLimit | None = None,
        earlier: Iterable[LearningCurve] = (),
        one_of: int | None = None,
        count_rows: bool = False,
        observer: Callable[[Candidate, Decision], None] | None = None,
    ) -> None:
        n_folds = whole_number("n_folds", n_folds, at_least=1)
        self.policy: Policy = Race() if policy is None else policy
        if isinstance(policy, type) or not hasattr(policy or Race(), "decide"):
            raise InvalidParameterError(f"policy must be a policy such as Race(), got {policy!r}.")
        if not isinstance(schedule, Schedule):
            schedule = self.policy.schedule(whole_number("schedule", schedule, at_least=1))
        self._source = Source(candidates)
        self.portfolio = SearchState(
            schedule,
            n_folds,
            scale=scale or Scale(),
            n_listed=self._source.n_listed,
            count_rows=count_rows,
            one_of=None if one_of is None else whole_number("one_of", one_of, at_least=1),
        )
        for curve in filter(len, earlier):
            self.portfolio.remember(curve)
        self._n_earlier = len(self.portfolio.contenders)
        self._limit = limit or TimeLimit()
        self.observer = observer
        self._queue = Queue()
        self._flight = Flight()
        # Pruned while no leader was complete: they come back if it comes to nothing.
        self._pruned_by_lead: list[Contender] = []
        self._stopped = False
        if best_loss is not None:
            self.portfolio.leader = as_leader(best_loss, schedule.target)

    @property
    def done(self) -> bool:
        """Whether nothing is left to ask for or to wait for."""
        if self._flight or self._flight.waits or self._queue:
            return False
        return self._stopped or not self._source

    @property
    def limited(self) -> bool:
        """Whether evaluations have time limits, which an executor has to keep."""
        return self._limit != TimeLimit(foresee=self._limit.foresee)

    @property
    def n_in_flight(self) -> int:
        """How many tasks have been handed out and not answered."""
        return len(self._flight)

    @property
    def results(self) -> dict[Candidate, ValidationResult]:
        """What is known about each candidate so far, in the order in which they came."""
        own = (each for each in self.portfolio.contenders.values() if each.order >= self._n_earlier)
        return {each.candidate: result_of(self.portfolio, each) for each in own}

    @property
    def best(self) -> ValidationResult | None:
        """The best complete candidate; if there is none, the best partial result; else None."""
        if self.portfolio.best is not None:
            return result_of(self.portfolio, self.portfolio.best)
        return best_of(self.results.values())

    def add(self, candidate: Candidate) -> None:
        """Bring in one more candidate.

        Parameters
        ----------
        candidate
            A hashable name that is not in the search yet.
        """
        if candidate in self.portfolio.contenders or candidate in self._source:
            raise InvalidParameterError(f"The candidate {candidate!r} is in the search already.")
        self._source.add(candidate)

    def ask(self, n: int = 1) -> list[Task]:
        """Hand out up to n tasks, the most worthwhile first; none means: wait for outcomes.

        Parameters
        ----------
        n
            How many workers are free.
        """
        self.portfolio.n_workers = len(self._flight) + n
        tasks: list[Task] = []
        while len(tasks) < n and not self._stopped:
            task = self._flight.hand_out()
            if task is not None:
                tasks.append(task)
            elif not self._serve():
                break
        return tasks

    def tell(self, outcome: Outcome) -> bool:
        """Take what a task gave; False if it no longer mattered (twice, late, cancelled).

        Parameters
        ----------
        outcome
            An observation, or a failure.
        """
        outcome = as_outcome(outcome)
        task = outcome.task
        contender = self.portfolio.contenders.get(task.candidate)
        if contender is None or task[1:] not in contender.pending:
            self._contender_of(task)
            return False
        if isinstance(outcome, Failure) and outcome.reason in (Reason.LOST, Reason.CANCELLED):
            return self._ask_again(contender, outcome)
        contender.seconds_spent += outcome.seconds
        self._flight.answer(contender, task)
        if isinstance(outcome, Failure):
            contender.failures += (outcome,)
            if verdict(self.policy, self.portfolio, contender) is not None:
                self._flight.hand_out_no_more(contender)
        else:
            self.portfolio.record(contender, outcome)
        if not contender.pending:
            self._decide(contender)
        return True

    def allowance(self, task: Task) -> float | None:
        """Give the seconds that a task may take; None for no limit.

        Parameters
        ----------
        task
            One that has been handed out.
        """
        contender = self._contender_of(task)
        allowance = self._limit.allowance(self.portfolio, contender, task)
        if allowance is not None:
            grant(contender, task, allowance)
        return allowance

    def cancellations(self) -> list[Task]:
        """Hand over the tasks under way that no longer matter, each once."""
        return self._flight.cancellations()

    def stop(self, reason: str = "search stopped") -> None:
        """End the search now: what is not finished becomes a partial result.

        Parameters
        ----------
        reason
            What ends it, in a few words.
        """
        self._stopped = True
        self._pruned_by_lead.clear()
        for contender in self.portfolio.contenders.values():
            if contender.alive:
                self._end(contender, self.policy.estimate(self.portfolio, contender).stop(reason))
        self._flight.promise_nothing()

    def _serve(self) -> bool:
        """Make the next contender's evaluations ready; False if there is nothing to do now."""
        self._admit(self.policy.opening(listed=self.portfolio.n_listed is not None))
        while True:
            turn = self._queue.peek()
            if turn is None or (self.portfolio.exploring and may_wait(self.policy, turn.decision)):
                if self._admit(len(self.portfolio.contenders) + 1):
                    continue
                if turn is None:
                    return False
            self._queue.drop(turn.contender)
            decision: Step | Hold | None = turn.decision
            if turn.version != self.portfolio.version or isinstance(decision, Hold):
                decision = self._conclude(turn.contender)
            if decision is None:
                continue
            # One that is no less urgent than it was is still the first in the queue.
            if isinstance(decision, STEPS) and decision.priority <= turn.decision.priority:
                self._note(turn.contender, decision)
                turn.contender.anchor = decision.anchor
                self._flight.promise(turn.contender, decision.wants)
                return True
            self._queue.put(Turn(turn.contender, decision, self.portfolio.version))
            if isinstance(turn.decision, Hold) and self._still_holds(turn.contender):
                return False

    def _still_holds(self, contender: Contender) -> bool:
        """Whether the next in the queue is this contender again, and still has to wait."""
        turn = self._queue.peek()
        return turn is not None and turn.contender is contender and isinstance(turn.decision, Hold)

    def _admit(self, n: float) -> bool:
        """Let candidates in until n have entered; False if none came."""
        contenders = self.portfolio.contenders
        before = len(contenders)
        while len(contenders) < n and self._source:
            name = self._source.draw()
            if name in contenders:
                raise InvalidParameterError(f"The candidate {name!r} is in the search already.")
            contender = contenders[name] = Contender(name, len(contenders))
            self.portfolio.n_alive += 1
            self._decide(contender)
        return len(contenders) > before

    def _contender_of(self, task: Task) -> Contender:
        contender = self.portfolio.contenders.get(task.candidate)
        if contender is None or not self._flight.knows(contender, task):
            raise UnknownTaskError(f"{task} was never asked for.")
        return contender

    def _decide(self, contender: Contender) -> None:
        """Decide on a contender that waits for nothing; unless it ends, it joins the queue."""
        decision = self._conclude(contender)
        if decision is not None:
            self._queue.put(Turn(contender, decision, self.portfolio.version))

    def _conclude(self, contender: Contender) -> Step | Hold | None:
        """Let failures, the policy and the limit decide; None if the contender has ended."""
        self.portfolio.settle(contender)
        decision: Decision | None = None
        if contender.failures:
            decision = verdict(self.policy, self.portfolio, contender)
        if decision is None:
            decision = self.policy.decide(self.portfolio, contender)
        if isinstance(decision, Lead):
            self._note(contender, decision)
            self.portfolio.lead(contender, complete=False)
            self._review_running()
            decision = self.policy.decide(self.portfolio, contender)
        if isinstance(decision, WAITS):
            objection = self._limit.objection(self.portfolio, contender)
            if objection is None:
                return decision
            estimate = self.policy.estimate(self.portfolio, contender)
            decision = estimate.stop(f"time limit: {objection}")
        if isinstance(decision, ENDS):
            self._end(contender, decision)
        return None

    def _end(self, contender: Contender, end: End) -> None:
        """Close a contender; its evaluations under way no longer matter."""
        self._note(contender, end)
        contender.status = STATUSES[type(end)]
        self.portfolio.n_alive -= 1
        self._queue.drop(contender)
        self._flight.withdraw(contender)
        leader = self.portfolio.leader
        if isinstance(end, Prune) and leader is not None and not leader.complete:
            self._pruned_by_lead.append(contender)
        elif not isinstance(end, Complete):
            contender.curve.forget_rows()
        if self.portfolio.leads(contender) and not isinstance(end, Complete | Prune):
            self.portfolio.dethrone()
            self._revive(contender.candidate)
        partial = isinstance(end, Stop) and competes_partially(self.policy)
        if (isinstance(end, Complete) or partial) and self.portfolio.compete(contender, end):
            self._review_running()
        if self.portfolio.threshold is not None:
            for pruned in self._pruned_by_lead:
                pruned.curve.forget_rows()
            self._pruned_by_lead.clear()

    def _review_running(self) -> None:
        """End contenders with evaluations under way that are out by now."""
        for contender in self._flight.contenders:
            if contender.alive and len(contender.curve):
                decision = self.policy.decide(self.portfolio, contender)
                if isinstance(decision, Prune):
                    self._end(contender, decision)

    def _revive(self, leader: Candidate) -> None:
        """Take back those that were pruned against a leader that gave no result."""
        pruned, self._pruned_by_lead = self._pruned_by_lead, []
        for contender in pruned:
            contender.status = Status.RUNNING
            self.portfolio.n_alive += 1
            self._note(contender, Revive(leader))
            self._decide(contender)

    def _ask_again(self, contender: Contender, failure: Failure) -> bool:
        """Hand a task out once more whose worker was lost, or that was cancelled from outside."""
        if failure.task not in self._flight:
            return False
        contender.seconds_spent += failure.seconds
        self._flight.promise_again(contender, failure.task)
        if failure.reason is Reason.LOST:
            contender.failures += (failure,)
        if verdict(self.policy, self.portfolio, contender) is not None:
            self._flight.hand_out_no_more(contender)
            if not contender.pending:
                self._decide(contender)
        return True

    def _note(self, contender: Contender, decision: Decision) -> None:
        contender.trace.append(decision)
        if self.observer is not None:
            self.observer(contender.candidate, decision)
