import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from curvewise.automl import Categorical, Component, Integer, Real, When
from curvewise.automl._space.sklearn_names import current_names
from curvewise.errors import InvalidParameterError

RNG = np.random.RandomState


def test_a_parameter_is_drawn_only_under_its_condition():
    component = Component(
        name="SVC",
        target=SVC,
        parameters={"kernel": Categorical(["rbf", "poly"]), "degree": Integer(2, 5)},
        conditions={"degree": When("kernel", ["poly"])},
    )
    rng = RNG(0)
    drawn = [component.draw(rng) for _ in range(50)]

    assert {"degree" in one for one in drawn} == {True, False}
    assert all(("degree" in one) == (one["kernel"] == "poly") for one in drawn)


def test_a_condition_on_something_not_drawn_does_not_hold():
    component = Component(
        name="x",
        target=SVC,
        parameters={"a": Categorical([1]), "b": Categorical([1]), "c": Categorical([1])},
        conditions={"b": When("a", [2]), "c": When("b", [1])},
    )

    assert component.draw(RNG(0)) == {"a": 1}


def test_forbidden_combinations_are_never_drawn():
    component = Component(
        name="x",
        target=SVC,
        parameters={"a": Categorical([1, 2]), "b": Categorical([1, 2])},
        forbidden=[{"a": [1], "b": [1, 2]}],
    )
    rng = RNG(0)

    assert {component.draw(rng)["a"] for _ in range(50)} == {2}


def test_a_component_with_everything_forbidden_says_so():
    component = Component(
        name="x", target=SVC, parameters={"a": Categorical([1])}, forbidden=[{"a": [1]}]
    )

    with pytest.raises(InvalidParameterError, match="forbidden"):
        component.draw(RNG(0))


def test_a_condition_on_an_unknown_parameter_is_refused():
    with pytest.raises(InvalidParameterError, match="'kernel', which is no parameter"):
        Component(
            name="x",
            target=SVC,
            parameters={"degree": Integer(2, 5)},
            conditions={"degree": When("kernel", ["poly"])},
        )


def test_a_class_that_does_not_exist_is_named():
    component = Component(name="x", target="sklearn.svm.SVX")

    with pytest.raises(InvalidParameterError, match=r"sklearn\.svm\.SVX"):
        component.sample(RNG(0))


def test_seeds_are_whole_numbers_and_jobs_are_one():
    forest = Component(name="x", target="sklearn.ensemble.RandomForestClassifier").sample(RNG(0))

    assert type(forest.random_state) is int
    assert forest.n_jobs == 1


def test_the_sum_weighs_at_least_three_and_the_product_is_as_printed():
    two = {"a": Categorical([1, 2]), "b": Real(0, 1)}

    assert Component(name="x", target=SVC).weight() == 3
    assert Component(name="x", target=SVC).weight("product") == 1
    assert Component(name="x", target=SVC, parameters=two).weight() == 12
    assert Component(name="x", target=SVC, parameters=two).weight("product") == 20


def test_a_penalty_of_former_times_still_works(recwarn):
    component = Component(
        name="x",
        target=LogisticRegression,
        parameters={"penalty": Categorical(["l1"])},
        fixed={"solver": "liblinear"},
    )
    model = component.sample(RNG(0)).fit([[0.0], [1.0], [2.0]], [0, 1, 1])

    assert not recwarn.list
    assert model.l1_ratio == 1.0 or model.penalty == "l1"


def test_a_name_that_is_still_known_is_not_replaced():
    class Old:
        def __init__(self, affinity="euclidean", metric="x"):
            pass

    assert current_names(Old, {"affinity": "cosine"}) == {"affinity": "cosine"}
