"""Configurations that come back from a store are those that a proposer can give."""

import json

import pytest
from sklearn.svm import SVC

from curvewise.automl._evolving_proposer import EvolvingProposer
from curvewise.automl._proposers import RandomProposer
from curvewise.automl._space.component import Component
from curvewise.automl._space.configuration import check_kept
from curvewise.automl._space.default_spaces import default_space, paper_space, portfolio
from curvewise.automl._space.search_space import Slot
from curvewise.errors import StoreError


class PowerOfTwo:
    n_weight = 10

    def draw(self, rng):
        return 2 ** int(rng.randint(10))


SPACE = default_space("classification")
LISTED = portfolio("classification", SPACE)
LINEAR = {"component": "LogisticRegression", "C": 1.0, "view": "scaled"}


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("make", [default_space, paper_space])
def test_what_is_proposed_comes_back(task, make):
    space = make(task)
    listed = portfolio(task, space)
    proposer = EvolvingProposer(space, first=listed, random_state=0, means=True)
    for i in range(120):
        proposal = proposer.ask()
        proposer.tell_early(proposal, 1 / (i + 1))
        check_kept(space.slots, json.loads(json.dumps(proposal.configuration)), listed=listed)


@pytest.mark.parametrize(
    "kept",
    [
        None,
        "abc",
        {"classifier": "abc"},
        {"classifier": {}},
        {"classifier": {"component": ["LogisticRegression"]}},
        {"classifier": {"component": "DecisionStump"}},
        {"elsewhere": LINEAR},
        {"seed": -1, "classifier": LINEAR},
        {"seed": "0", "classifier": LINEAR},
        {"classifier": LINEAR | {"C": 1e300}},
        {"classifier": LINEAR | {"C": "1"}},
        {"classifier": LINEAR | {"view": "/etc/passwd"}},
        {"classifier": LINEAR | {"max_iter": 10**12}},
        {"classifier": {"component": "LGBMClassifier", "forcedsplits_filename": "splits.json"}},
        {"classifier": {"component": "LGBMClassifier", "machines": "127.0.0.1:9"}},
    ],
)
def test_what_no_proposer_gives_is_refused(kept):
    proposer = RandomProposer(SPACE, first=LISTED, random_state=0)

    with pytest.raises(StoreError, match="The store is damaged: "):
        proposer.again(kept)


def test_what_was_listed_comes_back_as_json_has_it():
    first = {"seed": 3, "classifier": LINEAR | {"max_iter": 7, "C": 1e9}}
    proposer = RandomProposer(SPACE, first=[first], random_state=0)
    proposer.ask()

    assert proposer.again({"seed": 3, "classifier": LINEAR | {"max_iter": 7}}).name


def test_a_parameter_of_ones_own_kind_comes_back():
    component = Component(name="SVC", target=SVC, parameters={"C": PowerOfTwo()})
    slot = Slot(name="classifier", components=[component])

    check_kept([slot], {"seed": 0, "classifier": {"component": "SVC", "C": 8}})
