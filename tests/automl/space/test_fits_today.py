"""Every learner of today's spaces fits raw tables, and keeps nothing from one fit to the next."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from curvewise.automl import SearchSpace, Slot, default_space
from curvewise.automl._space.default_spaces import missing_packages
from curvewise.errors import InvalidParameterError

N_ROWS, N_FITTED = 160, 120
# The learners that have to be there whatever is installed.
TASKS = {"classification": 10, "regression": 7}
LEARNERS = [
    pytest.param(task, component, id=f"{task}-{component.name}")
    for task in TASKS
    for component in default_space(task).components()
]


def table():
    """Numbers, categories, dates, truth values and text, with gaps."""
    rng = np.random.RandomState(0)
    words = ["the", "a", "red", "blue", "small", "large", "house", "tree", "river", "without"]
    X = pd.DataFrame(
        {
            "size": rng.rand(N_ROWS),
            "weight": 5 * rng.rand(N_ROWS),
            "kind": rng.choice(list("xyz"), N_ROWS),
            "day": pd.date_range("2020-01-01", periods=N_ROWS, freq="9D"),
            "flag": rng.rand(N_ROWS) < 0.5,
            "text": [" ".join(rng.choice(words, 5)) for _ in range(N_ROWS)],
        }
    )
    y = X["size"] + X["flag"] + (X["kind"] == "x")
    X.loc[rng.rand(N_ROWS) < 0.1, ["size", "kind"]] = None
    return X, y


X, NUMBERS = table()
TARGETS = {
    "classification": np.where(NUMBERS > 1.5, "high", np.where(NUMBERS > 0.8, "middle", "low")),
    "regression": NUMBERS.to_numpy(),
}


@pytest.fixture(autouse=True)
def _one_thread_and_no_talk_of_convergence():
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Of few rows with many columns.
        warnings.filterwarnings("ignore", "Variables are collinear")
        yield


def pipeline_of(task, component, seed):
    slot = default_space(task).slots[-1].name
    return SearchSpace([Slot(slot, [component])]).sample(np.random.RandomState(seed))


def fitted_on(task, component, X, y):
    """Fit the first draw that can be fitted; some need more rows than there are columns."""
    for seed in range(4):
        pipeline = pipeline_of(task, component, seed)
        try:
            return pipeline.fit(X, y)
        except np.linalg.LinAlgError:
            continue
    pytest.fail(f"{component.name} never fits")


@pytest.mark.parametrize(("task", "component"), LEARNERS)
def test_a_learner_fits_a_raw_table_and_keeps_no_state(task, component):
    y = TARGETS[task]
    used = fitted_on(task, component, X[:N_FITTED], y[:N_FITTED])
    fresh = clone(used)
    settings = repr(used.get_params())
    used.fit(X[40:][["size", "weight", "kind"]], y[40:])
    used.fit(X[:N_FITTED], y[:N_FITTED])
    fresh.fit(X[:N_FITTED], y[:N_FITTED])
    predicted = used.predict(X)

    assert np.array_equal(predicted, fresh.predict(X))
    assert len(predicted) == N_ROWS
    assert repr(used.get_params()) == settings
    assert is_classifier(used) == (task == "classification")
    assert is_regressor(used) == (task == "regression")
    if task == "classification":
        assert set(predicted) <= {"low", "middle", "high"}
        assert used.classes_.tolist() == ["high", "low", "middle"]


@pytest.mark.parametrize(("task", "component"), LEARNERS)
def test_a_learner_predicts_better_than_nothing(task, component):
    y = TARGETS[task]
    model = fitted_on(task, component, X[:N_FITTED], y[:N_FITTED])

    # Of the majority, and of the mean.
    least = max(np.unique(y, return_counts=True)[1]) / N_ROWS if task == "classification" else 0.0
    assert model.score(X[:N_FITTED], y[:N_FITTED]) >= least


@pytest.mark.parametrize(("task", "component"), LEARNERS)
@pytest.mark.parametrize("gaps", [False, True], ids=["whole", "with gaps"])
def test_a_learner_takes_sparse_tables(task, component, gaps):
    rows = sparse.random_array((N_ROWS, 8), density=0.4, random_state=0, format="csr")
    if gaps:
        rows.data[::9] = np.nan
    y = TARGETS[task]
    model = fitted_on(task, component, rows[:N_FITTED], y[:N_FITTED])

    assert len(model.predict(rows)) == N_ROWS


@pytest.mark.parametrize(("task", "component"), LEARNERS)
def test_a_learner_is_called_by_its_name_and_not_by_what_is_around_it(task, component):
    name = default_space(task).name_of(pipeline_of(task, component, 0))

    assert name.removeprefix("4 x ").partition("(")[0] == component.name.partition("(")[0]


@pytest.mark.parametrize("task", TASKS)
def test_there_are_learners_without_any_further_package(task):
    components = default_space(task).components()
    own = [one for one in components if one.target.startswith("sklearn.")]

    assert len(own) >= TASKS[task]
    assert default_space(task).has_views


@pytest.mark.parametrize("error", [ImportError, OSError])
def test_a_package_that_is_missing_or_broken_is_left_out_and_named(monkeypatch, error):
    from curvewise.automl._space import component

    real = component.import_module

    def broken(name):
        if name.startswith("lightgbm"):
            raise error("libgomp.so.1: cannot open shared object file")
        return real(name)

    monkeypatch.setattr(component, "import_module", broken)

    names = {one.name for task in TASKS for one in default_space(task).components()}
    assert not any(name.startswith("LGBM") for name in names)
    (line,) = missing_packages()
    assert line == "lightgbm is not installed, and left out: pip install 'curvewise[select]'"


@pytest.mark.parametrize("error", [ImportError, OSError, ValueError])
def test_boosters_with_an_extra_of_their_own_are_left_out_without_a_word(monkeypatch, error):
    from curvewise import _packages

    real = _packages.import_module

    def broken(name):
        if name in ("catboost", "xgboost"):
            raise error(name)
        return real(name)

    before = missing_packages()
    monkeypatch.setattr(_packages, "import_module", broken)

    names = {one.name for task in TASKS for one in default_space(task).components()}
    assert not any(name.startswith(("CatBoost", "XGB")) for name in names)
    assert missing_packages() == before


@pytest.mark.parametrize(("package", "prefix"), [("xgboost", "XGB"), ("catboost", "CatBoost")])
def test_boosters_with_an_extra_of_their_own_are_used_if_installed(package, prefix):
    pytest.importorskip(package, reason=f"{package} is not installed")

    for task in TASKS:
        names = {one.name for one in default_space(task).components()}
        assert {name for name in names if name.startswith(prefix)}


def test_nothing_is_missing_where_all_is_installed():
    pytest.importorskip("lightgbm", reason="LightGBM is not installed")

    assert missing_packages() == []


def test_another_task_is_refused():
    with pytest.raises(InvalidParameterError, match="task must be 'classification' or"):
        default_space("clustering")
