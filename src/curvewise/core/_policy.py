"""The protocol of a policy: a rule set with its knobs, and no state of its own.

A policy looks at the state of the whole portfolio and says what should happen to one contender of
which no evaluation is under way. `Search` asks it when a contender's last answer has come in and
again, if the leader has changed meanwhile, when the contender's turn comes: decisions are always
taken against the newest leader.

Rules that look at one candidate only (`KFoldCV`, `LCCV`) have this form as they stand: they order
contenders by their arrival, so that early ones are finished first.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, Protocol

from curvewise.core._decisions import Decision, Stop
from curvewise.core._fold_noise import loss_interval
from curvewise.core._intervals import UNKNOWN, Interval
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule


class Estimate(NamedTuple):
    """A partial result: what is known of a contender that is stopped now.

    Parameters
    ----------
    loss
        The loss that is expected at the target; NaN if nothing is known.
    based_on
        What it rests on, in a few words.
    interval
        The 95% interval of the loss; by default nothing is known about it.

    Examples
    --------
    >>> Estimate(0.2, "2 of 5 folds at the target").stop("time limit").explain(Scale())
    'stopped (time limit): 0.8 from 2 of 5 folds at the target'
    """

    loss: float
    based_on: str
    interval: Interval = UNKNOWN

    def stop(self, reason: str) -> Stop:
        """Turn it into the decision that ends a candidate.

        Parameters
        ----------
        reason
            What ends it, in a few words.
        """
        return Stop(reason, self.loss, self.based_on, *self.interval)


# What is scored at inner anchors: the fold's test part, or all of its rows that are not trained on.
TestPart = Literal["fold", "rest"]


class Demands(NamedTuple):
    """What a policy asks of an evaluation, besides the loss.

    Parameters
    ----------
    test_part
        What is scored at inner anchors: ``"fold"`` for the fold's test part, ``"rest"`` for all of
        the fold's rows that are not trained on.
    train_scores
        Whether the training rows are scored, too.
    row_losses
        Whether the losses of test rows are wanted, where they are known.

    Examples
    --------
    >>> from curvewise.core import LCCV
    >>> LCCV(test_part="rest").demands
    Demands(test_part='rest', train_scores=False, row_losses=False)
    """

    test_part: TestPart = "fold"
    train_scores: bool = False
    row_losses: bool = False


def demands_of(policy: object) -> Demands:
    """Say what a policy asks for; one that does not inherit from `Policy` may be silent."""
    asked: Demands = getattr(policy, "demands", None) or Demands()
    return asked


class Explained(Protocol):
    """What every decision offers: it can be said in a sentence.

    Examples
    --------
    >>> from curvewise.core import Complete
    >>> Complete(900, loss=0.1, n_folds=5).explain(Scale())
    'completed: 0.9 on 5 folds of 900 rows'
    """

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence.

        Parameters
        ----------
        scale
            How losses read as scores.
        """


class Policy(Protocol):
    """What every policy offers: a name, its anchors, and decisions.

    A policy that inherits from it need not say how many candidates enter together, nor what a
    contender is worth that is stopped, nor whether that competes.

    Examples
    --------
    >>> from curvewise.core import KFoldCV
    >>> policy: Policy = KFoldCV()
    >>> policy.name, policy.schedule(900).anchors, policy.opening(listed=True)
    ('kfold', (900,), 1)
    """

    @property
    def name(self) -> str:
        """The name by which tables and the command line call it."""

    @property
    def partial_results(self) -> bool:
        """Whether who was stopped competes with its partial result; by default it does not."""
        return False

    @property
    def demands(self) -> Demands:
        """What it asks of an evaluation besides the loss; by default nothing."""
        return Demands()

    def schedule(self, target: int) -> Schedule:
        """Choose the anchors for a target size.

        Parameters
        ----------
        target
            The training rows at which candidates are compared.
        """

    def opening(self, *, listed: bool) -> float:
        """Say how many candidates enter together; later ones enter when workers would idle.

        By default one after the other.

        Parameters
        ----------
        listed
            Whether all candidates are known in advance.
        """
        return 1

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Say what should happen to a contender that waits for nothing.

        Parameters
        ----------
        portfolio, contender
            The state of the search, which must not be changed, and whom it is about.
        """

    def may_wait(self, decision: Decision) -> bool:
        """Whether a step can wait while other candidates get their first look; by default not.

        Parameters
        ----------
        decision
            What `decide` has said.
        """
        return False

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Give the partial result of a contender that is stopped now.

        By default the mean of the largest anchor that has been observed.

        Parameters
        ----------
        portfolio, contender
            The state of the search, which must not be changed, and whom it is about.
        """
        return last_anchor(portfolio, contender)


def may_wait(policy: object, decision: Decision) -> bool:
    """Whether a step can wait; a policy that does not inherit from `Policy` may be silent."""
    asked = getattr(policy, "may_wait", None)
    return asked is not None and bool(asked(decision))


def competes_partially(policy: object) -> bool:
    """Whether partial results compete; a policy that does not inherit from `Policy` may be silent.

    What is known of few rows or folds says little about the target, so that it is an option here.
    """
    # Deviates: 15. In the paper's experiments they always do (Mohr & van Rijn 2023, Sec. V-A).
    return bool(getattr(policy, "partial_results", False))


def target_so_far(portfolio: Portfolio, contender: Contender) -> Estimate:
    """Average the target folds that have finished: the partial result of k-fold CV.

    Parameters
    ----------
    portfolio, contender
        The state of the search, and whom it is about.

    Examples
    --------
    >>> from curvewise.core import Search
    >>> search = Search(["svc"], schedule=900)
    >>> target_so_far(search.portfolio, Contender("svc", 0)).based_on
    '0 of 5 folds at the target'
    """
    n = contender.curve.n(portfolio.target)
    loss = contender.curve.mean(portfolio.target)
    interval = loss_interval(contender.curve, portfolio.target, portfolio.scale)
    return Estimate(loss, f"{n} of {portfolio.n_folds} folds at the target", interval)


def last_anchor(portfolio: Portfolio, contender: Contender) -> Estimate:
    """Average the largest anchor that has been observed.

    Parameters
    ----------
    portfolio, contender
        The state of the search, and whom it is about.

    Examples
    --------
    >>> from curvewise.core import Search
    >>> last_anchor(Search(["svc"], schedule=900).portfolio, Contender("svc", 0)).based_on
    'nothing'
    """
    curve = contender.curve
    if curve.n(portfolio.target):
        return target_so_far(portfolio, contender)
    if not curve.anchors:
        return Estimate(math.nan, "nothing")
    anchor = curve.anchors[-1]
    interval = loss_interval(curve, anchor, portfolio.scale)
    return Estimate(curve.mean(anchor), f"the last anchor, {anchor:,} rows", interval)


def next_folds(portfolio: Portfolio, contender: Contender, anchor: int, n: int) -> list[int]:
    """List the next folds that a contender has not had at an anchor, in their order.

    Parameters
    ----------
    portfolio, contender
        The state of the search, and whom it is about.
    anchor, n
        Where, in rows, and how many are wanted; there may be fewer.

    Examples
    --------
    >>> from curvewise.core import Search
    >>> search = Search(["svc"], schedule=900, n_folds=5)
    >>> next_folds(search.portfolio, Contender("svc", 0), 900, 2)
    [0, 1]
    """
    had = contender.failed_folds(anchor).union(contender.curve.folds(anchor))
    return [fold for fold in range(portfolio.n_folds) if fold not in had][:n]
