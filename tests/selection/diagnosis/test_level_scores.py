"""Scores by the levels of a column."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    fbeta_score,
    get_scorer,
    make_scorer,
    r2_score,
    zero_one_loss,
)

from curvewise import resolve_scoring
from curvewise._selection.diagnosis.level_scores import (
    MISSING,
    MOST_LEVELS,
    levels_of,
    scores_by_level,
)
from curvewise.errors import InvalidParameterError
from tests.selection.diagnosis.rows import of_classes, of_numbers

pd = pytest.importorskip("pandas")


def day(text):
    return pd.Timestamp(text).to_pydatetime()


columns = st.one_of(
    st.lists(st.one_of(st.none(), st.sampled_from("abc")), min_size=1, max_size=50),
    st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), min_size=1, max_size=50),
    st.lists(st.integers(0, 100), min_size=1, max_size=50),
    st.lists(st.text(max_size=3), min_size=1, max_size=50),
    st.lists(st.booleans(), min_size=1, max_size=50),
    st.lists(st.datetimes(day("1900-01-01"), day("2200-01-01")), min_size=1, max_size=50),
)


@settings(max_examples=60, deadline=None)
@given(columns)
def test_every_row_has_one_of_a_bounded_number_of_levels(values):
    labels, codes = levels_of(values)

    assert len(labels) <= MOST_LEVELS + 1
    assert len(set(labels)) == len(labels) or len(values) > len(labels)
    assert len(codes) == len(values)
    assert 0 <= codes.min() <= codes.max() < len(labels)


def test_numbers_are_put_into_bins_of_about_as_many_rows():
    labels, codes = levels_of(np.arange(600.0))

    assert len(labels) == 6
    assert labels[0] == "0 to 99"
    assert np.bincount(codes).tolist() == [100] * 6


def test_few_numbers_are_levels_of_their_own_in_their_order():
    assert levels_of([10, 9, 2, 9])[0] == ["2", "9", "10"]


def test_numbers_that_differ_late_are_levels_of_their_own():
    assert levels_of([10001, 10002, 10003, 10002])[0] == ["10001", "10002", "10003"]
    assert levels_of([0.12341, 0.12342, 2.0])[0] == ["0.12341", "0.12342", "2"]


def test_a_category_that_no_row_has_is_no_level():
    assert levels_of(pd.Categorical(["a", "b"], categories=[*"abcdef"]))[0] == ["a", "b"]


def test_gaps_and_rare_values_have_levels_too():
    values = [None, *(str(i) for i in range(50)), "0"]
    labels, codes = levels_of(values)

    assert labels[0] == "0"
    assert labels[-2:] == ["21 others", MISSING]
    assert codes[0] == len(labels) - 1


def test_a_score_is_that_of_the_rows_of_its_level():
    rows = of_classes(200, 3)
    column = np.where(np.arange(200) % 3 == 0, "a", "b")
    found = scores_by_level(rows, column)
    for one in found.levels:
        inside = column == one.level
        expected = accuracy_score(rows.y[inside], rows.places[inside])

        assert one.score == pytest.approx(expected)
        assert one.low < one.score < one.high <= 1
        assert one.n_rows == inside.sum()
    assert found.score == pytest.approx(accuracy_score(rows.y, rows.places))


def test_the_metric_of_the_search_is_measured():
    rows = of_classes(200, 3)
    found = scores_by_level(rows, np.zeros(200), scoring=resolve_scoring("f1_macro"))

    assert found.metric == "f1_macro"
    assert found.levels[0].score == pytest.approx(f1_score(rows.y, rows.places, average="macro"))


def test_a_metric_of_ones_own_is_called_by_its_name_and_has_no_interval():
    rows = of_classes(200, 2)
    scorer = make_scorer(fbeta_score, beta=2)
    found = scores_by_level(rows, np.zeros(200), scoring=resolve_scoring(scorer))
    lost = scores_by_level(rows, np.zeros(200), scoring=resolve_scoring(make_scorer(
        zero_one_loss, greater_is_better=False)))  # fmt: skip

    assert (found.metric, lost.metric) == ("fbeta_score", "neg_zero_one_loss")
    assert found.levels[0].score == pytest.approx(fbeta_score(rows.y, rows.places, beta=2))
    assert np.isnan(found.levels[0].low)


def test_a_scorer_that_has_a_name_goes_by_it():
    rows = of_classes(200, 2)
    scorer = get_scorer("neg_log_loss")
    found = scores_by_level(rows, np.zeros(200), scoring=resolve_scoring(scorer))

    assert found == scores_by_level(rows, np.zeros(200), scoring=resolve_scoring("neg_log_loss"))


def test_rows_count_as_much_as_in_the_search():
    rows = of_classes(200, 3)
    weights = np.random.default_rng(0).uniform(0, 5, size=200)
    found = scores_by_level(rows, np.zeros(200), weights=weights)
    expected = accuracy_score(rows.y, rows.places, sample_weight=weights)

    assert found.levels[0].score == found.score == pytest.approx(expected)
    assert np.isnan(found.levels[0].low)


def test_a_metric_that_fails_costs_its_level_only():
    def touchy(y, predicted):
        return 1 / (len(y) - 50)

    rows = of_classes(200, 2)
    column = np.where(np.arange(200) < 50, "fifty", "more")
    found = scores_by_level(rows, column, scoring=resolve_scoring(make_scorer(touchy)))

    assert {one.level: np.isnan(one.score) for one in found.levels} == {
        "fifty": True,
        "more": False,
    }


def test_numbers_are_scored_by_r2():
    rows = of_numbers(100)
    found = scores_by_level(rows, np.zeros(100))

    assert found.metric == "r2"
    assert found.levels[0].score == pytest.approx(r2_score(rows.y, rows.values))


def test_a_level_that_a_metric_cannot_judge_has_no_score():
    rows = of_classes(100, 2)
    found = scores_by_level(rows, rows.y, scoring=resolve_scoring("roc_auc"))

    assert all(np.isnan(one.score) for one in found.levels)
    assert 0.5 < found.score < 1


def test_an_interval_covers_the_score_of_the_population():
    """Of 95% intervals about that many hold it."""
    population = of_classes(40_000, 3, seed=5)
    truth = scores_by_level(population, np.zeros(40_000)).score
    held = 0
    for seed in range(100):
        (level,) = scores_by_level(of_classes(150, 3, seed=seed), np.zeros(150)).levels
        held += level.low <= truth <= level.high

    assert held >= 88


def test_a_column_of_another_length_is_refused():
    with pytest.raises(InvalidParameterError, match="a value for each of the 10 rows, got 3"):
        scores_by_level(of_classes(10, 2), [1, 2, 3])
