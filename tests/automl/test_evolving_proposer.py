"""A proposer that changes what did well."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Lasso, Ridge

from curvewise.automl import (
    Categorical,
    Component,
    Integer,
    Real,
    SearchSpace,
    Slot,
    default_space,
)
from curvewise.automl._evolving_proposer import (
    FEWEST_KNOWN,
    N_AVERAGED,
    EvolvingProposer,
    changed,
    nearby,
)

SPACES = {task: default_space(task) for task in ("classification", "regression")}


@given(st.integers(0, 10_000), st.floats(0.01, 100))
def test_a_number_stays_within_its_bounds(seed, value):
    rng = np.random.RandomState(seed)

    assert 0.01 <= nearby(Real(0.01, 100, log=True), value, rng) <= 100
    assert nearby(Integer(1, 7), 3, rng) in range(1, 8)
    assert nearby(Categorical(["a", "b"]), "a", rng) in ("a", "b")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(sorted(SPACES)))
def test_what_was_changed_is_of_the_same_component_and_can_be_built(seed, task):
    space = SPACES[task]
    rng = np.random.RandomState(seed)
    (slot,) = space.slots
    component = slot.components[rng.randint(len(slot.components))]
    values = component.draw(rng)
    new = changed(component, values, rng)

    assert new.keys() == values.keys()
    space.build({"seed": 0, slot.name: {"component": component.name, **new}})


def asked(proposer, n, worth):
    proposals = []
    for _ in range(n):
        proposal = proposer.ask()
        proposals.append(proposal)
        proposer.tell_early(proposal, worth(proposal.configuration))
    return proposals


def test_most_proposals_are_near_what_did_well():
    def worth(configuration):
        return float(configuration["regressor"]["component"] == "Ridge")

    first = [{"seed": 0, "regressor": {"component": "Ridge", "view": "ranks", "alpha": 10.0}}]
    proposer = EvolvingProposer(SPACES["regression"], first=first, random_state=0)
    later = asked(proposer, 60, worth)[FEWEST_KNOWN:]
    n_ridge = sum(worth(one.configuration) for one in later)

    assert 0.5 * len(later) < n_ridge < len(later)


def test_the_same_seed_and_the_same_news_give_the_same_proposals():
    def worth(configuration):
        return len(str(configuration)) / 1000

    one, other = (
        [each.configuration for each in asked(proposer, 20, worth)]
        for proposer in (
            EvolvingProposer(SPACES["classification"], random_state=5) for _ in range(2)
        )
    )

    assert one == other


def test_a_failed_candidate_teaches_nothing():
    proposer = EvolvingProposer(SPACES["regression"], random_state=0)
    for _ in range(3 * FEWEST_KNOWN):
        proposer.tell(proposer.ask(), float("nan"), None)

    assert not proposer._known


@pytest.mark.parametrize("n_draws", [0, 3])
def test_it_ends_when_there_are_enough(n_draws):
    proposer = EvolvingProposer(SPACES["regression"], n_draws=n_draws, random_state=0)

    assert [proposer.ask() is None for _ in range(n_draws + 1)] == [False] * n_draws + [True]


def test_the_best_is_tried_as_a_mean_where_there_is_time():
    proposer = EvolvingProposer(SPACES["regression"], random_state=0, means=True)
    averaged = []
    for i in range(60):
        proposal = proposer.ask()
        kept = proposal.configuration["regressor"]
        is_mean = kept.get("n_seeds", 1) > 1 and kept["component"] != "MLPRegressor"
        if is_mean:
            averaged.append(proposal.configuration)
        # Boosters are good, the later the better; means are better still.
        proposer.tell_early(proposal, ("LGBM" in kept["component"]) * (1 + i) + is_mean)

    assert len(averaged) > 3
    assert "LGBM" in averaged[-1]["regressor"]["component"]
    assert {one["regressor"]["n_seeds"] for one in averaged} == {N_AVERAGED}
    estimator = proposer.space.build(averaged[-1]).steps[-1][1]
    assert estimator.n_seeds == N_AVERAGED


def test_without_time_for_it_no_booster_is_averaged():
    proposer = EvolvingProposer(SPACES["regression"], random_state=0)
    for i in range(60):
        proposal = proposer.ask()
        kept = proposal.configuration["regressor"]
        proposer.tell_early(proposal, i)

        assert "n_seeds" not in kept or kept["component"] == "MLPRegressor"


def test_a_change_is_never_what_was_tried_before():
    few = Component(target=Ridge, parameters={"alpha": Categorical([1.0, 2.0, 3.0])})
    many = Component(target=Lasso, parameters={"alpha": Real(0.1, 1.0)})
    space = SearchSpace([Slot("regressor", [few, many])])

    def worth(configuration):
        return float(configuration["regressor"]["component"] == "Ridge")

    proposals = asked(EvolvingProposer(space, random_state=0), 60, worth)
    filled = {json.dumps(one.configuration["regressor"]) for one in proposals}

    # Of the best there are three; the rest of its changes are draws from the whole space.
    assert len(filled) > 30


def test_a_small_space_is_gone_through_before_anything_comes_again():
    both = Categorical([True, False])
    ridge = Component(target=Ridge, parameters={"fit_intercept": both, "positive": both})
    proposer = EvolvingProposer(SearchSpace([Slot("regressor", [ridge])]), random_state=0)
    filled = [json.dumps(proposer.ask().configuration["regressor"]) for _ in range(8)]

    assert len(set(filled[:4])) == 4


def test_what_was_withdrawn_may_be_proposed_later():
    proposer = EvolvingProposer(SPACES["regression"], random_state=0)
    earlier = EvolvingProposer(SPACES["regression"], random_state=1).ask().configuration
    proposer.again(earlier)

    assert len(proposer._tried) == 1


@pytest.mark.parametrize(("share", "n_means"), [(1.0, 0), (0.5, 1)])
def test_boosters_that_draw_nothing_are_not_averaged(share, n_means):
    booster = {
        "component": "HistGradientBoostingRegressor",
        "learning_rate": 0.1,
        "max_leaf_nodes": 15,
        "min_samples_leaf": 20,
        "l2_regularization": 1.0,
        "max_features": share,
    }
    first = [{"seed": 0, "regressor": booster}]
    proposer = EvolvingProposer(SPACES["regression"], first=first, random_state=0, means=True)
    proposer.tell_early(proposer.ask(), 1.0)
    means = [one for one in asked(proposer, 20, lambda _: float("nan")) if "4 x" in one.name]

    assert len(means) == n_means
