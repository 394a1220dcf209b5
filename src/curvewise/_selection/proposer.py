"""A proposer says which configuration to try next, and is told how it went.

A list, a portfolio, random draws and a sampler that learns are proposers of one kind. The search
asks when a worker would be idle otherwise, and tells of every candidate that has ended: also of
those that were pruned, with the score that they had come to. A sampler that hears only of finished
candidates learns the wrong thing.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from curvewise._evaluation.given_types import Estimator
from curvewise.core._decisions import ENDS, Decision
from curvewise.core._outcome import Candidate, Outcome, Task
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._result import ValidationResult, result_of
from curvewise.core._search import Search
from curvewise.executors._listener import Listener


@dataclass(frozen=True, slots=True)
class Proposal:
    """A configuration to try.

    Parameters
    ----------
    estimator
        The unfitted estimator.
    name
        What it is called; a name that comes again gets a number.
    configuration
        What it is made of, in values that JSON can express; `Proposer.again` makes the same
        proposal of it. Empty by default.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> Proposal(SVC(C=10), "SVC", {"C": 10}).name
    'SVC'
    """

    estimator: Estimator
    name: str
    configuration: Mapping[str, Any] = field(default_factory=dict)


class Proposer:
    """Says what to try next: the base of proposers of one's own.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> class Bisection(Proposer):
    ...     low, high = -3.0, 3.0
    ...
    ...     def ask(self):
    ...         self.middle = (self.low + self.high) / 2
    ...         if self.high - self.low < 1:
    ...             return None
    ...         return Proposal(SVC(C=10**self.middle), f"C=10^{self.middle}")
    ...
    ...     def tell(self, proposal, score, result):
    ...         if score > 0.97:
    ...             self.high = self.middle
    ...         else:
    ...             self.low = self.middle
    >>> X, y = load_iris(return_X_y=True)
    >>> search = cw.CurveSearchCV(Bisection(), n_iter=10).fit(X, y)
    >>> 0 < len(search.results_) <= 10
    True
    """

    learns = True
    """Whether what it proposes depends on what it was told. Otherwise, and if it is known how many
    are wanted, all proposals are known in advance, which a race makes use of."""

    def ask(self) -> Proposal | None:
        """Propose a configuration; None if there is nothing more to propose.

        It may be called again before anything was told of what it proposed earlier.
        """
        raise NotImplementedError

    def tell(self, proposal: Proposal, score: float, result: ValidationResult) -> None:
        """Hear how a candidate ended; by default nothing is learnt from it.

        Parameters
        ----------
        proposal
            What was proposed.
        score
            What it is worth: its score; if it did not finish, the leader's with the difference
            between the two where both were seen; NaN if nothing is known of it.
        result
            What came of it.
        """

    def tell_early(self, proposal: Proposal, score: float) -> None:
        """Hear how a candidate did on its first fold at the target; by default nothing is learnt.

        Parameters
        ----------
        proposal
            What was proposed.
        score
            What it is worth, as far as that is known: it may still end as something else.
        """

    def again(self, configuration: Mapping[str, Any]) -> Proposal | None:
        """Propose what an earlier run had proposed; by default, ask.

        Parameters
        ----------
        configuration
            What that run had kept of the proposal.
        """
        return self.ask()


class Proposals(Listener):
    """What was proposed in a search, by name; tells the proposer who has ended."""

    def __init__(self, proposer: Proposer) -> None:
        self._proposer = proposer
        self._by_name: dict[Candidate, Proposal] = {}
        self._earlier: deque[Mapping[str, Any]] = deque()
        self._ended: list[Candidate] = []
        self._n_asked = 0

    def begin_with(self, configurations: Iterable[Mapping[str, Any]]) -> None:
        """Let what an earlier run had proposed come first, in the same order."""
        self._earlier.extend(islice(configurations, self._n_asked, None))

    def __iter__(self) -> Iterator[Proposal]:
        while True:
            self._n_asked += 1
            if self._earlier:
                proposal = self._proposer.again(self._earlier.popleft())
            else:
                proposal = self._proposer.ask()
            if proposal is None:
                return
            yield proposal

    def enter(self, name: str, proposal: Proposal) -> Estimator:
        """Note under which name a proposal enters the search; give its estimator."""
        self._by_name[name] = proposal
        return proposal.estimator

    def configuration(self, estimator: Any) -> Mapping[str, Any]:
        """Say what an estimator that was proposed is made of."""
        made = (one for one in reversed(self._by_name.values()) if one.estimator is estimator)
        return next(iter(made)).configuration

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._search = search

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note who has ended; its result is known after the outcome was told."""
        if isinstance(decision, ENDS):
            self._ended.append(candidate)

    def told(self, outcome: Outcome) -> None:
        """Tell of those who have ended and were not taken back since, and of a first fold."""
        portfolio = self._search.portfolio
        self._tell_early(outcome.task)
        for candidate in dict.fromkeys(self._ended):
            contender = portfolio.contenders[candidate]
            if candidate in self._by_name and not contender.alive:
                loss = estimated_loss(portfolio, contender)
                score = math.nan if loss is None else portfolio.scale.score(loss)
                result = result_of(portfolio, contender)
                self._proposer.tell(self._by_name[candidate], score, result)
        self._ended.clear()

    def _tell_early(self, task: Task) -> None:
        portfolio = self._search.portfolio
        contender = portfolio.contenders[task.candidate]
        seen = contender.curve.n(portfolio.target) == 1 and task.anchor == portfolio.target
        if seen and contender.alive and task.candidate in self._by_name:
            loss = estimated_loss(portfolio, contender)
            if loss is not None:
                score = portfolio.scale.score(loss)
                self._proposer.tell_early(self._by_name[task.candidate], score)


def estimated_loss(portfolio: Portfolio, contender: Contender) -> float | None:
    """Say what a candidate would have lost at the target; None if nothing is known of it.

    Where it was seen, others lose more than at the target as well: what counts is the difference to
    the leader on the same folds and rows.
    """
    curve, target, leader = contender.curve, portfolio.target, portfolio.leader
    if not curve.anchors:
        return None
    anchor = curve.anchors[-1]
    own = curve.mean(anchor)
    if curve.n(target) == portfolio.n_folds or leader is None or leader.curve is None:
        return own
    pairs = [(cell, leader.curve.at(anchor, cell.task.fold)) for cell in curve.cells(anchor)]
    differences = [cell.loss - other.loss for cell, other in pairs if other is not None]
    if not differences:
        return own
    return leader.loss + math.fsum(differences) / len(differences)
