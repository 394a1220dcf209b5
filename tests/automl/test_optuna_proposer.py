"""A sampler of Optuna proposes: what it is told, and what comes of it."""

import math
from statistics import mean

import optuna
import pytest
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV
from curvewise.automl import (
    Component,
    Integer,
    OptunaProposer,
    RandomProposer,
    Real,
    SearchSpace,
    Slot,
)
from curvewise.errors import InvalidParameterError
from tests.automl.test_proposers import LIST, X, converse, small_space, y
from tests.selection.learners import Diary


class Spy(optuna.samplers.RandomSampler):
    """A sampler that notes what it could learn from."""

    def sample_relative(self, study, trial, search_space):
        self.known = [(one.params, one.value) for one in study.trials if one.value is not None]
        return super().sample_relative(study, trial, search_space)


class TestOptuna:
    def test_a_sampler_hears_of_the_list_of_draws_and_of_failures(self):
        spy = Spy(seed=0)
        proposer = OptunaProposer(small_space(), first=LIST, sampler=spy, random_state=0)
        proposals = [proposer.ask() for _ in range(5)]
        for proposal, score in zip(proposals, [math.nan, 0.5, 0.3, math.nan, 0.9], strict=True):
            proposer.tell(proposal, score, None)
        proposer.ask()
        told = sorted(value for _, value in spy.known)

        # Who failed counts as the worst that was known when it failed, or soon after.
        assert told == [0.3, 0.3, 0.5, 0.5, 0.9]
        linear = next(
            params for params, value in spy.known if params.get("classifier SVC C") == 2.0
        )
        assert linear == {"classifier": 0, "classifier SVC kernel": 1, "classifier SVC C": 2.0}

    def test_what_a_list_does_not_say_or_says_beyond_the_bounds_is_not_learnt_from(self):
        spy = Spy(seed=0)
        far = {"classifier": {"component": "SVC", "kernel": "sigmoid", "C": 1e9}}
        proposer = OptunaProposer(small_space(), first=[LIST[2], far], sampler=spy, random_state=0)
        for score in (0.5, 0.6):
            proposer.tell(proposer.ask(), score, None)
        proposer.ask()

        assert spy.known == [({"classifier": 1}, 0.5), ({"classifier": 0}, 0.6)]

    def test_a_search_tells_the_sampler_of_pruned_candidates_with_their_estimate(self):
        component = Component(target=Diary, parameters={"max_depth": Integer(1, 9)})
        spy = Spy(seed=0)
        first = [{"tree": {"component": "Diary", "max_depth": depth}} for depth in (3, 1)]
        space = SearchSpace([Slot("tree", [component])])
        proposer = OptunaProposer(space, first=first, sampler=spy, random_state=0)
        heard = {}
        tell = proposer.tell
        proposer.tell = lambda proposal, score, result: (
            heard.update({result.candidate: (result.status.value, score)}),
            tell(proposal, score, result),
        )
        search = CurveSearchCV(proposer, n_iter=12, random_state=0).fit(X, y)
        statuses = {result.candidate: result.status.value for result in search.results_}

        assert {name: status for name, (status, _) in heard.items()} == statuses
        assert {"pruned", "completed"} <= set(statuses.values())
        assert all(math.isfinite(score) for _, score in heard.values())
        assert len(spy.known) >= 11

    def test_it_proposes_better_than_chance_after_a_while(self):
        component = Component(
            target=SVC, parameters={"C": Real(0.001, 1000, log=True), "tol": Real(0.0, 1.0)}
        )
        space = SearchSpace([Slot("svc", [component])])

        def late(kind, seed):
            proposer = kind(space, random_state=seed)
            scores = []
            for _ in range(60):
                proposal = proposer.ask()
                values = proposal.configuration["svc"]
                distance = (math.log10(values["C"]) - 1) ** 2 + 4 * (values["tol"] - 0.3) ** 2
                scores.append(-distance)
                proposer.tell(proposal, scores[-1], None)
            return mean(scores[30:])

        learnt, by_chance = (
            [late(kind, seed) for seed in range(5)] for kind in (OptunaProposer, RandomProposer)
        )

        assert min(learnt) > max(by_chance)

    def test_it_learns_which_component_is_the_best(self):
        tree = Component(target=DecisionTreeClassifier, parameters={"max_depth": Integer(1, 9)})
        space = small_space().plus("classifier", tree)
        proposer = OptunaProposer(space, random_state=1)
        chosen = []
        for _ in range(60):
            proposal = proposer.ask()
            chosen.append(proposal.configuration["classifier"]["component"])
            proposer.tell(proposal, float(chosen[-1] == "DecisionTreeClassifier"), None)

        assert chosen[40:].count("DecisionTreeClassifier") > 12
        assert chosen[:10].count("DecisionTreeClassifier") < 8

    def test_it_says_nothing_and_leaves_optunas_words_as_loud_as_they_were(self, capfd):
        optuna.logging.set_verbosity(optuna.logging.INFO)
        converse(OptunaProposer(small_space(), first=LIST, random_state=0), 30)

        assert optuna.logging.get_verbosity() == optuna.logging.INFO
        assert capfd.readouterr() == ("", "")

    def test_a_parameter_that_it_cannot_draw_is_named(self):
        class PowerOfTwo:
            n_weight = 10

            def draw(self, rng):
                return 2 ** int(rng.randint(10))

        component = Component(target=SVC, parameters={"C": PowerOfTwo()})
        space = SearchSpace([Slot("svc", [component])])

        assert RandomProposer(space, random_state=0).ask().estimator[-1].C in (1, 2, 4, 8, 16, 32)
        with pytest.raises(InvalidParameterError, match="cannot draw C of SVC, a PowerOfTwo"):
            OptunaProposer(space, random_state=0).ask()
