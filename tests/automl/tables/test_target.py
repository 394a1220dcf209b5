import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl._tables.column_names import clean_names, quoted
from curvewise.automl._tables.target import find_target, find_task, settle_task
from curvewise.errors import TableError

NAMES = ["age", "Class", "7", "size"]


@pytest.mark.parametrize(
    ("target", "position"),
    [("age", 0), (" age ", 0), ("class", 1), ("7", 2), ("3", 3), (-1, 3), ("-4", 0), (2, 2)],
)
def test_a_target_is_named_or_counted(target, position):
    assert find_target(NAMES, target, "t")[0] == position


@pytest.mark.parametrize(
    ("names", "declared", "position"),
    [
        (NAMES, None, 1),
        (NAMES, "age", 0),
        (["y", "label", "x"], None, 2),
        (["Y", "x"], None, 0),
        (["a", "b"], "gone", 1),
    ],
)
def test_without_a_word_the_target_is_found_out_and_noted(names, declared, position):
    found, note = find_target(names, None, "t", declared=declared)

    assert found == position
    assert repr(names[position]) in note


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["a", "b"] * 3, "classification"),
        ([True, False] * 3, "classification"),
        (pd.Categorical(["1", "2"] * 3), "classification"),
        ([0, 1, 1], "classification"),
        ([-1.0, 1.0, 1.0], "classification"),
        (list(range(10)) * 5, "classification"),
        (list(range(10)) * 4, "regression"),
        (list(range(20)) * 50, "classification"),
        (list(range(21)) * 50, "regression"),
        ([1.0, 2.0, 3.0] * 5, "classification"),
        ([0.5, 1.0], "regression"),
        ([1e300, 2e300], "regression"),
    ],
)
def test_the_task_follows_its_documented_rule(values, task):
    assert find_task(pd.Series(values))[0] == task


@pytest.mark.parametrize(
    ("values", "task", "classes"),
    [
        ([1.0, 2.0, 1.0], None, [1, 2, 1]),
        ([" a", "a ", "b"], None, ["a", "a", "b"]),
        (pd.Categorical(["u", "v", "u"], categories=["w", "v", "u"]), None, ["u", "v", "u"]),
        ([0.5, 1.5, 0.5], "classification", ["0.5", "1.5", "0.5"]),
        ([True, False, True], None, [True, False, True]),
        (["1", "2.5"], "regression", [1.0, 2.5]),
        ([True, False], "regression", [1.0, 0.0]),
    ],
)
def test_the_target_fits_its_task(values, task, classes):
    y = settle_task(pd.Series(values), "t", "t.csv", task=task)[1]

    assert y.tolist() == classes
    assert [type(value) for value in y.tolist()] == [type(value) for value in classes]


def test_classes_are_a_target_that_scikit_learn_takes():
    from sklearn.utils.multiclass import type_of_target

    for values in ([0.5, 1.5, 0.5], ["a", "b", "a"], [True, False, True], [1.0, 2.0, 1.0]):
        y = settle_task(pd.Series(values), "t", "t.csv", task="classification")[1]

        assert type_of_target(y) == "binary"


def test_classes_with_a_single_member_are_noted():
    notes = settle_task(pd.Series(["a", "a", "b", "b", "c"]), "t", "t.csv")[2]

    assert notes[-1] == "The class 'c' of 't' has a single member."


def test_labels_that_differ_by_blanks_are_one_class():
    with pytest.raises(TableError, match="one class"):
        settle_task(pd.Series(["a", "a "]), "t", "t.csv")


@given(
    values=st.lists(st.integers(-5, 30) | st.floats(-9, 9), min_size=2, max_size=60),
    task=st.sampled_from([None, "classification", "regression"]),
)
def test_a_settled_target_can_be_learnt(values, task):
    try:
        settled, y, notes = settle_task(pd.Series(values), "t", "t.csv", task=task)
    except TableError:
        assert len(set(values)) < 2 or task != "regression"
        return

    assert len(y) == len(values)
    assert y.nunique() >= 2
    assert (task is None) == any("The task is" in note for note in notes)
    if settled == "regression":
        assert np.allclose(y, values)
    else:
        assert y.value_counts().max() >= 2


@given(st.lists(st.none() | st.integers() | st.text(" ab_2", max_size=4), max_size=12))
def test_clean_names_are_different_and_never_empty(raw):
    names, repeated = clean_names(raw)

    assert len(names) == len(raw) == len(set(names))
    assert all(name == name.strip() and name for name in names)
    assert bool(repeated) == any(
        raw_name is not None and str(raw_name).strip() not in ("", name)
        for raw_name, name in zip(raw, names, strict=True)
    ) or any(name.startswith("column_") for name in names)


@given(st.text())
def test_a_quoted_name_stays_on_one_short_line(text):
    assert len(quoted(text).splitlines()) == 1
    assert quoted(text).isprintable()
