import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import KernelPCA
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from curvewise.automl import default_space, paper_space
from curvewise.automl._components.dense import Dense
from curvewise.automl._space.description import describe


def test_steps_that_only_carry_over_are_not_named():
    pipeline = Pipeline(
        [
            ("dense", Dense()),
            ("data", StandardScaler()),
            ("feature", KernelPCA(kernel="poly")),
            ("nothing", "passthrough"),
            ("classifier", SVC()),
        ]
    )

    assert describe(pipeline) == {
        "algorithm": "SVC",
        "data": "StandardScaler",
        "feature": "KernelPCA",
        "text": "StandardScaler > KernelPCA(poly) > SVC(rbf)",
    }


def test_a_regressor_is_found_behind_its_scaled_target():
    regressor = TransformedTargetRegressor(SVR(kernel="linear"), transformer=StandardScaler())

    assert describe(regressor)["text"] == "SVR(linear)"


def test_pipelines_in_pipelines_are_described_through():
    inner = Pipeline([("data", StandardScaler()), ("classifier", SVC())])

    assert describe(make_pipeline(Dense(), inner))["data"] == "StandardScaler"


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_algorithm_is_the_name_of_the_component(task):
    for component in paper_space(task, kernels="all").components():
        estimator = component.sample(np.random.RandomState(0))

        assert describe(estimator)["algorithm"] == component.name.partition("(")[0]


@pytest.mark.parametrize("component", ["LGBMRegressor", "ExtraTreesRegressor", "MLPRegressor"])
def test_several_of_one_learner_are_counted(component):
    space = default_space("regression")
    name = space.slots[-1].name
    filled = {"seed": 0, name: {"component": component, "view": "scaled", "n_seeds": 4}}

    assert space.name_of(space.build(filled)) == f"4 x {component}"
    assert describe(space.build(filled))["algorithm"] == component
