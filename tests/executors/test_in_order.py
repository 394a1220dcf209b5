"""Outcomes told in order: what must not depend on workers, their number and their deaths."""

from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from curvewise import LCCV, AnovaRace, Failure, KFoldCV, Race, Reason, Search, WilcoxonRace
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor
from tests.partial_rows import outcome, portfolios
from tests.play import noise

policies = st.sampled_from(
    [
        Race(),
        Race(by_rows=True),
        Race(winners=3),
        Race(by_rows=True, winners=2),
        LCCV(),
        KFoldCV(),
        WilcoxonRace(),
        AnovaRace(),
    ]
)
windows = st.sampled_from([1, 2, 5, 8, 16, 40])


class InBatches(ReplayExecutor):
    """Hands over several outcomes at once, as executors of many workers do."""

    def __init__(self, *arguments, size=3, **options):
        super().__init__(*arguments, **options)
        self._size = size

    def wait(self, timeout=None):
        """Wait for as many as are wanted, or for all that are under way."""
        return [one for _ in range(self._size) for one in super(InBatches, self).wait(timeout)]


def decided(case, policy, window, executor):
    """Run a search in order; give all that it came to."""
    search = Search(
        range(len(case["kinds"])),
        schedule=case["target"],
        policy=policy,
        n_folds=case["n_folds"],
        count_rows=True,
    )
    run(search, executor, window=window)
    return repr({name: (r.status, r.loss, r.decisions) for name, r in search.results.items()})


@given(portfolios, policies, windows, st.integers(1, 50), st.integers(1, 6))
def test_the_number_of_workers_changes_nothing(case, policy, window, n_workers, size):
    def look_up(task):
        return outcome(case, task)

    many = InBatches(look_up, n_workers=n_workers, size=size)

    alone = decided(case, policy, window, ReplayExecutor(look_up))
    assert decided(case, policy, window, many) == alone


# What has been lost is asked for at once; whoever decides next must not see fewer workers.
NEAR_TIES = {
    "seed": 2,
    "kinds": ["all"] * 7,
    "n_folds": 8,
    "target": 300,
    "spread": 0.0,
    "winners": 1,
}


@given(portfolios, policies, windows, st.integers(1, 50), st.integers(1, 6), st.integers(0, 999))
@example(NEAR_TIES, Race(), 16, 6, 3, 0)
def test_lost_workers_change_nothing(case, policy, window, n_workers, size, seed):
    lost = Counter()

    def unreliable(task):
        """Lose two tasks of each candidate at the most."""
        if noise(seed, *task) > 0.3 and lost[task.candidate] < 2:
            lost[task.candidate] += 1
            return Failure(task, Reason.LOST, seconds=1 + 8 * abs(noise(seed, 1, *task)))
        return outcome(case, task)

    disturbed = InBatches(unreliable, n_workers=n_workers, size=size)

    undisturbed = decided(case, policy, window, ReplayExecutor(lambda task: outcome(case, task)))
    assert decided(case, policy, window, disturbed) == undisturbed
