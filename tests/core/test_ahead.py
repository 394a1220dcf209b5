"""What idle workers begin before it is wanted changes when things are known, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Failure, KFoldCV, Observation, Race, Reason, Search, Status, TimeLimit
from curvewise.core._ahead import Survival
from curvewise.core._decisions import Lead, Prune, Sample
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor
from tests.play import noise, observe, play

cases = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "n": st.integers(1, 15),
        "n_folds": st.integers(1, 8),
        "target": st.sampled_from([300, 9000]),
        "spread": st.sampled_from([0.0, 0.005, 0.2]),
    }
)
workers = st.sampled_from([2, 5, 16, 100])


def learners_of(case):
    def learner(i):
        level = 0.3 + case["spread"] * noise(case["seed"], i)
        return lambda anchor, fold: level + 3 / anchor + 0.02 * noise(case["seed"], i, anchor, fold)

    return [learner(i) for i in range(case["n"])]


def search_of(case, **settings):
    return Search(range(case["n"]), schedule=case["target"], n_folds=case["n_folds"], **settings)


@given(cases, workers, st.randoms(use_true_random=False))
def test_folds_count_in_their_order_whichever_answers_first(case, n_workers, random):
    search = search_of(case)
    tasks = play(
        search,
        learners_of(case),
        n_workers=n_workers,
        pick=lambda running: random.randrange(len(running)),
    )

    assert len(tasks) == len(set(tasks))
    for result in search.results.values():
        if any(isinstance(decision, Lead) for decision in result.decisions):
            continue  # A leader gets all its folds at once.
        folds = result.curve.folds(case["target"])
        assert sorted(folds) == list(range(len(folds)))


@given(cases, workers, st.randoms(use_true_random=False))
def test_the_winner_has_its_exact_k_fold_score_in_any_order_of_arrival(case, n_workers, random):
    search, learners = search_of(case), learners_of(case)
    play(
        search,
        learners,
        n_workers=n_workers,
        pick=lambda running: random.randrange(len(running)),
    )

    best, folds = search.best, range(case["n_folds"])
    losses = [learners[best.candidate](case["target"], fold) for fold in folds]
    assert best.status is Status.COMPLETED
    assert best.loss == pytest.approx(sum(losses) / len(losses), abs=1e-12)


@given(cases)
def test_one_worker_begins_nothing_ahead(case):
    search = search_of(case)
    tasks = play(search, learners_of(case))

    assert len(tasks) == sum(len(result.curve) for result in search.results.values())


@given(cases, workers)
def test_in_order_the_decisions_are_the_same_for_any_number_of_workers(case, n_workers):
    learners = learners_of(case)

    def look_up(task):
        loss = learners[task.candidate](task.anchor, task.fold)
        seconds = 1.5 + noise(n_workers, task.candidate, task.fold)
        return Observation(task, loss, seconds=seconds, n_test=500)

    def decisions(n_workers):
        search = search_of(case, count_rows=True)
        run(search, ReplayExecutor(look_up, n_workers=n_workers), window=8)
        return [result.decisions for result in search.results.values()]

    assert decisions(1) == decisions(n_workers)


@given(cases, workers)
def test_k_fold_begins_nothing_ahead(case, n_workers):
    search = search_of(case, policy=KFoldCV())
    tasks = play(search, learners_of(case), n_workers=n_workers)

    assert len(tasks) == case["n"] * case["n_folds"]


def near_ties(n_folds=5, **settings):
    """A search of equals, of whom six have answered and went on, and one has not."""
    search = Search(range(7), schedule=900, n_folds=n_folds, **settings)
    first = search.ask(7)
    for task in first[:6]:
        search.tell(observe(task, 0.2 + task.candidate / 1e4))
    certain = search.ask(n_folds + 4)
    return search, first[6], certain


def test_an_idle_worker_begins_the_next_fold_of_who_has_not_answered_where_most_go_on():
    search, late, _ = near_ties()
    (ahead,) = search.ask(1)

    assert ahead == (late.candidate, 900, 1)


def test_nothing_is_begun_ahead_within_a_limit_for_all_evaluations_of_a_candidate():
    search, _, _ = near_ties(limit=TimeLimit(per_candidate=1e6))

    assert search.ask(1) == []


def test_what_was_begun_ahead_is_cancelled_when_its_candidate_is_out():
    search, late, _ = near_ties()
    (ahead,) = search.ask(1)
    search.tell(observe(late, 0.9))

    assert search.results[late.candidate].status is Status.PRUNED
    assert search.cancellations() == [ahead]
    assert not search.tell(observe(ahead, 0.9))


def test_what_was_begun_ahead_counts_when_it_is_wanted_and_not_before():
    search, late, _ = near_ties()
    (ahead,) = search.ask(1)

    assert search.tell(observe(ahead, 0.3))
    assert not search.tell(observe(ahead, 0.3))
    assert len(search.results[late.candidate].curve) == 0
    search.tell(observe(late, 0.2))
    tasks = search.ask(1)
    assert ahead not in tasks
    assert search.results[late.candidate].curve.losses(900) == (0.2, 0.3)


def test_a_failure_ahead_counts_when_it_is_wanted_and_not_before():
    search, late, _ = near_ties()
    (ahead,) = search.ask(1)
    search.tell(Failure(ahead, Reason.ERROR))

    assert search.results[late.candidate].status is Status.RUNNING
    search.tell(observe(late, 0.2))
    search.ask(1)
    assert search.results[late.candidate].status is Status.FAILED


@pytest.mark.parametrize("reason", [Reason.LOST, Reason.CANCELLED])
def test_a_task_that_was_lost_ahead_is_handed_out_again(reason):
    search, late, _ = near_ties()
    (ahead,) = search.ask(1)
    search.tell(Failure(ahead, reason))
    search.tell(observe(late, 0.2))

    assert ahead in search.ask(9)


def test_the_chance_to_go_on_is_that_of_those_who_came_so_far():
    survival = Survival()
    step = Sample(900, ((900, 1),), (0,))
    for decision in (step, step, step, Prune(900, 0.3, 0.2, 900, "chance", 1)):
        survival.note(1, decision)
    survival.note(2, step)

    assert survival.chance(1, 1) == 0.75
    assert survival.chance(1, 2) == 0.75
    assert survival.chance(1, 3) == 0.0


def test_races_for_several_winners_run_ahead_as_well():
    case = {"seed": 3, "n": 12, "n_folds": 5, "target": 300, "spread": 0.005}
    search = search_of(case, policy=Race(winners=3))
    play(search, learners_of(case), n_workers=40)
    completed = [one for one in search.results.values() if one.status is Status.COMPLETED]

    assert len(completed) >= 3
