"""What `AnovaRace` and `BootstrapDropping` have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import AnovaRace, BootstrapDropping, Search, Status
from curvewise.errors import InvalidParameterError
from tests.play import noise, observe, play

POLICIES = [AnovaRace(), AnovaRace(alpha=0.4, burn_in=2), BootstrapDropping()]
policies = st.sampled_from(POLICIES)


def learners_of(seed, n, gap=0.05):
    return {
        i: (lambda anchor, fold, i=i: 0.3 + gap * i / n + 0.03 * noise(seed, i, fold))
        for i in range(n)
    }


def summary(search):
    return {
        name: (result.status, result.curve.losses(900)) for name, result in search.results.items()
    }


@given(policies, st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 9), st.randoms())
def test_any_order_of_arrival_and_any_number_of_workers_gives_the_same(
    policy, seed, n, n_workers, random
):
    learners = learners_of(seed, n)

    def outcome(n_workers, pick):
        search = Search(list(learners), schedule=900, policy=policy, n_folds=6)
        play(search, learners, n_workers=n_workers, pick=pick)
        return summary(search)

    alone = outcome(1, lambda running: 0)
    together = outcome(n_workers, lambda running: random.randrange(len(running)))

    assert alone == together


@given(policies, st.integers(0, 10**6), st.integers(1, 8))
def test_somebody_completes_with_the_score_of_cross_validation(policy, seed, n):
    learners = learners_of(seed, n)
    search = Search(list(learners), schedule=900, policy=policy, n_folds=6)
    play(search, learners)

    best = search.best
    assert best.loss == pytest.approx(sum(learners[best.candidate](900, f) for f in range(6)) / 6)


@pytest.mark.parametrize("policy", POLICIES)
def test_everyone_takes_the_same_folds_before_anyone_takes_more(policy):
    learners = learners_of(1, 5)
    search = Search(list(learners), schedule=900, policy=policy, n_folds=6)
    taken = dict.fromkeys(learners, 0)
    while not search.done:
        for task in search.ask():
            taken[task.candidate] += 1
            search.tell(observe(task, learners[task.candidate](task.anchor, task.fold)))
            alive = [i for i, result in search.results.items() if result.status is Status.RUNNING]
            fewest = min([taken[i] for i in alive], default=taken[task.candidate])

            assert task.fold == taken[task.candidate] - 1
            assert taken[task.candidate] <= max(fewest + 1, policy.first_round)


@pytest.mark.parametrize("policy", POLICIES)
def test_who_fails_does_not_stop_the_others(policy):
    learners = learners_of(1, 4, gap=0.9)
    search = Search(list(learners), schedule=900, policy=policy, n_folds=6)
    play(search, learners, failing={(0, 900)})

    assert search.results[0].status is Status.FAILED
    assert search.best.candidate == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_who_comes_later_is_waited_for(policy):
    learners = learners_of(1, 4, gap=0.9)
    search = Search([1, 2, 3], schedule=900, policy=policy, n_folds=6)
    for _ in range(4):
        for task in search.ask():
            search.tell(observe(task, learners[task.candidate](task.anchor, task.fold)))
    search.add(0)
    play(search, learners)

    assert search.best.candidate == 0


@pytest.mark.parametrize("policy", POLICIES)
def test_they_need_to_know_all_candidates(policy):
    with pytest.raises(InvalidParameterError, match="needs to know all candidates"):
        Search(iter(range(3)), schedule=900, policy=policy).ask()
