"""Views of a table: what each makes of numbers, gaps, categories, dates and text."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from curvewise.automl import TablePreparation
from curvewise.automl._saved_model import SavedModel, load_model, save_model
from curvewise.errors import InvalidParameterError

VIEWS = ("numbers", "scaled", "ranks", "categories")
WITHOUT_GAPS = VIEWS[:3]
SCALED = ("scaled", "ranks")
N_ROWS = 60


def sentences(n_rows, seed=0):
    rng = np.random.RandomState(seed)
    words = ["the", "a", "red", "blue", "small", "large", "house", "tree", "river", "without"]
    return [" ".join(rng.choice(words, 6)) for _ in range(n_rows)]


def table(n_rows=N_ROWS, seed=0):
    """Every kind of column, with gaps."""
    rng = np.random.RandomState(seed)
    X = pd.DataFrame(
        {
            "size": rng.exponential(5, n_rows),
            "count": rng.randint(0, 9, n_rows),
            "flag": rng.rand(n_rows) < 0.5,
            "two": rng.choice(["f", "m"], n_rows),
            "three": rng.choice(list("xyz"), n_rows),
            "day": pd.date_range("2020-01-01", periods=n_rows, freq="9D"),
            "text": sentences(n_rows, seed),
            "key": [f"id{seed}-{i}" for i in range(n_rows)],
            "unit": "kg",
        }
    )
    X.loc[3, "size"] = np.nan
    X.loc[4, "size"] = np.inf
    X.loc[5, "three"] = None
    X.loc[6, "day"] = pd.NaT
    X.loc[7, "text"] = None
    return X


def dense(result):
    """A result as an array, codes of categories as numbers."""
    if isinstance(result, pd.DataFrame):
        return np.column_stack([result[name].astype(float) for name in result])
    return result.toarray() if sparse.issparse(result) else result


def reports(preparation):
    return {one["column"]: (one["kind"], one["action"]) for one in preparation.report_}


@pytest.mark.parametrize("view", VIEWS)
class TestEveryView:
    def test_fitting_and_transforming_at_once_gives_the_same(self, view):
        X = table()
        one, other = TablePreparation(view=view), TablePreparation(view=view)

        at_once = one.fit_transform(X)
        assert type(at_once) is type(other.fit(X).transform(X))
        assert np.allclose(dense(at_once), dense(other.transform(X)), equal_nan=True)

    def test_names_fit_the_columns(self, view):
        preparation = TablePreparation(view=view)
        result = preparation.fit_transform(table())
        names = preparation.get_feature_names_out().tolist()

        assert len(names) == len(set(names)) == result.shape[1]
        assert names[:3] == ["size", "count", "flag"]
        assert "day_year" in names
        assert ("text_0" in names) == (view != "numbers")
        assert ("three" in names) == (view == "categories")

    def test_new_rows_get_the_same_columns(self, view):
        preparation = TablePreparation(view=view).fit(table())
        new = table(20, seed=1)
        new.loc[0, "three"] = "new"
        new.loc[1, "two"] = "new"
        new.loc[2, "text"] = "words that nobody knows"
        result = preparation.transform(new)

        assert result.shape == (20, len(preparation.get_feature_names_out()))
        assert np.isfinite(dense(result)).all() == (view != "categories")

    def test_a_clone_is_unfitted_and_learns_the_same(self, view):
        preparation = TablePreparation(view=view, max_categories=9)
        first = dense(preparation.fit_transform(table()))
        second = clone(preparation)

        assert second.get_params() == preparation.get_params()
        assert not hasattr(second, "plan_")
        assert np.array_equal(dense(second.fit_transform(table())), first, equal_nan=True)

    def test_it_is_saved_without_pickle(self, view):
        preparation = TablePreparation(view=view).fit(table())
        data = skops.io.dumps(preparation)
        loaded = skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))
        new = table(20, seed=2)

        assert np.array_equal(
            dense(loaded.transform(new)), dense(preparation.transform(new)), equal_nan=True
        )

    def test_polars_gives_what_pandas_gives(self, view):
        X = table().drop(columns="size")
        result = dense(TablePreparation(view=view).fit_transform(pl.from_pandas(X)))

        expected = dense(TablePreparation(view=view).fit_transform(X))
        assert np.array_equal(result, expected, equal_nan=True)

    def test_arrays_are_tables_without_names(self, view):
        X = np.random.RandomState(0).rand(30, 3)
        X[4, 1] = np.nan
        preparation = TablePreparation(view=view)
        result = preparation.fit_transform(X)

        assert isinstance(result, np.ndarray)
        assert result.shape == (30, 3)
        assert np.isnan(result[4, 1]) == (view == "categories")
        assert preparation.get_feature_names_out().tolist() == ["x0", "x1", "x2"]

    def test_sparse_tables_stay_sparse(self, view):
        X = sparse.random_array((40, 6), density=0.2, random_state=0, format="csr")
        preparation = TablePreparation(view=view)
        result = preparation.fit_transform(X)

        assert sparse.issparse(result)
        assert result.shape == (40, 6)
        again = preparation.transform(X)
        assert np.array_equal(result.toarray(), again.toarray())
        # Where there was nothing, there still is nothing.
        assert not result.toarray()[X.toarray() == 0].any()

    def test_a_table_of_categories_only(self, view):
        X = table()[["two", "three"]]
        result = TablePreparation(view=view).fit_transform(X)

        assert result.shape == (N_ROWS, 2 if view == "categories" else 4)

    def test_a_table_without_a_category(self, view):
        X = table()[["size", "count"]]
        result = TablePreparation(view=view).fit_transform(X)

        assert isinstance(result, np.ndarray)
        assert result.shape == (N_ROWS, 2)

    def test_a_table_of_text_only(self, view):
        X = pd.DataFrame({"text": sentences(N_ROWS)})
        preparation = TablePreparation(view=view)
        if view == "numbers":
            with pytest.raises(ValueError, match="No column is left"):
                preparation.fit(X)
        else:
            result = preparation.fit_transform(X)

            assert result.shape == (N_ROWS, len(preparation.get_feature_names_out()))
            assert np.std(result, axis=0).min() > 0

    def test_nothing_is_left_of_a_constant(self, view):
        with pytest.raises(ValueError, match="No column is left"):
            TablePreparation(view=view).fit(pd.DataFrame({"unit": ["kg"] * 5}))


@pytest.mark.parametrize("view", ["", "trees", None, 3], ids=repr)
def test_an_unknown_view_is_refused(view):
    with pytest.raises(
        InvalidParameterError, match="view must be one of numbers, scaled, ranks, categories, got"
    ):
        TablePreparation(view=view).fit(table())


class TestNumbers:
    def test_it_is_what_the_preparation_does_by_default(self):
        X = table()
        default = TablePreparation().fit(X)

        assert default.view == "numbers"
        assert reports(default)["text"] == ("identifier", "dropped: 59 different values in 59 rows")
        result, expected = default.transform(X), X["size"].replace(np.inf, np.nan)
        assert np.array_equal(result[:, 0], expected.fillna(expected.median()))


class TestScaled:
    @pytest.mark.parametrize("view", SCALED)
    def test_numbers_have_mean_0_and_columns_of_categories_stay_0_and_1(self, view):
        preparation = TablePreparation(view=view)
        result = preparation.fit_transform(table())
        names = preparation.get_feature_names_out().tolist()
        first = names.index("two_m")

        assert set(np.unique(result[:, first:])) == {0.0, 1.0}
        if view == "scaled":
            assert np.allclose(result[:, :first].mean(axis=0), 0)
            assert np.allclose(result[:, :first].std(axis=0), 1)
        else:
            assert abs(np.median(result[:, 0])) < 0.2

    @given(st.integers(0, 1000), st.sampled_from([np.exp, np.cbrt, lambda x: 5 * x - 3]))
    @settings(max_examples=20)
    def test_ranks_do_not_change_when_numbers_keep_their_order(self, seed, bend):
        numbers = np.random.RandomState(seed).rand(50, 2)
        ranks = TablePreparation(view="ranks").fit_transform(numbers)

        # A few values are between ranks.
        assert np.allclose(TablePreparation(view="ranks").fit_transform(bend(numbers)), ranks)

    def test_what_is_far_out_is_bounded_by_ranks_only(self):
        X = np.random.RandomState(0).rand(50, 1)
        far = np.array([[1e9]])

        assert TablePreparation(view="scaled").fit(X).transform(far) > 1e8
        assert TablePreparation(view="ranks").fit(X).transform(far) < 10


class TestCategories:
    def test_gaps_stay_and_categories_are_codes(self):
        X = table()
        preparation = TablePreparation(view="categories")
        result = preparation.fit_transform(X)
        codes = result.iloc[:, -1]

        assert result.columns.tolist() == [f"x{i}" for i in range(result.shape[1])]
        assert np.isnan(result["x0"][[3, 4]]).all()
        assert isinstance(codes.dtype, pd.CategoricalDtype)
        assert codes.cat.categories.tolist() == [0, 1, 2]
        assert codes.isna().to_numpy().nonzero()[0].tolist() == [5]
        assert codes.drop(5).map({0: "x", 1: "y", 2: "z"}).tolist() == X["three"].drop(5).tolist()

    def test_two_levels_are_a_category_too(self):
        X = pd.DataFrame({"two": ["f", "m", "f", "m", None]})
        result = TablePreparation(view="categories").fit_transform(X)

        assert result["x0"].cat.codes.tolist() == [0, 1, 0, 1, -1]

    def test_a_level_that_was_not_seen_is_missing(self):
        preparation = TablePreparation(view="categories").fit(pd.DataFrame({"k": list("abcabc")}))
        result = preparation.transform(pd.DataFrame({"k": ["b", "new", None]}))

        assert result["x0"].cat.codes.tolist() == [1, -1, -1]
        assert result["x0"].cat.categories.tolist() == [0, 1, 2]

    def test_rare_levels_share_a_code_and_so_do_new_ones(self):
        levels = [f"v{i:03}" for i in range(300)]
        X = pd.DataFrame({"k": levels[:249] * 2 + levels})
        preparation = TablePreparation(view="categories")
        codes = preparation.fit_transform(X)["x0"].cat.codes
        new = preparation.transform(pd.DataFrame({"k": ["v000", "v299", "new", None]}))

        assert reports(preparation)["k"] == (
            "category",
            "coded: 300 levels, of which the 249 most frequent have a code",
        )
        assert codes.nunique() == 250
        assert new["x0"].cat.codes.tolist() == [0, 249, 249, -1]

    def test_what_was_done_is_said(self):
        said = reports(TablePreparation(view="categories").fit(table()))

        assert said["size"] == ("number", "2 missing (of which 1 infinite) stay")
        assert said["count"] == ("number", "as it is")
        assert said["two"] == ("category", "coded: 2 levels")
        assert said["three"] == ("category", "coded: 3 levels; 1 missing stay")
        assert said["text"] == ("text", "words of 59 different texts")
        assert said["key"] == ("identifier", "dropped: 60 different values in 60 rows")
        assert said["unit"] == ("constant", "dropped: one value only")

    def test_numbers_of_columns_do_not_depend_on_the_names(self):
        X = table().rename(columns={"size": "x9", "three": 'a "name" [with], {signs}:'})
        result = TablePreparation(view="categories").fit_transform(X)

        assert result.columns.tolist() == [f"x{i}" for i in range(result.shape[1])]


class TestText:
    @pytest.mark.parametrize("view", VIEWS[1:])
    def test_rows_with_the_same_words_are_close(self, view):
        texts = ["small red house near river"] * 15 + ["large blue boat without sails"] * 15
        texts = [f"{text} {i % 10} number{i}" for i, text in enumerate(texts)]
        result = TablePreparation(view=view).fit_transform(pd.DataFrame({"text": texts}))
        apart = [
            one[:15].max() < one[15:].min() or one[15:].max() < one[:15].min() for one in result.T
        ]

        assert any(apart)

    def test_a_gap_is_a_text_without_words(self):
        X = pd.DataFrame({"text": sentences(40)})
        preparation = TablePreparation(view="categories").fit(X)
        result = preparation.transform(pd.DataFrame({"text": [None, "", "unknown"]}))

        assert not result.any()

    def test_texts_without_a_word_in_common_are_dropped(self):
        X = pd.DataFrame(
            {"text": [f"a{i} b{i} c{i} d{i}" for i in range(30)], "number": np.arange(30.0)}
        )
        preparation = TablePreparation(view="scaled").fit(X)

        assert reports(preparation)["text"] == ("text", "dropped: hardly a word comes twice")
        assert preparation.get_feature_names_out().tolist() == ["number"]

    def test_few_levels_of_many_words_are_a_category(self):
        X = pd.DataFrame({"text": ["a house by the sea", "a hut in the hills"] * 20})

        assert reports(TablePreparation(view="scaled").fit(X))["text"][0] == "category"

    def test_a_text_becomes_at_most_twenty_columns(self):
        X = pd.DataFrame({"text": [f"{text} w{i % 25}" for i, text in enumerate(sentences(90))]})
        preparation = TablePreparation(view="categories")

        assert preparation.fit_transform(X).shape == (90, 20)
        names = [f"text_{i}" for i in range(20)]
        assert preparation.get_feature_names_out().tolist() == names


def test_a_saved_model_holds_no_reader_of_files(tmp_path):
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline

    X = table()
    model = make_pipeline(TablePreparation(view="scaled"), Ridge()).fit(X, np.arange(N_ROWS))
    save_model(SavedModel(model, {}, "", "regression"), tmp_path / "model.skops")
    loaded = load_model(tmp_path / "model.skops").pipeline

    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert b"Vectorizer" not in io.BytesIO(skops.io.dumps(model)).getvalue()
