"""A search that has ended, put together again from what was kept of it.

Nothing is decided here. With several workers the order in which outcomes came mattered, and
whoever is asked again may decide otherwise: so the decisions that were kept count, and the curves
have the evaluations that these decisions wanted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from curvewise._text import LONGEST_VALUE, cut
from curvewise.core._decisions import ENDS, STEPS, Complete, Decision, Revive, Stop
from curvewise.core._outcome import Candidate, Failure, Observation, Outcome, Reason, as_outcome
from curvewise.core._policy import competes_partially
from curvewise.core._portfolio import STATUSES, Contender, Status
from curvewise.core._search import Search
from curvewise.errors import StoreError


def restore(
    search: Search,
    candidates: Iterable[Candidate],
    outcomes: Iterable[Outcome],
    decided: Iterable[tuple[Candidate, Decision]],
) -> None:
    """Put a search that has not begun into the state in which it ended."""
    contenders = search.portfolio.contenders
    for candidate in candidates:
        contenders[candidate] = Contender(candidate, len(contenders))
    wanted: defaultdict[Candidate, set[tuple[int, int]]] = defaultdict(set)
    for candidate, decision in decided:
        _carry_out(contenders[candidate], decision)
        if isinstance(decision, STEPS):
            wanted[candidate].update(decision.wants)
    for outcome in _that_count(outcomes):
        if outcome.task[1:] in wanted[outcome.task.candidate]:
            _record(search, contenders[outcome.task.candidate], outcome)
    search.portfolio.n_alive = sum(each.alive for each in contenders.values())
    for contender in contenders.values():
        search.portfolio.settle(contender)
        end = contender.trace[-1] if contender.trace else None
        if isinstance(end, Complete) and not contender.curve.n(search.portfolio.target):
            name = cut(repr(contender.candidate), LONGEST_VALUE)
            raise StoreError(
                f"The store is damaged: it says that {name} was completed, and has no loss of it."
            )
        partial = isinstance(end, Stop) and competes_partially(search.policy)
        if isinstance(end, Complete) or (isinstance(end, Stop) and partial):
            search.portfolio.compete(contender, end)
    search.stop("it had not ended")


def _carry_out(contender: Contender, decision: Decision) -> None:
    contender.trace.append(decision)
    if isinstance(decision, ENDS):
        contender.status = STATUSES[type(decision)]
    elif isinstance(decision, Revive):
        contender.status = Status.RUNNING
    elif isinstance(decision, STEPS):
        contender.anchor = decision.anchor


def _that_count(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Leave out what was cancelled, and what was carried out again with more time or memory."""
    checked = [as_outcome(outcome) for outcome in outcomes]
    last = {outcome.task: outcome for outcome in checked if not _is_lost(outcome)}
    return [each for each in checked if _is_lost(each) or last[each.task] is each]


def _is_lost(outcome: Outcome) -> bool:
    return isinstance(outcome, Failure) and outcome.reason is Reason.LOST


def _record(search: Search, contender: Contender, outcome: Outcome) -> None:
    contender.seconds_spent += outcome.seconds
    if isinstance(outcome, Observation):
        search.portfolio.record(contender, outcome)
    elif outcome.reason is not Reason.CANCELLED:
        contender.failures += (outcome,)
