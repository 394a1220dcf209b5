"""What a proposer is told of candidates that have ended, and what its proposals are worth."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from curvewise import (
    Failure,
    KFoldCV,
    Observation,
    Proposal,
    Proposer,
    Race,
    Reason,
    Search,
    Status,
)
from curvewise._selection.candidates import gather
from curvewise._selection.proposer import Proposals, estimated_loss
from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError
from curvewise.executors import ReplayExecutor, run
from tests.play import noise


class Numbers(Proposer):
    """Proposes a numbered learner each time, and notes what it is told."""

    def __init__(self):
        self.n_asked = 0
        self.told = {}

    def ask(self):
        self.n_asked += 1
        return Proposal(SVC(C=self.n_asked), str(self.n_asked), {"number": self.n_asked})

    def tell(self, proposal, score, result):
        assert proposal.name not in self.told
        assert result.candidate == proposal.name
        self.told[proposal.name] = (score, result.status)


def carried_out(evaluate, *, n_iter=6, limit=None, **options):
    """Carry out a search over what is proposed; give it and the proposer."""
    proposer = Numbers()
    candidates = gather(proposer, n_iter=n_iter)
    names = candidates.names
    search = Search(names, schedule=8192, policy=Race(), n_folds=5, limit=limit)
    run(search, ReplayExecutor(evaluate, **options), listeners=[candidates.proposals])
    return search, proposer


def losing(task):
    """Learners that are better and better, the third by far the worst."""
    number = int(task.candidate)
    floor = 0.6 if number == 3 else 0.2 - 0.01 * number
    loss = floor + 2 / math.sqrt(task.anchor) + 0.002 * noise(number, *task[1:])
    return Observation(task, loss, seconds=1.0, n_test=4000)


def failing(task):
    """The second learner fails, the fourth takes too long."""
    if task.candidate == "2":
        return Failure(task, Reason.ERROR, "no", seconds=1.0)
    seconds = 90.0 if task.candidate == "4" else 1.0
    return Observation(task, 0.1 * int(task.candidate), seconds=seconds, n_test=400)


@pytest.mark.parametrize("n_workers", [1, 3])
def test_whoever_has_ended_is_told_of_once_with_a_score(n_workers):
    search, proposer = carried_out(losing, n_workers=n_workers)

    assert {name: status for name, (_, status) in proposer.told.items()} == {
        name: result.status for name, result in search.results.items()
    }
    assert proposer.told["3"][1] is Status.PRUNED
    for name, (score, status) in proposer.told.items():
        if status is Status.COMPLETED:
            assert score == search.results[name].score


def test_who_was_pruned_is_worth_what_it_would_have_come_to():
    _, proposer = carried_out(losing)
    score, status = proposer.told["3"]

    # It was seen on an anchor, where everybody is worse: the difference to the leader counts.
    assert status is Status.PRUNED
    assert score == pytest.approx(1 - (0.6 + 2 / math.sqrt(8192)), abs=0.02)


def test_failed_and_stopped_candidates_are_told_of():
    _, proposer = carried_out(failing, limit=TimeLimit(per_candidate=50))

    assert proposer.told["2"][1] is Status.FAILED
    assert math.isnan(proposer.told["2"][0])
    assert proposer.told["4"][1] is Status.STOPPED


def test_a_proposer_is_asked_when_there_is_room_and_no_earlier():
    proposer = Numbers()
    candidates = gather(proposer, endless=True)
    candidates.first()

    assert proposer.n_asked == 1
    names = iter(candidates.names)
    assert (next(names), proposer.n_asked) == ("1", 1)
    assert (next(names), proposer.n_asked) == ("2", 2)


def test_a_proposer_says_itself_when_there_is_nothing_more():
    class Two(Proposer):
        n = 0

        def ask(self):
            self.n += 1
            return Proposal(SVC(), f"SVC {self.n}") if self.n <= 2 else None

    assert list(gather(Two()).names) == ["SVC 1", "SVC 2"]


def test_a_name_that_is_proposed_again_gets_a_number():
    class Same(Proposer):
        def ask(self):
            return Proposal(SVC(), "SVC")

    assert list(gather(Same(), n_iter=3).names) == ["SVC", "SVC (2)", "SVC (3)"]


def test_what_is_no_estimator_is_named():
    class Wrong(Proposer):
        def ask(self):
            return Proposal("SVC", "a word")

    with pytest.raises(InvalidParameterError, match="The candidate 'a word' must be an estimator"):
        list(gather(Wrong(), n_iter=3).names)


def test_a_proposer_that_proposes_nothing_leaves_no_candidates():
    class Silent(Proposer):
        def ask(self):
            return None

    with pytest.raises(InvalidParameterError, match="There are no candidates"):
        gather(Silent(), n_iter=3).first()


def test_the_base_class_has_nothing_to_propose():
    with pytest.raises(NotImplementedError):
        Proposer().ask()


def test_what_an_earlier_run_had_proposed_comes_first():
    class Recalling(Numbers):
        def again(self, configuration):
            return Proposal(SVC(), f"again {configuration['number']}", configuration)

    proposals = Proposals(Recalling())
    drawn = iter(proposals)
    first = next(drawn)
    proposals.begin_with([{"number": 1}, {"number": 2}, {"number": 3}])

    # The first one had been asked for already.
    assert first.name == "1"
    assert [next(drawn).name for _ in range(3)] == ["again 2", "again 3", "2"]


losses = st.floats(0, 1, allow_nan=False)


@given(st.lists(losses, min_size=5, max_size=5), st.lists(losses, min_size=1, max_size=5))
def test_an_estimate_is_the_leaders_loss_and_the_difference_to_it(leading, others):
    portfolio = portfolio_of(leading, others)
    other = portfolio.contenders["other"]
    difference = sum(own - lead for own, lead in zip(others, leading, strict=False)) / len(others)

    assert estimated_loss(portfolio, portfolio.contenders["leader"]) == pytest.approx(
        sum(leading) / 5
    )
    expected = sum(others) / 5 if len(others) == 5 else sum(leading) / 5 + difference
    assert estimated_loss(portfolio, other) == pytest.approx(expected)


def test_nothing_is_known_of_who_was_never_seen():
    portfolio = portfolio_of([0.1] * 5, [])

    assert estimated_loss(portfolio, portfolio.contenders["other"]) is None


def portfolio_of(leading, others):
    """A search whose leader is complete, and who else was seen on some folds."""
    search = Search(["leader", "other"], schedule=100, policy=KFoldCV(), n_folds=5)
    known = {"leader": leading, "other": others}
    while tasks := search.ask(10):
        for task in tasks:
            if task.fold < len(known[task.candidate]):
                search.tell(Observation(task, known[task.candidate][task.fold]))
    return search.portfolio
