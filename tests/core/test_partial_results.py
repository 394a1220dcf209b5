"""Candidates that ran out of time, and whether their partial results compete."""

import pytest

from curvewise import LCCV, Failure, KFoldCV, MonteCarloCV, Race, Reason, Search, Status
from curvewise.core._decisions import Prune
from curvewise.core._policy import competes_partially
from tests.play import observe


def carry_out(policy, losses, *, slow=(), most=256, folds=1):
    """Search; slow candidates run out of time beyond an anchor, or at the target after folds."""
    search = Search(list(losses), schedule=4096, policy=policy, n_folds=3)
    while not search.done:
        for task in search.ask():
            late = task.anchor > most and (task.anchor < 4096 or task.fold >= folds)
            if task.candidate in slow and late:
                search.tell(Failure(task, Reason.TIMEOUT))
            else:
                search.tell(observe(task, losses[task.candidate]))
    return search


@pytest.mark.parametrize("policy", [KFoldCV, MonteCarloCV, LCCV])
def test_a_partial_result_is_the_best_only_if_nobody_completed(policy):
    search = carry_out(policy(), {"whole": 0.2, "cut off": 0.1}, slow={"cut off"})

    assert search.results["cut off"].status is Status.STOPPED
    assert search.best.candidate == "whole"
    assert search.portfolio.threshold == pytest.approx(0.2)


@pytest.mark.parametrize("policy", [KFoldCV, MonteCarloCV, LCCV])
def test_where_partial_results_compete_the_smallest_loss_is_the_best(policy):
    losses = {"whole": 0.2, "cut off": 0.1}
    search = carry_out(policy(partial_results=True), losses, slow={"cut off"})

    assert search.best.candidate == "cut off"
    assert search.best.status is Status.STOPPED
    assert search.portfolio.threshold == pytest.approx(0.1)


def test_a_partial_result_that_competes_is_what_others_have_to_beat():
    losses = {"cut off": 0.1, "later": 0.3}
    alone = carry_out(LCCV(), losses, slow={"cut off"})
    competing = carry_out(LCCV(partial_results=True), losses, slow={"cut off"})

    assert alone.results["later"].status is Status.COMPLETED
    last = competing.results["later"].decisions[-1]
    assert isinstance(last, Prune)
    assert last.threshold == pytest.approx(0.1)


def test_who_completes_with_a_smaller_loss_takes_over_from_a_partial_result():
    losses = {"cut off": 0.2, "whole": 0.1}
    search = carry_out(LCCV(partial_results=True), losses, slow={"cut off"})

    assert search.best.candidate == "whole"
    assert search.portfolio.leader.candidate == "whole"


def test_before_any_result_there_is_nothing_that_could_compete():
    losses = {"cut off": 0.2, "whole": 0.3}
    search = carry_out(KFoldCV(partial_results=True), losses, slow={"cut off"}, folds=0)

    assert search.best.candidate == "whole"


def test_a_policy_that_says_nothing_lets_no_partial_result_compete():
    assert not competes_partially(Race())
    assert not competes_partially(object())
