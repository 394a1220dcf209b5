import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

from curvewise.automl._table_preparation import TablePreparation
from curvewise.errors import InvalidParameterError

NAN = float("nan")


def prepared(values, **options):
    """One column, prepared next to a number that keeps the table from being empty."""
    column = pd.Series(values)
    table = pd.DataFrame({"column": column, "number": np.arange(float(len(column)))})
    preparation = TablePreparation(**options)
    result = preparation.fit_transform(table)
    names = preparation.get_feature_names_out().tolist()
    columns = {name: result[:, place].tolist() for place, name in enumerate(names)}
    columns.pop("number")
    return columns, preparation.report_[0]


def mixed_frame():
    return pd.DataFrame(
        {
            "age": [31, 47, None, 25],
            "city": pd.Categorical(["Rome", "Oslo", "Rome", "Lima"]),
            "smoker": [True, False, None, False],
            "born": pd.to_datetime(["1990-05-17", "1974-01-01", None, "1996-12-31"]),
            "note": ["x", "y", None, "x"],
        }
    )


def test_numbers_get_the_median():
    columns, report = prepared([1.0, NAN, 3.0, 100.0])

    assert columns == {"column": [1.0, 3.0, 3.0, 100.0]}
    assert report == {"column": "column", "kind": "number", "action": "1 missing become 3"}


def test_infinite_values_count_as_missing():
    columns, report = prepared([1.0, float("inf"), -float("inf"), 3.0])

    assert columns == {"column": [1.0, 2.0, 2.0, 3.0]}
    assert "of which 2 infinite" in report["action"]


def test_categories_get_the_most_frequent_level_and_a_column_each():
    columns, report = prepared(["b", "a", None, "b", "c"])

    assert columns == {
        "column_a": [0, 1, 0, 0, 0],
        "column_b": [1, 0, 1, 1, 0],
        "column_c": [0, 0, 0, 0, 1],
    }
    assert report["action"] == "binarised: 3 levels; 1 missing become 'b'"


def test_two_levels_make_one_column():
    assert prepared(["no", "yes", None, "yes"])[0] == {"column_yes": [0, 1, 1, 1]}


def test_rare_levels_share_a_column():
    values = ["a"] * 5 + ["b"] * 4 + list("cdef")
    columns, report = prepared(values, max_categories=3)

    assert columns["column_others"] == [0] * 9 + [1] * 4
    assert list(columns) == ["column_a", "column_b", "column_others"]
    assert report["action"] == "binarised: 6 levels, of which the 2 most frequent have a column"


def test_levels_that_were_not_seen_are_ignored_or_count_as_rare():
    few = TablePreparation().fit(pd.DataFrame({"c": list("aabbc")}))
    many = TablePreparation(max_categories=2).fit(pd.DataFrame({"c": list("aabbc")}))
    two = TablePreparation().fit(pd.DataFrame({"c": list("aab")}))
    new = pd.DataFrame({"c": ["z"]})

    assert few.transform(new).tolist() == [[0, 0, 0]]
    assert many.transform(new).tolist() == [[0, 1]]
    assert two.transform(new).tolist() == [[0]]


@pytest.mark.parametrize("dtype", [object, "boolean", bool])
def test_booleans_become_zero_and_one(dtype):
    values = [True, False, False, False if dtype is bool else None]
    columns, report = prepared(pd.Series(values, dtype=dtype))

    assert columns == {"column": [1, 0, 0, 0]}
    assert report["kind"] == "boolean"


def test_a_missing_boolean_is_never_half_true():
    assert prepared([True, False, None])[0] == {"column": [1, 0, 0]}


def test_identifiers_are_dropped_and_reported():
    columns, report = prepared([f"customer {i}" for i in range(30)])

    assert columns == {}
    assert report["kind"] == "identifier"
    assert report["action"] == "dropped: 30 different values in 30 rows"


def test_a_few_distinct_levels_are_no_identifier():
    assert len(prepared(["a", "b", "c"])[0]) == 3


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([5.0, 5.0, NAN], "constant"),
        (["x", "x", None], "constant"),
        ([True, True, True], "constant"),
        (pd.to_datetime(["2024-01-01"] * 3), "constant"),
        ([NAN, NAN, NAN], "empty"),
        ([None, None, None], "empty"),
        (pd.to_datetime([None] * 3), "empty"),
        (pd.Categorical([None, None, None], categories=["a"]), "empty"),
        ([float("inf")] * 3, "empty"),
    ],
)
def test_constant_and_empty_columns_are_dropped_and_reported(values, kind):
    columns, report = prepared(values)

    assert columns == {}
    assert report["kind"] == kind


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, "a", 2.5, 1], {"column_1": [1, 0, 0, 1], "column_2.5": [0, 0, 1, 0]}),
        ([[1], [2], [1], [3]], {"column_[1]": [1, 0, 1, 0], "column_[2]": [0, 1, 0, 0]}),
        ([Decimal("1.5"), None, 3, 4.5], {"column": [1.5, 3.0, 3.0, 4.5]}),
        (["1.5", None, "-3", "2e1"], {"column": [1.5, 1.5, -3.0, 20.0]}),
        (["01", "02", "03", "01"], {"column_01": [1, 0, 0, 1], "column_02": [0, 1, 0, 0]}),
    ],
    ids=["mixed", "unhashable", "decimals", "numbers as text", "codes"],
)
def test_objects_are_what_their_values_say(values, expected):
    columns, _ = prepared(pd.Series(values, dtype=object))

    assert {name: columns[name] for name in expected} == expected


def test_declared_categories_stay_categories():
    assert len(prepared(pd.Categorical([1, 2, 3, 1]))[0]) == 3


def test_a_level_reads_the_same_as_whole_number_and_as_float():
    preparation = TablePreparation().fit(pd.DataFrame({"c": pd.Categorical([1, 2, 3])}))

    assert preparation.transform(pd.DataFrame({"c": [3.0]})).tolist() == [[0, 0, 1]]


def test_polars_and_pandas_frames_and_arrays_give_the_same():
    frame = mixed_frame()
    expected = TablePreparation().fit_transform(frame)
    as_polars = pl.from_pandas(frame)
    as_objects = frame.astype(object).to_numpy()

    assert np.array_equal(TablePreparation().fit_transform(as_polars), expected)
    assert np.array_equal(TablePreparation().fit_transform(as_objects), expected)


def test_an_array_of_numbers_is_imputed_as_scikit_learn_does():
    rng = np.random.RandomState(0)
    X = rng.randn(51, 20)
    X[rng.rand(51, 20) < 0.3] = np.nan

    assert np.allclose(
        TablePreparation().fit_transform(X), SimpleImputer(strategy="median").fit_transform(X)
    )


def test_categories_are_binarised_as_scikit_learn_does():
    rng = np.random.RandomState(0)
    # Each level as often as no other: of equally rare ones either may be left out.
    levels = np.repeat(list("abcdefgh"), np.arange(1, 9))
    X = np.column_stack([rng.permutation(levels) for _ in range(5)]).astype(object)
    encoder = OneHotEncoder(
        max_categories=6, handle_unknown="infrequent_if_exist", sparse_output=False
    )

    ours = TablePreparation(max_categories=6).fit_transform(X)

    assert np.array_equal(ours, encoder.fit_transform(X))


def test_only_training_rows_are_learnt_from():
    preparation = TablePreparation().fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}))

    assert preparation.transform(pd.DataFrame({"x": [NAN, 100.0]})).tolist() == [[2.0], [100.0]]


def test_fit_transform_is_fit_and_then_transform():
    frame = mixed_frame()
    preparation = TablePreparation()
    both = preparation.fit_transform(frame)

    assert np.array_equal(both, preparation.transform(frame))
    assert np.array_equal(both, clone(preparation).fit(frame).transform(frame))
    assert both.dtype == np.float64
    assert both.shape[1] == len(preparation.get_feature_names_out())


def test_the_table_is_not_changed():
    frame = pd.DataFrame({"x": [1.0, NAN, float("inf")], "c": ["a", None, "b"]})
    array = np.array([[1.0, NAN], [2.0, float("inf")], [3.0, 1.0]])
    before = frame.copy(), array.copy()
    TablePreparation().fit(frame).transform(frame)
    TablePreparation().fit(array).transform(array)

    pd.testing.assert_frame_equal(frame, before[0])
    assert np.array_equal(array, before[1], equal_nan=True)


def test_many_zeros_in_a_large_table_make_it_sparse():
    rng = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "a": rng.randint(0, 1000, 60_000).astype(str),
            "b": pd.Categorical(rng.randint(0, 1000, 60_000)),
            "n": rng.randn(60_000),
        }
    )
    frame["a"] = "level " + frame["a"]
    preparation = TablePreparation()
    result = preparation.fit_transform(frame)

    assert sparse.issparse(result)
    assert result.format == "csr"
    assert result.indices.dtype == np.int32
    assert result.shape[1] == 101
    assert np.array_equal(
        result[:50].toarray(),
        TablePreparation(sparse_output=False).fit(frame).transform(frame[:50]),
    )
    assert not sparse.issparse(TablePreparation().fit_transform(frame[:1000]))


def test_sparse_input_stays_sparse():
    X = sparse.random(50, 30, density=0.2, format="coo", random_state=0)
    X.data[:3] = [NAN, float("inf"), NAN]
    dense = X.toarray()
    preparation = TablePreparation()
    result = preparation.fit_transform(X)

    assert sparse.issparse(result)
    assert np.array_equal(result.toarray(), TablePreparation().fit_transform(dense))
    assert np.array_equal(result.toarray(), preparation.transform(X).toarray())


def test_other_columns_are_refused_by_name():
    preparation = TablePreparation().fit(mixed_frame())

    with pytest.raises(ValueError, match=r"(?s)now missing:\n- city"):
        preparation.transform(mixed_frame().drop(columns="city"))
    with pytest.raises(ValueError, match="same order"):
        preparation.transform(mixed_frame()[["city", "age", "smoker", "born", "note"]])
    with pytest.raises(ValueError, match="expecting 2 features"):
        TablePreparation().fit(np.eye(2)).transform(np.eye(3))


def test_what_no_longer_reads_as_before_is_missing():
    train = pd.DataFrame(
        {"n": [1.0, 2.0, 3.0], "d": pd.to_datetime(["2024-01-01"] * 2 + ["2024-01-03"])}
    )
    test = pd.DataFrame({"n": ["many", "5", None], "d": ["someday", "2024-01-02", None]})
    result = TablePreparation().fit(train).transform(test)

    assert result[:, 0].tolist() == [2.0, 5.0, 2.0]
    assert result[:, 1].tolist() == [1.0, 2.0, 1.0]


def test_a_table_of_which_nothing_is_left_says_so():
    with pytest.raises(ValueError, match="No column is left"):
        TablePreparation().fit(pd.DataFrame({"a": [1, 1], "b": [None, None]}))
    with pytest.raises(ValueError, match="no rows"):
        TablePreparation().fit(pd.DataFrame({"a": []}))


@pytest.mark.parametrize(
    "options", [{"max_categories": 1}, {"identifier_share": "all"}, {"sparse_output": "maybe"}]
)
def test_parameters_that_cannot_work_are_refused(options):
    with pytest.raises(InvalidParameterError, match=next(iter(options))):
        TablePreparation(**options).fit([[1.0], [2.0]])


def test_every_column_is_reported():
    preparation = TablePreparation().fit(mixed_frame())

    assert [one["column"] for one in preparation.report_] == list(mixed_frame())
    assert {one["kind"] for one in preparation.report_} == {
        "number",
        "category",
        "boolean",
        "date",
    }
    assert all(set(one) == {"column", "kind", "action"} for one in preparation.report_)


def test_names_that_repeat_are_refused():
    frame = pd.DataFrame([[1.0, "a"], [2.0, "b"]], columns=["x", "x"])

    with pytest.raises(ValueError, match="'x' comes more than once"):
        TablePreparation().fit(frame)


def test_a_hundred_thousand_columns_are_prepared():
    rng = np.random.RandomState(0)
    X = rng.rand(20, 100_000)
    X[0, ::7] = np.nan
    names = [f"c{i}" for i in range(X.shape[1])]
    result = TablePreparation().fit_transform(pd.DataFrame(X, columns=names))

    assert result.shape == X.shape
    assert np.isfinite(result).all()


def test_it_can_be_pickled():
    preparation = TablePreparation().fit(mixed_frame())
    twin = pickle.loads(pickle.dumps(preparation))

    assert np.array_equal(twin.transform(mixed_frame()), preparation.transform(mixed_frame()))


@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_contract():
    check_estimator(TablePreparation(), on_skip=None)


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=4),
    st.dates(),
    st.lists(st.integers(), max_size=1),
)


@settings(max_examples=60)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=2, max_size=12))
def test_whatever_the_cells_are_the_result_is_finite(cells):
    array = np.empty((len(cells), 3), dtype=object)
    for row, (first, second) in enumerate(cells):
        array[row] = [first, second, row]
    preparation = TablePreparation()
    result = preparation.fit_transform(array)

    assert np.isfinite(result).all()
    assert np.array_equal(result, preparation.transform(array))
    assert np.array_equal(result, TablePreparation().fit_transform(pd.DataFrame(array)))
