from time import monotonic

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold

import curvewise as cw
from curvewise.automl import RandomProposer
from curvewise.automl._budget import (
    FEWEST_ROUNDS,
    GRACE,
    MOST_ROUNDS,
    keeps_exploring,
    most_rounds,
    seconds_after,
    with_rounds_for,
)
from curvewise.automl._pipeline_search import (
    PROPOSERS,
    proposer_for,
    shuffled_folds,
    space_for,
    versions,
    whole_curves,
)
from curvewise.automl._space.default_spaces import portfolio
from curvewise.errors import InvalidParameterError


def test_what_is_left_out_is_not_drawn():
    space = space_for("classification", "paper", leave_out="SVC")

    assert len(space.components("classifier")) == 13


def test_versions_name_what_is_installed():
    assert {"python", "scikit-learn"} <= versions().keys()


def test_folds_are_shuffled_from_the_seed():
    folds = shuffled_folds("regression", n_folds=10, random_state=7)

    assert isinstance(folds, KFold)
    assert (folds.n_splits, folds.shuffle, folds.random_state) == (10, True, 7)


@pytest.mark.parametrize("n_folds", [2, 3, 10])
@pytest.mark.parametrize("wobble", [0.0, 0.01], ids=["the same", "different"])
def test_every_fold_is_taken_whether_or_not_folds_agree(n_folds, wobble):
    validation = cw.Validation("svc", schedule=512, policy=cw.WholeCurve(), n_folds=n_folds)
    while not validation.done:
        for task in validation.ask():
            validation.tell(cw.Observation(task, 0.1 + wobble * task.fold, n_test=100))

    curve = validation.result.curve
    assert {anchor: curve.n(anchor) for anchor in curve.anchors} == dict.fromkeys(
        cw.WholeCurve().schedule(512).anchors, n_folds
    )


def test_a_constant_score_gets_a_whole_curve():
    X, y = np.arange(400.0).reshape(200, 2), np.arange(200) % 2
    search = cw.CurveSearchCV({"constant": DummyClassifier()}, cv=5, refit=False, random_state=0)
    (result,) = whole_curves(search.fit(X, y), X, y, n_best=1)

    assert len(set(result.curve.losses(160))) == 1
    assert {anchor: result.curve.n(anchor) for anchor in result.curve.anchors} == {80: 5, 160: 5}


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_spaces_go_by_their_names(task):
    today, paper = space_for(task, "today"), space_for(task, "paper")

    assert today.slots == space_for(task, None).slots
    assert (today.has_views, paper.has_views) == (True, False)
    assert len(paper.slots) == 3
    assert paper.only_possible


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_portfolio_of_a_space_is_proposed_first(task):
    space = space_for(task, None)
    known = portfolio(task, space)
    proposer = proposer_for(task, space, random_state=0)

    assert isinstance(proposer, RandomProposer)
    assert [proposer.ask().configuration for _ in known] == known
    assert proposer.ask().configuration["seed"] > 0


def test_without_any_result_a_search_may_exceed_its_budget():
    search = cw.Search(["a"], schedule=900, n_folds=3)
    (task,) = search.ask()
    before = seconds_after(search, n_rows=1000, afterwards=2.0)
    search.tell(cw.Observation(task, 0.1, seconds=9.0, n_test=100))

    assert before == -GRACE
    assert seconds_after(search, n_rows=1000, afterwards=2.0) > 2.0 + 9.0


@pytest.mark.parametrize("name", PROPOSERS)
def test_proposers_go_by_their_names(name):
    space = space_for("regression", None)
    first = proposer_for("regression", space, name, random_state=0).ask().configuration

    assert (first == portfolio("regression", space)[0]) == name.startswith("portfolio")


def test_a_proposer_of_ones_own_is_taken_as_it_is():
    own = cw.Proposer()

    assert proposer_for("regression", space_for("regression", None), own, random_state=0) is own


def test_an_unknown_proposer_is_refused():
    with pytest.raises(InvalidParameterError, match=r"'portfolio'.*got 'best'"):
        proposer_for("regression", None, "best", random_state=0)


def explored(rows, *, left, seconds_of_fold=1.0, n_jobs=2):
    """Say whether a search goes on exploring after its first candidate was at the target."""
    search = cw.Search(iter("abc"), schedule=rows, n_folds=5)
    while search.portfolio.leader is None:
        (task,) = search.ask()
        search.tell(cw.Observation(task, 0.1, seconds=seconds_of_fold, n_test=100))
    return keeps_exploring(search, left, seconds=60.0, n_jobs=n_jobs)


def test_half_of_a_budget_is_for_looking_around_where_fits_take_long():
    assert explored(10_000, left=50)
    assert not explored(10_000, left=25)
    assert not explored(1000, left=50)


def test_the_leaders_other_folds_are_set_aside():
    assert not explored(10_000, left=50, seconds_of_fold=20.0)
    assert explored(10_000, left=50, seconds_of_fold=20.0, n_jobs=5)


def test_it_looks_around_again_when_the_leader_is_settled():
    search = cw.Search(iter("ab"), schedule=10_000, n_folds=5)
    while not search.done:
        (task,) = search.ask()
        search.tell(cw.Observation(task, 0.1 + (task.candidate == "b"), seconds=1.0, n_test=100))

    assert keeps_exploring(search, 20.0, seconds=60.0, n_jobs=2)
    assert not keeps_exploring(search, 3.0, seconds=60.0, n_jobs=2)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_boosters_have_as_many_rounds_as_there_is_time_for(n_classes):
    y = np.arange(100_000) % n_classes
    most = [most_rounds(y, task="classification", seconds=each) for each in (1, 300, 1e9)]
    trees = 1 if n_classes == 2 else n_classes

    assert most == [FEWEST_ROUNDS, max(FEWEST_ROUNDS, 300 // trees), MOST_ROUNDS]
    assert most_rounds(y, task="regression", seconds=300) == 300


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_rounds_are_part_of_every_configuration(task):
    y = np.arange(50_000) % 2
    space = with_rounds_for(space_for(task, None), y, task=task, seconds=120.0)
    boosters = {one.name for one in space.components() if one.rounds}
    listed = [next(iter(one.values())) for one in portfolio(task, space)]
    drawn = space.draw(np.random.RandomState(0)).configuration(seed=0)

    assert all((one["component"] in boosters) == ("max_rounds" in one) for one in listed)
    assert {one["max_rounds"] for one in listed if one["component"] in boosters} == {240}
    assert drawn


def test_time_for_a_learning_curve_is_set_aside_but_at_most_a_share():
    search = cw.Search(["svc"], schedule=800, n_folds=5)
    (task,) = search.ask()
    search.tell(cw.Observation(task, 0.1, seconds=10.0))
    without = seconds_after(search, n_rows=1000)
    at_first = seconds_after(search, n_rows=1000, curve_since=monotonic())
    late = seconds_after(search, n_rows=1000, curve_since=monotonic() - 10_000, n_jobs=2)

    assert at_first == pytest.approx(without, abs=0.1)
    assert late == pytest.approx((1 + 2 * 5 / 2) * without)
