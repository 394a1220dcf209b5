import pickle
from collections import Counter
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import Pipeline

from curvewise.automl import Component, SearchSpace, Slot, paper_space
from curvewise.errors import InvalidParameterError

N_DRAWS = 10_000
TASKS = ["classification", "regression"]
# How often each algorithm is in the ten published sequences of 200 pipelines (Mohr & van Rijn 2023,
# Appendix B; github.com/fmohr/lccv, publications/2022TPAMI).
PUBLISHED = {
    "data": {
        "RobustScaler": 385, "QuantileTransformer": 252, "StandardScaler": 68,
        "VarianceThreshold": 66, "MinMaxScaler": 64, "Normalizer": 62, "PowerTransformer": 58,
    },
    "feature": {
        "Nystroem": 220, "KernelPCA": 176, "FeatureAgglomeration": 119, "RBFSampler": 106,
        "FastICA": 99, "SelectPercentile": 85, "GenericUnivariateSelect": 82, "PCA": 76,
        "PolynomialFeatures": 30,
    },
    "classifier": {
        "SGDClassifier": 350, "HistGradientBoostingClassifier": 305, "SVC(sigmoid)": 199,
        "ExtraTreesClassifier": 171, "MLPClassifier": 165, "RandomForestClassifier": 158,
        "DecisionTreeClassifier": 156, "PassiveAggressiveClassifier": 128,
        "LinearDiscriminantAnalysis": 113, "MultinomialNB": 71, "KNeighborsClassifier": 61,
        "BernoulliNB": 59, "QuadraticDiscriminantAnalysis": 50, "GaussianNB": 14,
    },
}  # fmt: skip


@pytest.fixture(
    scope="module", params=[(task, kind) for task in TASKS for kind in ("sum", "product")]
)
def draws(request):
    task, kind = request.param
    space = paper_space(task, weights=kind)
    rng = np.random.RandomState(0)
    return space, [space.draw(rng) for _ in range(N_DRAWS)]


def test_components_are_drawn_by_their_weights(draws):
    space, drawn = draws
    for slot in space.slots:
        counts = Counter(
            step.component.name for one in drawn for step in one.steps if step.slot == slot.name
        )
        expected = {
            name: share * counts.total() for name, share in space.probabilities(slot.name).items()
        }
        # The test wants at least five expected draws; what is rarer is counted together.
        often = [name for name, number in expected.items() if number >= 5]
        observed = [counts[name] for name in often]
        wanted = [expected[name] for name in often]
        if len(often) < len(expected):
            observed.append(counts.total() - sum(observed))
            wanted.append(counts.total() - sum(wanted))
        assert chisquare(observed, wanted).pvalue > 0.001


def test_optional_slots_are_filled_by_a_fair_coin_each(draws):
    space, drawn = draws
    filled = Counter(tuple(step.slot for step in one.steps) for one in drawn)

    assert len(filled) == 4
    assert chisquare(list(filled.values())).pvalue > 0.001
    assert all(slots[-1] == space.slots[-1].name for slots in filled)


def test_draws_do_not_depend_on_the_one_before():
    space = paper_space("classification")
    rng = np.random.RandomState(1)
    has_data = [space.draw(rng).steps[0].slot == "data" for _ in range(4000)]
    pairs = Counter(pairwise(has_data))

    assert chisquare(list(pairs.values())).pvalue > 0.001


@pytest.mark.parametrize("task", TASKS)
def test_the_same_seed_gives_the_same_sequence(task):
    space = paper_space(task)
    first, second = np.random.RandomState(7), np.random.RandomState(7)

    assert [repr(space(first)) for _ in range(30)] == [repr(space(second)) for _ in range(30)]
    assert repr(space.sample(7)) != repr(space.sample(8))


def test_the_sequence_changes_only_when_somebody_means_it():
    space = paper_space("classification")
    rng = np.random.RandomState(0)
    names = [[step.component.name for step in space.draw(rng).steps] for _ in range(4)]

    assert names == [
        ["Nystroem", "SGDClassifier"],
        ["RobustScaler", "SGDClassifier"],
        ["VarianceThreshold", "RandomForestClassifier"],
        ["FeatureAgglomeration", "RandomForestClassifier"],
    ]


def test_the_paper_counts_seven_nine_and_fourteen():
    space = paper_space("classification")
    algorithms = {one.name.partition("(")[0] for one in space.components("classifier")}

    assert len(space.components("data")) == 7
    assert len(space.components("feature")) == 9
    assert len(algorithms) == len(space.components("classifier")) == 14


def test_the_papers_file_lists_the_support_vector_machine_once_per_kernel():
    space = paper_space("classification", kernels="all")

    assert sum(one.name.startswith("SVC(") for one in space.components("classifier")) == 4


@pytest.mark.parametrize("slot", PUBLISHED)
def test_the_published_sequences_fit_the_space(slot):
    shares = paper_space("classification").probabilities(slot)
    total = sum(PUBLISHED[slot].values())
    expected = [total * shares[name] for name in PUBLISHED[slot]]

    assert shares.keys() == PUBLISHED[slot].keys()
    assert chisquare(list(PUBLISHED[slot].values()), expected).pvalue > 0.05


@pytest.mark.parametrize("slot", PUBLISHED)
def test_what_is_drawn_is_distributed_like_what_was_published(slot):
    space, rng = paper_space("classification"), np.random.RandomState(0)
    steps = [step for _ in range(N_DRAWS) for step in space.draw(rng).steps if step.slot == slot]
    counts = Counter(step.component.name for step in steps)
    table = [[counts[name], number] for name, number in PUBLISHED[slot].items()]

    assert chi2_contingency(table).pvalue > 0.05


def test_with_a_support_vector_machine_per_kernel_the_published_sequences_do_not_fit():
    shares = paper_space("classification", kernels="all").probabilities("classifier")
    counts = {**dict.fromkeys(shares, 0), **PUBLISHED["classifier"]}
    expected = [2000 * share for share in shares.values()]

    assert chisquare([counts[name] for name in shares], expected).pvalue < 1e-60


def test_with_the_product_nearly_all_draws_are_gradient_descent():
    space = paper_space("classification", weights="product")

    assert space.probabilities("classifier")["SGDClassifier"] == pytest.approx(0.97, abs=0.01)


@pytest.mark.parametrize("task", TASKS)
def test_only_possible_pipelines_are_drawn_if_asked_for(task):
    rng = np.random.RandomState(0)
    possible = paper_space(task, only_possible=True)
    any_of_them = paper_space(task)

    assert all(possible.draw(rng).can_work for _ in range(1000))
    if task == "classification":
        assert not all(any_of_them.draw(rng).can_work for _ in range(1000))


def test_what_makes_numbers_positive_makes_a_pipeline_possible_again():
    space = paper_space("classification")
    by_name = {one.name: one for one in space.components()}
    scaled = Slot("first", [by_name["StandardScaler"]])
    bounded = Slot("second", [by_name["MinMaxScaler"]])
    bayes = Slot("classifier", [by_name["MultinomialNB"]])
    rng = np.random.RandomState(0)

    assert not SearchSpace([scaled, bayes]).draw(rng).can_work
    assert SearchSpace([scaled, bounded, bayes]).draw(rng).can_work


def test_a_space_without_possible_pipelines_says_so():
    by_name = {one.name: one for one in paper_space("classification").components()}
    slots = [Slot("data", [by_name["StandardScaler"]]), Slot("last", [by_name["MultinomialNB"]])]

    with pytest.raises(InvalidParameterError, match="hardly any pipeline"):
        SearchSpace(slots, only_possible=True).sample(0)


def test_algorithms_can_be_left_out():
    space = paper_space("classification", kernels="all")

    assert len(space.without("SVC", "PCA").components()) == len(space.components()) - 5
    assert len(space.without("SVC(rbf)").components()) == len(space.components()) - 1
    assert [s.name for s in space.without(*(c.name for c in space.components("data"))).slots] == [
        "feature",
        "classifier",
    ]


def test_leaving_out_what_is_not_there_names_what_is_near():
    with pytest.raises(InvalidParameterError, match="Did you mean RandomForestClassifier"):
        paper_space("classification").without("RandomForestClasifier")


def test_a_learner_must_be_left():
    space = paper_space("classification")

    with pytest.raises(InvalidParameterError, match="Nothing would be left"):
        space.without(*(one.name for one in space.components("classifier")))


def test_own_components_can_be_added():
    space = paper_space("classification")
    mine = Component(name="ComplementNB", target=ComplementNB)
    only_mine = space.plus("classifier", mine).without(
        *(one.name for one in space.components("classifier"))
    )

    assert isinstance(only_mine.sample(0)[-1], ComplementNB)
    with pytest.raises(InvalidParameterError, match="two components called PCA"):
        space.plus("feature", Component(name="PCA", target=ComplementNB))
    with pytest.raises(InvalidParameterError, match="There is no slot 'features'"):
        space.plus("features", mine)


@pytest.mark.parametrize("task", TASKS)
def test_a_space_can_be_copied_and_pickled(task):
    space = paper_space(task)
    for twin in (deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert [repr(twin(seed)) for seed in range(10)] == [repr(space(seed)) for seed in range(10)]


def test_steps_are_named_by_their_slots():
    rng = np.random.RandomState(0)
    space = paper_space("classification")
    names = {name for _ in range(100) for name, _ in space(rng).steps}

    assert names == {"data", "feature", "dense", "classifier"}
    assert isinstance(space(rng), Pipeline)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda slot: SearchSpace([slot], weights="mean"), "'sum' or 'product'"),
        (lambda slot: SearchSpace([]), "last slot"),
        (lambda slot: SearchSpace([Slot("a", slot.components, optional=True)]), "last slot"),
        (lambda slot: SearchSpace([slot, slot]), "different names"),
        (lambda slot: Slot("a", []), "no components"),
        (lambda slot: Slot("a__b", slot.components), "contain '__'"),
        (lambda slot: Slot("dense", slot.components), "'dense'"),
        (lambda slot: paper_space("clustering"), "'classification' or 'regression'"),
        (lambda slot: paper_space("classification", kernels="rbf"), "'published' or 'all'"),
    ],
)
def test_what_makes_no_space_is_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make(Slot("learner", [Component(name="NB", target=ComplementNB)]))
