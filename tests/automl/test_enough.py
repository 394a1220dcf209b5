from itertools import count

import pytest

from curvewise import Observation, Race, Search
from curvewise.automl._enough import FEWEST, MOST, Enough
from curvewise.executors import Ending, ReplayExecutor, run


def search_with(loss_of, *, policy=None):
    """Carry out an endless search; candidate i loses loss_of(i) on every fold."""
    search = Search(count(), schedule=900, policy=policy or Race(), n_folds=3)
    executor = ReplayExecutor(
        lambda task: Observation(task, loss_of(task.candidate), seconds=1.0, n_test=10_000)
    )
    ending = run(search, executor, listeners=[Enough()])
    return search, ending


def n_ended(search):
    return sum(not contender.alive for contender in search.portfolio.contenders.values())


def test_a_search_that_brings_nothing_more_ends_as_soon_as_one_can_tell():
    search, ending = search_with(lambda i: 0.1 if i == 3 else 0.2)

    assert ending is Ending.FINISHED
    assert FEWEST <= n_ended(search) <= FEWEST + 2
    assert search.best.candidate == 3


def test_a_search_that_goes_on_to_gain_goes_on():
    """Each tenth candidate is better by more than the price."""
    search, _ = search_with(lambda i: max(0.01, 0.4 - 0.01 * (i // 10) if i % 10 == 9 else 0.5))

    assert n_ended(search) > 2 * FEWEST


def test_there_is_a_bound():
    search, _ = search_with(lambda i: 0.5 - 0.001 * i if i < 450 else 0.05)

    assert MOST <= n_ended(search) <= MOST + 2


def test_the_reason_is_said():
    search, _ = search_with(lambda i: 0.1 if i == 0 else 0.2)
    stopped = [one for one in search.results.values() if one.status.value == "stopped"]

    for result in stopped:
        assert "candidates brought 0" in result.explain()


@pytest.mark.parametrize("price", [0.0004, 0.04])
def test_it_is_the_price_that_decides(price):
    """Gains that come late and are small are worth a small price only."""

    def loss_of(i):
        return 0.2 - 0.0005 * (i // 5)

    search, _ = search_with(loss_of, policy=Race(price=price))

    assert (n_ended(search) < 2 * FEWEST) == (price == 0.04)
