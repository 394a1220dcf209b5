"""One contract for whoever proposes: a list, a portfolio, random draws, Optuna, and one's own."""

import json
import math
import pickle
from itertools import pairwise

import numpy as np
import optuna
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, KFoldCV, Proposal, Proposer
from curvewise._selection.candidates import gather
from curvewise.automl import (
    Categorical,
    Component,
    Constant,
    Integer,
    OptunaProposer,
    RandomProposer,
    Real,
    SearchSpace,
    Slot,
    When,
    paper_space,
)
from curvewise.automl._space.default_spaces import default_space, portfolio
from curvewise.errors import InvalidParameterError
from tests.selection.learners import Diary

X, y = load_iris(return_X_y=True)
TASKS = ("classification", "regression")
LIST = [
    {"seed": 3, "classifier": {"component": "SVC", "C": 0.5, "kernel": "rbf", "gamma": 0.1}},
    {"seed": 4, "classifier": {"component": "SVC", "C": 2.0, "kernel": "linear"}},
    {"classifier": {"component": "LogisticRegression"}},
]


def small_space():
    """A space of two learners: numbers, choices, tuples, functions, conditions, a constant."""
    svc = Component(
        target=SVC,
        parameters={
            "kernel": Categorical(["rbf", "linear"]),
            "C": Real(0.01, 100, log=True),
            "gamma": Real(0.01, 1.0),
            "max_iter": Constant(1000),
        },
        conditions={"gamma": When("kernel", ["rbf"])},
    )
    logistic = Component(target=LogisticRegression, parameters={"max_iter": Integer(50, 60)})
    return SearchSpace([Slot("classifier", [svc, logistic])])


class Counting(Proposer):
    """A proposer of one's own, which proposes trees that are deeper and deeper."""

    def __init__(self, n_left=math.inf):
        self.n_left = n_left
        self.depth = 0

    def ask(self):
        if self.depth >= self.n_left:
            return None
        self.depth += 1
        tree = DecisionTreeClassifier(max_depth=self.depth, random_state=0)
        return Proposal(tree, f"depth {self.depth}", {"depth": self.depth})


def todays(kind, **options):
    space = default_space("classification")
    return kind(space, first=portfolio("classification", space), random_state=5, **options)


# Fresh ones with the same seed, that go on for ever.
ENDLESS = {
    "random": lambda: RandomProposer(small_space(), random_state=5),
    "a list, then random": lambda: RandomProposer(small_space(), first=LIST, random_state=5),
    "Optuna": lambda: OptunaProposer(small_space(), random_state=5),
    "a list, then Optuna": lambda: OptunaProposer(small_space(), first=LIST, random_state=5),
    "Optuna's random sampler": lambda: OptunaProposer(
        small_space(), sampler=optuna.samplers.RandomSampler(seed=1), random_state=5
    ),
    "the portfolio, then random": lambda: todays(RandomProposer),
    "the portfolio, then Optuna": lambda: todays(OptunaProposer),
    "the paper's space": lambda: OptunaProposer(paper_space("regression"), random_state=5),
    "one's own": Counting,
}
# Fresh ones that end, and what they have to propose.
ENDING = {
    "a list": (lambda: RandomProposer(small_space(), first=LIST, n_draws=0), len(LIST)),
    "a portfolio": (
        lambda: todays(RandomProposer, n_draws=0),
        len(portfolio("classification", default_space("classification"))),
    ),
    "random": (lambda: RandomProposer(small_space(), n_draws=7, random_state=5), 7),
    "Optuna": (lambda: OptunaProposer(small_space(), first=LIST, n_draws=3, random_state=5), 6),
    "one's own": (lambda: Counting(4), 4),
}


def seen(proposal):
    """What there is to see of a proposal."""
    return proposal.name, repr(proposal.estimator), json.dumps(proposal.configuration)


def converse(proposer, n, *, also_tell=True):
    """Ask n times, and tell of each proposal after the next one was asked for."""
    asked = []
    for number in range(n):
        asked.append(proposer.ask())
        if also_tell and number:
            score = math.nan if number % 4 == 0 else math.sin(number)
            proposer.tell(asked[number - 1], score, None)
    return asked


@pytest.mark.parametrize("make", ENDLESS.values(), ids=ENDLESS)
class TestContract:
    @pytest.mark.parametrize("also_tell", [False, True], ids=["asked", "asked and told"])
    def test_the_same_seed_proposes_the_same(self, make, also_tell):
        first, second = (converse(make(), 25, also_tell=also_tell) for _ in range(2))

        assert [seen(one) for one in first] == [seen(one) for one in second]

    def test_a_configuration_survives_json(self, make):
        for proposal in converse(make(), 25):
            text = json.dumps(proposal.configuration)

            assert json.loads(text) == proposal.configuration

    def test_a_proposal_is_an_unfitted_estimator_with_a_name(self, make):
        for proposal in converse(make(), 25):
            assert proposal.name
            assert hasattr(proposal.estimator, "fit")
            assert not hasattr(proposal.estimator, "classes_")

    def test_what_an_earlier_run_had_proposed_comes_again_and_then_what_comes_next(self, make):
        asked = [seen(one) for one in converse(make(), 20, also_tell=False)]
        kept = [json.loads(configuration) for _, _, configuration in asked]
        resumed = make()
        again = [resumed.again(one) for one in kept[:12]]
        again += [resumed.ask() for _ in range(8)]

        assert [seen(one) for one in again] == asked

    def test_a_pickled_one_goes_on_in_the_same_way(self, make):
        proposer = make()
        converse(proposer, 15)
        other = pickle.loads(pickle.dumps(proposer))

        assert [seen(other.ask()) for _ in range(5)] == [seen(proposer.ask()) for _ in range(5)]

    def test_whatever_it_is_told_it_goes_on_proposing(self, make):
        proposer = make()
        for score in (math.nan, -1e300, 0.0, 0.0, 1e300, math.nan):
            proposer.tell(proposer.ask(), score, None)
        twice = proposer.ask()
        proposer.tell(twice, 0.1, None)
        proposer.tell(twice, 0.2, None)

        assert proposer.ask() is not None


@pytest.mark.parametrize(("make", "n"), ENDING.values(), ids=ENDING)
class TestTheEnd:
    def test_none_says_that_there_is_nothing_more(self, make, n):
        proposer = make()
        proposals = converse(proposer, n)

        assert None not in proposals
        assert proposer.ask() is None
        assert proposer.ask() is None

    def test_a_search_ends_with_the_last_proposal(self, make, n):
        candidates = gather(make(), n_iter=100)

        assert len(list(candidates.names)) == n

    def test_whoever_learns_nothing_is_known_in_advance(self, make, n):
        proposer = make()
        candidates = gather(proposer, n_iter=100)

        assert candidates.n_known == (None if proposer.learns else n)

    @pytest.mark.filterwarnings("ignore:.*failed to converge")
    def test_proposals_are_candidates_like_others(self, make, n):
        search = CurveSearchCV(make(), n_iter=3, policy=KFoldCV(), cv=3)
        search.fit(X, y)

        assert len(search.results_) == min(3, n)


@pytest.mark.parametrize("kind", [RandomProposer, OptunaProposer])
class TestSpaces:
    def test_another_configuration_than_the_seed_gives_is_kept(self, kind):
        proposer = kind(small_space(), first=LIST, random_state=0)
        other = {"seed": 9, "classifier": {"component": "LogisticRegression", "max_iter": 55}}
        again = proposer.again(other)

        assert again.configuration == other
        assert again.estimator[-1].max_iter == 55
        # It took the place of the first one of the list.
        assert proposer.ask().configuration == LIST[1]

    def test_choices_that_json_does_not_know_come_back(self, kind):
        values = [(1, 2), np.max, None, 3, (4,)]
        component = Component(
            target=DecisionTreeClassifier, parameters={"max_depth": Categorical(values)}
        )
        space = SearchSpace([Slot("classifier", [component])])
        for proposal in converse(kind(space, random_state=1), 20):
            kept = json.loads(json.dumps(proposal.configuration))
            again = space.build(kept)

            assert again[-1].max_depth is proposal.estimator[-1].max_depth
            assert again[-1].max_depth in values

    def test_what_cannot_work_is_not_proposed(self, kind):
        space = paper_space("classification", only_possible=True)
        for proposal in converse(kind(space, random_state=2), 60):
            filled = {name: one for name, one in proposal.configuration.items() if name != "seed"}

            assert space.can_work(filled)

    def test_a_condition_that_does_not_hold_leaves_a_parameter_out(self, kind):
        for proposal in converse(kind(small_space(), random_state=3), 30):
            values = proposal.configuration["classifier"]

            assert ("gamma" in values) == (values.get("kernel") == "rbf")

    def test_an_unknown_component_is_named(self, kind):
        proposer = kind(small_space(), first=[{"classifier": {"component": "Oracle"}}])

        with pytest.raises(InvalidParameterError, match="has no component 'Oracle'"):
            proposer.ask()


SPACES = [make(task) for make in (default_space, paper_space) for task in TASKS]


@given(st.integers(0, 2**31 - 1), st.sampled_from(SPACES))
def test_every_draw_is_built_again_from_its_configuration(seed, space):
    drawn = space.draw(np.random.RandomState(seed))
    configuration = drawn.configuration(seed=seed)
    again = space.build(json.loads(json.dumps(configuration)))

    assert repr(again) == repr(drawn.build(np.random.RandomState(seed)))


@pytest.mark.parametrize("task", TASKS)
def test_the_portfolio_is_made_of_what_the_space_has(task):
    space = default_space(task)
    component = space.slots[-1].components[0].name

    assert portfolio(task, space)
    for entry in portfolio(task, space):
        assert space.can_work(entry)
        assert space.build(entry)[0].view in ("categories", "scaled", "ranks")
    assert portfolio(task, paper_space(task)) == []
    without = portfolio(task, space.without(component))
    assert all(entry[space.slots[-1].name]["component"] != component for entry in without)


class Slow(Diary):
    """A tree of its own depth for each of many values."""

    def __init__(self, C=1.0, max_depth=2, criterion="gini"):
        super().__init__(max_depth, criterion)
        self.C = C


@pytest.fixture
def diary(monkeypatch):
    """An empty diary."""
    monkeypatch.setattr(Diary, "fits", [])
    monkeypatch.setattr(Diary, "interrupt_after", None)
    return Diary


class OneByOne(RandomProposer):
    """Asked when there is room, as within a time budget."""

    learns = True


@pytest.mark.parametrize("kind", [RandomProposer, OneByOne, OptunaProposer])
@pytest.mark.parametrize("interrupts", [(3,), (23,), (9, 30, 31)], ids=str)
@pytest.mark.parametrize("policy", [KFoldCV(), None], ids=["k-fold", "race"])
class TestResume:
    def search(self, kind, **settings):
        parameters = {"C": Real(0.1, 10, log=True), "max_depth": Integer(1, 6)}
        first = [{"tree": {"component": "Slow", "C": 1.0, "max_depth": depth}} for depth in (1, 2)]
        space = SearchSpace([Slot("tree", [Component(target=Slow, parameters=parameters)])])
        proposer = kind(space, first=first, random_state=7)
        return CurveSearchCV(proposer, n_iter=20, deterministic=True, random_state=0, **settings)

    def test_it_goes_on_proposing_where_it_stopped(self, diary, tmp_path, kind, interrupts, policy):
        whole = self.search(kind, policy=policy).fit(X, y)
        for n_fits in interrupts:
            diary.fits.clear()
            diary.interrupt_after = n_fits
            with pytest.raises(KeyboardInterrupt):
                self.search(kind, policy=policy, store=tmp_path / "runs.sqlite").fit(X, y)
        diary.interrupt_after = None
        resumed = self.search(kind, policy=policy, store=tmp_path / "runs.sqlite").fit(X, y)

        assert proposed(resumed) == proposed(whole)
        assert resumed.best_score_ == whole.best_score_
        assert [r.explain() for r in resumed.results_] == [r.explain() for r in whole.results_]


def proposed(search):
    """What was proposed, in its order."""
    return [
        (name, search.candidates_[name][-1].C, search.candidates_[name][-1].max_depth)
        for name in (result.candidate for result in search.results_)
    ]


def test_a_resumed_run_with_another_seed_takes_what_was_proposed_and_goes_on(diary, tmp_path):
    """As after a change of order among several workers: what the store has is tried again."""
    parameters = {"C": Real(0.1, 10, log=True), "max_depth": Integer(1, 6)}
    space = SearchSpace([Slot("tree", [Component(target=Slow, parameters=parameters)])])
    first = [{"tree": {"component": "Slow", "C": 1.0, "max_depth": 2}}]

    def search(seed):
        proposer = OptunaProposer(space, first=first, random_state=seed)
        store = tmp_path / "runs.sqlite"
        return CurveSearchCV(proposer, n_iter=8, policy=KFoldCV(), store=store, random_state=0)

    diary.interrupt_after = 22
    stopped = search(1)
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(X, y)
    diary.interrupt_after = None
    resumed = search(2).fit(X, y)

    assert proposed(resumed)[:4] == proposed(stopped)[:4]
    assert len(resumed.results_) == 8
    assert all(one != other for one, other in pairwise(proposed(resumed)))
