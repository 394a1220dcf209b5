import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import EarlyStoppedCV, Search, Status
from curvewise.errors import InvalidParameterError
from tests.play import play

TARGET = 900


def searched(policy, losses):
    """Search among candidates whose losses on each fold are given."""
    learners = {name: (lambda anchor, fold, own=own: own[fold]) for name, own in enumerate(losses)}
    n_folds = len(losses[0])
    search = Search(list(learners), schedule=TARGET, policy=policy, n_folds=n_folds)
    play(search, learners)
    return search


def n_folds_of(search, candidate):
    return search.results[candidate].curve.n(TARGET)


@pytest.mark.parametrize(
    ("rule", "n_folds"),
    # The means after 1, 2 and 3 folds are .2, .3 and .43; the best has the mean .3, at worst .4.
    [("aggressive", 2), ("forgiving", 3)],
)
def test_a_candidate_is_stopped_when_its_mean_reaches_the_bar(rule, n_folds):
    search = searched(EarlyStoppedCV(rule=rule), [[0.2, 0.3, 0.4, 0.3], [0.2, 0.4, 0.7, 0.0]])

    assert search.results[1].status is Status.PRUNED
    assert n_folds_of(search, 1) == n_folds


def test_the_robust_rule_waits_for_as_many_as_it_looks_at():
    best, worse = [0.2, 0.2, 0.2], [0.9, 0.9, 0.9]
    search = searched(EarlyStoppedCV(rule="robust", top=2), [best, best, worse, worse])

    assert [n_folds_of(search, candidate) for candidate in range(4)] == [3, 3, 1, 1]


def test_the_robust_rule_keeps_who_lowers_the_bound_of_the_best():
    steady = [0.3, 0.3, 0.3, 0.3]
    wide = [0.1, 0.5, 0.1, 0.5]
    search = searched(EarlyStoppedCV(rule="robust", top=1), [wide, steady])

    assert n_folds_of(search, 1) == 4


losses = st.lists(
    st.lists(st.integers(0, 8).map(lambda i: i / 8), min_size=4, max_size=4),
    min_size=1,
    max_size=7,
)


def stopped_by_hand(rule, top, losses):
    """Follow the paper's rules, and its code's for the robust one, as they are written there."""
    complete, n_folds = [], []
    for own in losses:
        n = len(own)
        for k in range(1, len(own)):
            if would_stop(rule, top, complete, own[:k]):
                n = k
                break
        n_folds.append(n)
        if n == len(own):
            complete.append(own)
    return n_folds


def would_stop(rule, top, complete, so_far):
    if not complete:
        return False
    best = min(complete, key=math.fsum)
    if rule == "aggressive":
        return math.fsum(so_far) / len(so_far) >= math.fsum(best) / len(best)
    if rule == "forgiving":
        return math.fsum(so_far) / len(so_far) >= max(best)
    group = complete[:top]
    for each in complete[top:]:
        group = min([group, *replacements(group, each)], key=bound)
    return len(group) == top and all(
        bound(other) >= bound(group) for other in replacements(group, so_far)
    )


def replacements(group, folds):
    return [[*group[:i], folds, *group[i + 1 :]] for i in range(len(group))]


def bound(group):
    folds = np.concatenate(group)
    return round(folds.mean() + folds.std(), 12)


@given(losses, st.sampled_from(["aggressive", "forgiving"]))
def test_the_folds_are_those_of_the_rule_carried_out_by_hand(losses, rule):
    search = searched(EarlyStoppedCV(rule=rule), losses)

    assert [n_folds_of(search, i) for i in range(len(losses))] == stopped_by_hand(rule, 2, losses)


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4, unique=True), min_size=1, max_size=7)
)
def test_the_robust_folds_are_those_of_the_published_rule(losses):
    search = searched(EarlyStoppedCV(rule="robust", top=2), losses)
    expected = stopped_by_hand("robust", 2, losses)

    ties = any(0 < abs(a - b) < 1e-9 for own in losses for a in own for b in own)
    assert ties or [n_folds_of(search, i) for i in range(len(losses))] == expected


@given(losses, st.sampled_from(["aggressive", "forgiving", "robust"]))
def test_who_is_not_stopped_has_the_score_of_cross_validation(losses, rule):
    search = searched(EarlyStoppedCV(rule=rule), losses)

    for candidate, result in search.results.items():
        if result.status is Status.COMPLETED:
            assert result.loss == pytest.approx(math.fsum(losses[candidate]) / 4)
    assert search.best is not None


@given(losses)
def test_the_forgiving_rule_stops_nobody_earlier_than_the_aggressive_one_against_the_same_best(
    losses,
):
    first = [0.0, 0.0, 0.0, 0.5]
    aggressive, forgiving = (
        searched(EarlyStoppedCV(rule=rule), [first, losses[0]])
        for rule in ("aggressive", "forgiving")
    )

    assert n_folds_of(aggressive, 1) <= n_folds_of(forgiving, 1)


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"rule": "gentle"}, "rule must be"),
        ({"top": 0}, "top must be at least 1"),
        ({"sigma": -1}, "sigma must be at least 0"),
    ],
)
def test_impossible_knobs_are_refused(knobs, message):
    with pytest.raises(InvalidParameterError, match=message):
        EarlyStoppedCV(**knobs)
