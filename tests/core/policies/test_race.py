import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Observation, Race, Scale, Schedule, Search, Status
from curvewise.core._decisions import IN_WORDS, Lead, Prune, Skip
from curvewise.errors import InvalidParameterError
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor
from tests.play import noise, play, power_law

N_TEST = 60

portfolios = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "n": st.integers(1, 12),
        "n_folds": st.integers(1, 10),
        "target": st.sampled_from([300, 5000, 50_000]),
        "n_workers": st.sampled_from([1, 2, 5, 40]),
        "listed": st.booleans(),
        "spread": st.sampled_from([0.0, 0.005, 0.2]),
        "scale": st.sampled_from([Scale(), Scale.unbounded()]),
        "rows": st.sampled_from(["unknown", "truths", "numbers", "of some"]),
        "by_rows": st.booleans(),
    }
)


def race(case, policy=None, pick=lambda running: 0):
    """Run a race over made-up learners; give the search, its tasks and each learner's losses."""
    seed, n, k = case["seed"], case["n"], case["n_folds"]

    def learner(i):
        level = 0.3 + case["spread"] * noise(seed, i)

        def loss(anchor, fold):
            mean = level + 3 / anchor + 0.02 * noise(seed, i, anchor, fold)
            if case["rows"] == "unknown" or (case["rows"] == "of some" and i % 2):
                return mean
            hard = np.random.default_rng([seed, fold]).random(N_TEST)
            if case["rows"] == "numbers":
                return (
                    mean + hard + 0.1 * np.random.default_rng([seed, i, fold]).random(N_TEST)
                ).astype("f4")
            return hard < mean

        return loss

    learners = [learner(i) for i in range(n)]
    candidates = range(n) if case["listed"] else iter(range(n))
    search = Search(
        candidates,
        schedule=case["target"],
        policy=policy or Race(by_rows=case["by_rows"]),
        n_folds=k,
        scale=case["scale"],
    )
    tasks = play(search, learners, n_workers=case["n_workers"], pick=pick)
    return search, tasks, learners


def k_fold_loss(learner, case):
    k = case["n_folds"]
    return sum(float(np.mean(learner(case["target"], fold))) for fold in range(k)) / k


@given(portfolios)
def test_never_more_target_evaluations_than_k_fold(case):
    _, tasks, _ = race(case)

    at_target = [task for task in tasks if task.anchor == case["target"]]
    assert len(at_target) == len(set(at_target)) <= case["n"] * case["n_folds"]


@given(portfolios)
def test_the_winner_has_its_exact_k_fold_score(case):
    search, _, learners = race(case)

    best = search.best
    assert best.status is Status.COMPLETED
    assert best.loss == pytest.approx(k_fold_loss(learners[best.candidate], case), abs=1e-12)


@given(portfolios)
def test_the_winner_is_the_best_of_all_that_completed(case):
    search, _, _ = race(case)

    complete = [r for r in search.results.values() if r.status is Status.COMPLETED]
    assert search.best.loss == min(result.loss for result in complete)


@given(portfolios)
def test_the_same_portfolio_gives_the_same_trace(case):
    def trace():
        search, tasks, _ = race(case)
        return tasks, [result.decisions for result in search.results.values()]

    assert trace() == trace()


@given(portfolios)
def test_every_prune_names_what_it_had_to_beat(case):
    search, _, _ = race(case)

    for result in search.results.values():
        if result.status is Status.PRUNED:
            prune = result.decisions[-1]
            assert isinstance(prune, Prune)
            had, to_beat = (result.scale.score(loss) for loss in (prune.bound, prune.threshold))
            assert result.curve.mean(prune.anchor) == prune.bound
            assert prune.bound > prune.threshold or prune.rule == "expected gain"
            assert f"({IN_WORDS[prune.rule]}): {had:.4g}, to beat {to_beat:.4g}" in result.explain()


@given(portfolios, st.randoms())
def test_the_order_of_a_candidates_answers_changes_nothing_it_is_judged_by(case, rng):
    case = {**case, "rows": "truths", "listed": True, "by_rows": True}
    search, _, _ = race(case)
    again, _, _ = race(case, pick=lambda running: rng.randrange(len(running)))

    for name, result in search.results.items():
        other = again.results[name]
        if {result.status, other.status} == {Status.COMPLETED}:
            assert result.loss == other.loss


def test_twins_are_told_by_their_rows():
    hard = np.random.default_rng(0).random((10, 400))
    learners = {
        "leader": lambda anchor, fold: hard[fold] < 0.2,
        # Differs on two rows of a hundred, in both directions.
        "twin": lambda anchor, fold: (hard[fold] < 0.2) ^ (np.arange(400) % 100 == 7),
    }
    plain = {
        name: lambda anchor, fold, f=f: float(f(anchor, fold).mean())
        for name, f in learners.items()
    }

    def n_folds_of_twin(given):
        search = Search(list(given), schedule=1000, n_folds=10, policy=Race(by_rows=True))
        return sum(task.candidate == "twin" for task in play(search, given))

    assert n_folds_of_twin(learners) < n_folds_of_twin(plain)


def test_rows_are_kept_of_those_who_may_still_be_compared():
    case = {"seed": 3, "n": 12, "n_folds": 5, "target": 300, "n_workers": 1, "listed": True}
    search, _, _ = race(
        {**case, "spread": 0.2, "scale": Scale(), "rows": "truths", "by_rows": True}
    )

    for contender in search.portfolio.contenders.values():
        known = [cell.row_losses is not None for cell in contender.curve]
        assert all(known) if contender.status is Status.COMPLETED else not any(known)


def test_small_targets_have_no_anchors():
    assert Race().schedule(4000).inner == ()


def test_of_two_clearly_different_candidates_the_worse_gets_one_fold():
    search = Search(["bad", "good"], schedule=1000, n_folds=10)
    tasks = play(search, {"good": power_law(0.1), "bad": power_law(0.4)})

    assert [task.fold for task in tasks if task.candidate == "bad"] == [0]
    assert any(isinstance(d, Lead) for d in search.results["good"].decisions)


def test_hopeless_candidates_never_reach_a_large_target():
    learners = {i: power_law(0.05 if i == 3 else 0.4) for i in range(8)}
    search = Search(list(learners), schedule=50_000, n_folds=5)
    tasks = play(search, learners)

    at_target = {task.candidate for task in tasks if task.anchor == 50_000}
    assert len(at_target) < 8
    assert search.best.candidate == 3


def test_without_anchors_the_first_candidate_goes_to_the_target_at_once():
    search = Search(["a"], schedule=1000)
    play(search, {"a": power_law(0.1)})

    assert isinstance(search.results["a"].decisions[0], Skip)


def test_the_cheapest_of_equals_leads():
    def costly(task):
        seconds = {"dear": 9.0, "cheap": 1.0, "middle": 3.0}[task.candidate]
        return Observation(task, 0.2, seconds=seconds, n_test=500)

    search = Search(["dear", "cheap", "middle"], schedule=1000, n_folds=5)
    run(search, ReplayExecutor(costly))

    leaders = [
        c for c, r in search.results.items() if any(isinstance(d, Lead) for d in r.decisions)
    ]
    assert leaders == ["dear", "cheap"]


def test_cheaper_candidates_are_given_more_chances():
    learners = {"leader": 0.200, "challenger": 0.204}

    def folds_of_challenger(seconds):
        def look_up(task):
            loss = learners[task.candidate] + 0.004 * noise(task.fold, len(task.candidate))
            cost = 1.0 if task.candidate == "leader" else seconds
            return Observation(task, loss, seconds=cost, n_test=5000)

        search = Search(list(learners), schedule=1000, n_folds=10)
        run(search, ReplayExecutor(look_up))
        return search.results["challenger"].curve.n(1000)

    assert folds_of_challenger(0.01) > folds_of_challenger(50.0)


def test_a_late_starter_is_not_pruned_at_an_anchor_while_its_slope_can_explain_the_lag():
    learners = {
        "steady": lambda anchor, fold: 0.20,
        "late": lambda anchor, fold: 0.05 + 8 * anchor**-0.5,
    }
    search = Search(list(learners), schedule=50_000, n_folds=5)
    play(search, learners)

    assert learners["late"](6250, 0) < 0.20 < learners["late"](1562, 0)
    assert search.best.candidate == "late"


def test_a_stream_meets_the_leader_one_after_the_other():
    learners = {i: power_law(0.1 + (i % 5) / 10) for i in range(30)}
    search = Search(iter(learners), schedule=1000, n_folds=5)
    tasks = play(search, learners)

    late = [task for task in tasks if task.candidate >= 8]
    assert [task.candidate for task in late] == sorted(task.candidate for task in late)
    assert search.best.candidate == 0


@given(portfolios)
def test_at_price_zero_it_is_k_fold(case):
    search, tasks, learners = race(case, Race(price=0))

    means = [k_fold_loss(one, case) for one in learners]
    assert search.best.loss == pytest.approx(min(means), abs=1e-12)
    assert {task.anchor for task in tasks} == {case["target"]}


def test_at_price_zero_anchors_prune_nothing():
    learners = {"good": power_law(0.1), "bad": power_law(0.6)}
    search = Search(list(learners), schedule=Schedule((300, 1200, 9000)), policy=Race(price=0))
    play(search, learners)

    assert {task.task.anchor for task in search.results["bad"].curve} == {9000}


def test_without_any_word_on_the_noise_nothing_is_dropped_before_the_leader_is_complete():
    def look_up(task):
        return Observation(task, 0.1 + task.candidate / 10, seconds=1.0)

    search = Search([2, 1, 0], schedule=1000, n_folds=5)
    run(search, ReplayExecutor(look_up))

    assert search.best.candidate == 0
    for name in (1, 2):
        prune = search.results[name].decisions[-1]
        assert isinstance(prune, Prune)
        assert prune.threshold == pytest.approx(0.1)


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf"), "abc"])
def test_impossible_prices_are_refused(price):
    with pytest.raises(InvalidParameterError, match="price must be"):
        Race(price=price)


def explored(n_asked, *, exploring):
    """Ask for tasks of large candidates and tell of them; give those that had a look at the end."""
    search = Search(iter(range(1000)), schedule=64_000, n_folds=5)
    search.portfolio.exploring = exploring or None
    for _ in range(n_asked):
        (task,) = search.ask()
        loss = 0.2 + task.candidate % 7 / 1000 + 64 / task.anchor
        search.tell(Observation(task, loss, seconds=task.anchor / 64_000, n_test=8000))
    return search


def test_while_it_explores_new_candidates_go_before_further_folds():
    tasks = explored(300, exploring=True).portfolio.contenders.values()

    assert len(tasks) > 1.5 * len(explored(300, exploring=False).portfolio.contenders)
    assert all(one.curve.n(64_000) <= 1 for one in tasks)


def test_after_it_has_explored_the_race_goes_on_as_usual():
    search = explored(300, exploring=True)
    search.portfolio.exploring = False
    leader = search.portfolio.leader.candidate
    for fold in range(1, 5):
        (task,) = search.ask()
        search.tell(Observation(task, 0.2, seconds=1.0, n_test=8000))

        assert task == (leader, 64_000, fold)


def test_exploring_a_list_leads_to_the_same_winner_as_ever():
    for exploring in (False, True):
        search = Search(range(12), schedule=64_000, n_folds=5)
        search.portfolio.exploring = exploring or None
        while not search.done:
            for task in search.ask():
                loss = 0.2 + (task.candidate - 5) ** 2 / 500 + task.fold / 1000
                search.tell(Observation(task, loss, seconds=1.0, n_test=8000))

        assert search.best.candidate == 5
        assert search.best.score == pytest.approx(0.798)


def test_within_a_budget_who_is_slow_and_behind_waits_for_the_leaders_folds():
    search = Search(iter(range(2)), schedule=64_000, n_folds=3)
    search.portfolio.exploring = False
    tasks = []
    while not search.done:
        (task,) = search.ask()
        tasks.append(task)
        slow = task.candidate == 1
        loss = 0.2 + slow / 200 + 64 / task.anchor
        seconds = (20 if slow else 1) * task.anchor / 64_000
        search.tell(Observation(task, loss, seconds=seconds, n_test=8000))
    at_target = [(task.candidate, task.fold) for task in tasks if task.anchor == 64_000]

    assert at_target[:4] == [(0, 0), (0, 1), (0, 2), (1, 0)]


@given(portfolios, st.integers(1, 6))
def test_as_many_as_are_wanted_end_with_all_their_folds(case, winners):
    search, _, learners = race(case, Race(winners=winners))
    completed = [one for one in search.results.values() if one.status is Status.COMPLETED]

    assert len(completed) >= min(winners, case["n"])
    for one in completed:
        assert one.loss == pytest.approx(k_fold_loss(learners[one.candidate], case), abs=1e-12)


@given(portfolios)
def test_one_winner_is_the_race_as_it_is(case):
    assert trace_of(case, Race()) == trace_of(case, Race(winners=1))


def trace_of(case, policy):
    search, tasks, _ = race(case, policy)
    return tasks, [one.decisions for one in search.results.values()]


def test_the_best_of_many_are_those_of_k_fold():
    losses = {i: [0.1 + i / 100 + noise(7, i, fold) / 200 for fold in range(5)] for i in range(20)}
    search = Search(range(20), schedule=900, n_folds=5, policy=Race(winners=4))
    n_tasks = 0
    while not search.done:
        for task in search.ask():
            n_tasks += 1
            search.tell(Observation(task, losses[task.candidate][task.fold], n_test=500))
    completed = {name for name, one in search.results.items() if one.status is Status.COMPLETED}

    assert {0, 1, 2, 3} <= completed
    assert n_tasks < 70


@pytest.mark.parametrize("winners", [0, 1.5, "two"])
def test_a_number_of_winners_that_makes_no_sense_is_refused(winners):
    with pytest.raises(InvalidParameterError, match="winners"):
        Race(winners=winners)


def test_whether_rows_count_is_yes_or_no():
    with pytest.raises(InvalidParameterError, match="by_rows must be True or False"):
        Race(by_rows="yes")
