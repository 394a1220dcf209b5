import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import (
    LCCV,
    AdaptiveLCCV,
    AnovaRace,
    BootstrapDropping,
    EarlyStoppedCV,
    Failure,
    Halving,
    KFoldCV,
    LearningCurve,
    Observation,
    Race,
    Reason,
    Scale,
    Search,
    Status,
    Task,
    Validation,
    WilcoxonRace,
)
from curvewise.errors import InvalidParameterError, UnknownTaskError
from tests.play import noise, observe, play, power_law

POLICIES = [
    KFoldCV(),
    LCCV(),
    AdaptiveLCCV(),
    Race(),
    WilcoxonRace(),
    Halving(),
    EarlyStoppedCV(),
    AnovaRace(),
    BootstrapDropping(),
]
LEARNERS = {i: power_law((i + 3) % 7 / 20, wobble=0.02) for i in range(7)}


def state_of(search):
    """Everything that a decision could change, as text."""
    portfolio = search.portfolio
    contenders = [
        (c.anchor, c.status, c.pending, c.trace, list(c.curve), c.failures, c.seconds_spent)
        for c in portfolio.contenders.values()
    ]
    return repr((portfolio.leader, portfolio.version, portfolio.unit, contenders))


def by_name(policy):
    return policy.name


@pytest.mark.parametrize("policy", POLICIES, ids=by_name)
@pytest.mark.parametrize("n_workers", [1, 3, 50])
def test_every_policy_finds_a_clear_winner_with_any_number_of_workers(policy, n_workers):
    search = Search(list(LEARNERS), schedule=6000, policy=policy, n_folds=5)

    tasks = play(search, LEARNERS, n_workers=n_workers)

    assert search.best.candidate == 4
    assert search.best.curve.n(6000) == 5
    assert len(tasks) == len(set(tasks))


@pytest.mark.parametrize("policy", POLICIES, ids=by_name)
def test_the_same_search_gives_the_same_trace(policy):
    def trace():
        search = Search(list(LEARNERS), schedule=6000, policy=policy)
        return play(search, LEARNERS, n_workers=3), [r.decisions for r in search.results.values()]

    assert trace() == trace()


@pytest.mark.parametrize("policy", POLICIES, ids=by_name)
def test_deciding_changes_no_state(policy):
    search = Search(list(LEARNERS), schedule=6000, policy=policy)
    for _ in range(12):
        for task in search.ask():
            search.tell(observe(task, LEARNERS[task.candidate](task.anchor, task.fold)))
        for contender in search.portfolio.contenders.values():
            if contender.alive and not contender.pending:
                before = state_of(search)
                once = policy.decide(search.portfolio, contender)

                assert policy.decide(search.portfolio, contender) == once
                assert state_of(search) == before


def test_an_endless_iterator_is_drawn_from_as_needed():
    drawn = []

    def endless():
        i = 0
        while True:
            drawn.append(i)
            yield i
            i += 1

    search = Search(endless(), schedule=900, policy=KFoldCV(), n_folds=2)

    search.ask(4)

    assert len(drawn) <= 3


def test_an_outcome_that_comes_twice_is_ignored_the_second_time():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=2)
    first, second = search.ask(2)

    assert search.tell(Observation(first, 0.1))
    assert not search.tell(Observation(first, 0.9))
    search.tell(Observation(second, 0.3))
    assert search.best.loss == pytest.approx(0.2)
    assert not search.tell(Observation(second, 0.9))


@pytest.mark.parametrize("task", [Task("b", 900, 0), Task("a", 901, 0), Task("a", 900, 7)])
def test_an_outcome_that_was_never_asked_for_is_our_bug(task):
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=2)
    search.ask(2)

    with pytest.raises(UnknownTaskError):
        search.tell(Observation(task, 0.1))


def test_candidates_can_be_added_while_it_runs():
    search = Search(schedule=900, policy=KFoldCV(), n_folds=1)
    assert search.done
    search.add("a")

    assert not search.done
    (task,) = search.ask()
    search.tell(Observation(task, 0.5))
    search.add("b")
    (task,) = search.ask()
    search.tell(Observation(task, 0.1))
    assert search.best.candidate == "b"


def test_a_candidate_cannot_be_in_it_twice():
    search = Search(["a"], schedule=900, policy=KFoldCV())
    search.ask()

    with pytest.raises(InvalidParameterError, match="'a' is in the search already"):
        search.add("a")
    with pytest.raises(InvalidParameterError, match="'b' is listed twice"):
        Search(["b", "b"], schedule=900, policy=Race())
    with pytest.raises(InvalidParameterError, match="'b' is in the search already"):
        Search(iter(["b", "b"]), schedule=900, policy=KFoldCV(), n_folds=1).ask(5)


def test_running_tasks_of_a_candidate_that_is_out_are_cancelled():
    search = Search(["good", "bad"], schedule=900, policy=Race(), n_folds=5)
    good, bad = search.ask(2)
    search.tell(observe(bad, 0.5))
    more = search.ask(2)
    assert {task.candidate for task in more} == {"bad"}
    search.tell(observe(good, 0.01))

    assert set(search.cancellations()) == set(more)
    assert search.results["bad"].status is Status.PRUNED


def test_ties_go_to_the_earlier_candidate():
    search = Search(["first", "second"], schedule=900, policy=KFoldCV(), n_folds=1)
    one, two = search.ask(2)
    search.tell(Observation(two, 0.1))
    search.tell(Observation(one, 0.1))

    assert search.best.candidate == "first"


def test_an_earlier_result_can_be_the_leader_of_a_paired_comparison():
    first = Validation("first", schedule=900, policy=KFoldCV(), n_folds=5)
    for task in first.ask(5):
        first.tell(observe(task, 0.1 + task.fold / 50))
    second = Validation("second", schedule=900, policy=Race(), n_folds=5, best_loss=first.result)
    (task,) = second.ask()
    second.tell(observe(task, 0.3))

    assert second.result.status is Status.PRUNED


def test_every_decision_reaches_the_observer():
    seen = []
    search = Search(
        ["a"], schedule=900, n_folds=2, observer=lambda candidate, decision: seen.append(decision)
    )
    play(search, {"a": power_law(0.1)})

    assert tuple(seen) == search.results["a"].decisions


def test_a_result_is_there_before_anything_ran():
    validation = Validation("a", schedule=900)

    assert validation.result.status is Status.RUNNING
    assert validation.result.explain() == "a has not begun"


def test_a_doomed_candidate_is_given_no_more_tasks():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=10)
    first, second = search.ask(2)
    search.tell(Failure(first, Reason.TIMEOUT))

    assert search.ask(9) == []
    assert not search.done
    search.tell(Observation(second, 0.1))
    assert search.done
    assert search.results["a"].status is Status.STOPPED
    assert search.results["a"].loss == 0.1


def test_a_result_does_not_change_any_more():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=2)
    first, second = search.ask(2)
    search.tell(Observation(first, 0.1))
    result = search.results["a"]
    search.tell(Observation(second, 0.1))

    assert len(result.curve) == 1


@given(
    st.sampled_from(
        [
            KFoldCV(),
            LCCV(),
            AdaptiveLCCV(),
            Race(),
            WilcoxonRace(),
            EarlyStoppedCV(),
            EarlyStoppedCV(rule="aggressive"),
            EarlyStoppedCV(rule="robust", top=2),
        ]
    ),
    st.sampled_from([Scale(), Scale.unbounded()]),
    st.integers(0, 10**6),
    st.sets(st.tuples(st.integers(0, 3), st.sampled_from([64, 187, 750, 6000]), st.integers(0, 4))),
    st.randoms(),
)
def test_arrival_order_of_a_candidates_outcomes_changes_nothing(
    policy, scale, seed, failing, random
):
    """Several candidates, one after the other; the outcomes of each are told in any order."""

    def results(shuffle):
        search = Search(iter(range(4)), schedule=6000, policy=policy, n_folds=5, scale=scale)
        while not search.done:
            tasks = search.ask(9)
            for candidate in dict.fromkeys(task.candidate for task in tasks):
                own = [task for task in tasks if task.candidate == candidate]
                for task in shuffle(own):
                    if tuple(task) in failing:
                        reason = [Reason.ERROR, Reason.TIMEOUT, Reason.MEMORY][task.fold % 3]
                        search.tell(Failure(task, reason, f"at {task}"))
                    else:
                        search.tell(observe(task, 0.3 + 0.1 * noise(seed, *task)))
        return search.results

    in_order = results(lambda tasks: tasks)
    shuffled = results(lambda tasks: random.sample(tasks, len(tasks)))

    assert repr(in_order) == repr(shuffled)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_folds": 0}, "n_folds must be at least 1"),
        ({"n_folds": 2.5}, "n_folds must be a whole number"),
        ({"policy": Race}, r"policy must be a policy such as Race\(\)"),
        ({"policy": "race"}, r"policy must be a policy such as Race\(\)"),
        ({"schedule": "x"}, "schedule must be a whole number"),
        ({"schedule": 0}, "schedule must be at least 1"),
        ({"best_loss": math.nan}, "best_loss must be a finite number"),
        ({"candidates": [[]]}, "Candidates must be hashable"),
    ],
)
def test_impossible_searches_are_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        Search(**{"candidates": ["a"], "schedule": 900, **options})


def test_earlier_candidates_count_in_costs_and_are_no_results():
    earlier = [
        LearningCurve([Observation(Task(f"old {i}", 900, 0), 0.3, seconds=2.0 + i)])
        for i in range(3)
    ]
    search = Search(["new"], schedule=900, n_folds=2, earlier=[*earlier, LearningCurve()])
    before = search.portfolio.mean_seconds
    while not search.done:
        for task in search.ask():
            search.tell(Observation(task, 0.1, seconds=7.0))

    assert before == 3.0
    assert list(search.results) == ["new"]
    assert search.best.candidate == "new"


@pytest.mark.parametrize(("one_of", "n_fits"), [(None, 2), (500, 5)])
def test_one_of_many_bears_its_share_of_the_bill(one_of, n_fits):
    losses = [0.1, 0.12, 0.11, 0.1, 0.12]
    first = Search(["first"], schedule=900, n_folds=5)
    search_all(first, lambda task: losses[task.fold])
    second = Search(
        ["second"], schedule=900, n_folds=5, best_loss=first.best, one_of=one_of, policy=Race()
    )
    search_all(second, lambda task: losses[task.fold] + 0.001)

    assert len(second.results["second"].curve) == n_fits


def search_all(search, loss):
    while not search.done:
        for task in search.ask():
            search.tell(Observation(task, loss(task), n_test=2000))
