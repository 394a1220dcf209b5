"""An unfitted estimator as code: imports, values, and when there is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from curvewise._selection.estimator_code import code_of


class Holder(BaseEstimator):
    """Holds a value of any kind."""

    def __init__(self, value=None):
        self.value = value


class SVC2(SVC):
    """Another class whose name may be taken."""


SVC2.__name__ = "SVC"


def made(estimator):
    names = {}
    exec(code_of(estimator), names)
    return names["model"]


def test_imports_come_from_the_public_place_and_defaults_are_left_out():
    code = code_of(make_pipeline(StandardScaler(), SVC(C=10)))

    assert "from sklearn.svm import SVC\n" in code
    assert "from sklearn.preprocessing import StandardScaler\n" in code
    assert "SVC(C=10)" in code
    assert "StandardScaler()" in code


def test_long_calls_have_a_line_for_each_argument():
    code = code_of(
        LogisticRegression(C=0.123456789, max_iter=12345, tol=1e-9, random_state=123456, verbose=10)
    )

    assert "\n    max_iter=12345,\n" in code
    assert max(map(len, code.splitlines())) <= 88


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text(), inner)
        | inner.map(Holder)
    ),
    max_leaves=20,
)


def plain(value):
    """Give a value that can be compared."""
    if isinstance(value, Holder):
        return ["holder", plain(value.value)]
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return repr(value)


@given(values)
def test_whatever_can_be_written_down_comes_back(value):
    assert plain(made(Holder(value)).value) == plain(value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(np.float64(0.5), "value=0.5"), (np.int64(3), "value=3"), (np.median, "value=median")],
)
def test_values_of_numpy_are_written_as_python_knows_them(value, shown):
    assert shown in code_of(Holder(value))
    assert made(Holder(value)).value == value


def test_numbers_that_are_not_finite_and_arrays():
    assert math.isnan(made(Holder(math.nan)).value)
    assert made(Holder(-math.inf)).value == -math.inf
    assert made(Holder(np.array([[1, 2]]))).value.tolist() == [[1, 2]]


def test_functions_and_columns():
    columns = ColumnTransformer([("best", SelectKBest(f_classif, k=2), [0, 1])])

    assert made(columns).transformers[0][1].score_func is f_classif


def test_two_classes_with_one_name_stay_two(monkeypatch):
    monkeypatch.setattr(f"{__name__}.SVC", SVC2)
    code = code_of(Holder([make_pipeline(SVC2()), make_pipeline(_sklearns())]))

    assert "import SVC as SVC2\n" in code


def _sklearns():
    from sklearn import svm

    return svm.SVC()


@pytest.mark.parametrize("value", [lambda x: x, object(), np.random.RandomState(0), np.ones(9999)])
def test_what_cannot_be_written_down_has_no_code(value):
    assert code_of(Holder(value)) is None
    assert code_of(make_pipeline(FunctionTransformer(value))) is None
