"""A race that compares candidates row by row: what must hold whichever rows are known of whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Race, Search, Status
from tests.partial_rows import outcome, portfolios


def race(case, shuffled=lambda tasks: tasks, n=9, **options):
    """Race; of the tasks that are asked for together, those of a candidate answer in any order."""
    policy = Race(by_rows=True, winners=case["winners"])
    candidates = range(len(case["kinds"]))
    search = Search(candidates, schedule=case["target"], policy=policy, n_folds=case["n_folds"])
    while not search.done:
        tasks = search.ask(n)
        for candidate in dict.fromkeys(task.candidate for task in tasks):
            for task in shuffled([task for task in tasks if task.candidate == candidate]):
                search.tell(outcome(case, task, **options))
        search.cancellations()
    return search


def summary(search):
    return repr({name: (r.status, r.loss, r.decisions) for name, r in search.results.items()})


@given(portfolios, st.randoms())
def test_the_order_in_which_a_candidates_outcomes_arrive_changes_nothing(case, random):
    shuffled = race(case, lambda tasks: random.sample(tasks, len(tasks)))

    assert summary(shuffled) == summary(race(case))


@given(portfolios)
def test_the_winner_has_its_k_fold_score(case):
    best = race(case).best

    losses = [
        outcome(case, best.curve.at(case["target"], fold).task).loss
        for fold in range(case["n_folds"])
    ]
    assert best.status is Status.COMPLETED
    assert best.loss == pytest.approx(sum(losses) / len(losses), abs=1e-12)


@given(portfolios, st.sampled_from([0.0, 1e6, np.nan, np.inf]))
def test_rows_that_are_missing_in_one_of_two_are_left_out_of_the_pair(case, instead):
    case = {**case, "kinds": ["all", "some rows"]}

    assert summary(race(case, instead=instead)) == summary(race(case))
