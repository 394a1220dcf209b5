from hypothesis import given
from hypothesis import strategies as st

from curvewise import KFoldCV, MonteCarloCV, Search
from tests.play import noise, play


@given(st.integers(1, 6), st.integers(1, 10), st.integers(1, 9), st.randoms())
def test_every_candidate_gets_every_fold_and_the_best_mean_wins(n, n_folds, n_workers, random):
    learners = {i: lambda anchor, fold, i=i: 0.5 + 0.4 * noise(i, fold) for i in range(n)}
    search = Search(list(learners), schedule=900, policy=KFoldCV(), n_folds=n_folds)

    tasks = play(
        search, learners, n_workers=n_workers, pick=lambda running: random.randrange(len(running))
    )

    assert sorted(tasks) == [(i, 900, fold) for i in range(n) for fold in range(n_folds)]
    means = {i: sum(learners[i](900, f) for f in range(n_folds)) / n_folds for i in learners}
    assert search.best.candidate == min(means, key=lambda i: (round(means[i], 12), i))


def test_monte_carlo_is_the_same_rule_on_other_folds():
    assert MonteCarloCV().schedule(900) == KFoldCV().schedule(900)
    assert (KFoldCV().name, MonteCarloCV().name) == ("kfold", "montecarlo")
