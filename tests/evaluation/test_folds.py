import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from curvewise._evaluation.folds import Folds
from curvewise.errors import InvalidParameterError

SPLITTERS = {
    "int": 3,
    "KFold": KFold(4, shuffle=True, random_state=1),
    "StratifiedKFold": StratifiedKFold(3),
    "RepeatedKFold": RepeatedKFold(n_splits=3, n_repeats=2, random_state=1),
    "RepeatedStratifiedKFold": RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1),
    "ShuffleSplit": ShuffleSplit(3, train_size=0.6, random_state=1),
    "StratifiedShuffleSplit": StratifiedShuffleSplit(3, test_size=0.3, random_state=1),
    "GroupKFold": GroupKFold(3),
    "GroupShuffleSplit": GroupShuffleSplit(3, random_state=1),
    "StratifiedGroupKFold": StratifiedGroupKFold(3),
    "LeaveOneGroupOut": LeaveOneGroupOut(),
    "TimeSeriesSplit": TimeSeriesSplit(3),
    "PredefinedSplit": PredefinedSplit(np.arange(60) % 3 - 1),
    "pairs": [(np.arange(10, 60), np.arange(10)), (np.arange(50), np.arange(50, 60))],
}
WITH_GROUPS = ["GroupKFold", "GroupShuffleSplit", "StratifiedGroupKFold", "LeaveOneGroupOut"]
WITHOUT_GROUPS = [name for name in SPLITTERS if name not in WITH_GROUPS]

X = np.zeros((60, 1))
Y = np.tile([0, 0, 1, 0, 2, 1], 10)
GROUPS = np.repeat(np.arange(12), 5)

names = st.sampled_from(list(SPLITTERS))
seeds = st.integers(0, 2**31 - 1)
anchors = st.integers(1, 60)


def folds_of(name, seed=0, y=Y, **options):
    if name in WITH_GROUPS:
        options["groups"] = GROUPS
    return Folds(X, y, cv=SPLITTERS[name], classifier=True, random_state=seed, **options)


def parts_of(name):
    """What scikit-learn itself makes of a splitter."""
    cv = SPLITTERS[name]
    if name == "pairs":
        return cv
    groups = GROUPS if name in WITH_GROUPS else None
    return list((StratifiedKFold(3) if cv == 3 else cv).split(X, Y, groups))


@pytest.mark.parametrize("name", SPLITTERS)
def test_at_the_target_a_fold_is_the_splitters_own(name):
    folds = folds_of(name)

    parts = parts_of(name)
    assert len(folds) == len(parts)
    assert folds.target == min(len(train) for train, _ in parts)
    for fold, (train, test) in enumerate(parts):
        assert folds.train(fold, folds.target).tolist() == train.tolist()
        assert folds.train(fold, 10**9).tolist() == train.tolist()
        assert folds.test(fold).tolist() == test.tolist()


@given(names, seeds, anchors, anchors)
def test_the_rows_of_an_anchor_are_inside_those_of_a_larger_one(name, seed, small, large):
    small, large = sorted((small, large))
    folds = folds_of(name, seed)

    for fold in range(len(folds)):
        assert set(folds.train(fold, small)) <= set(folds.train(fold, large))
        assert set(folds.train(fold, large)) <= set(folds.train(fold, folds.target))


@given(st.sampled_from(WITHOUT_GROUPS), seeds, anchors)
def test_a_subset_has_as_many_rows_as_the_anchor_says(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold, (train, _) in enumerate(parts_of(name)):
        expected = anchor if anchor < folds.target else len(train)
        assert len(set(folds.train(fold, anchor))) == len(folds.train(fold, anchor)) == expected


@given(names, seeds, anchors)
def test_training_rows_are_never_test_rows(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold in range(len(folds)):
        assert not set(folds.train(fold, anchor)) & set(folds.test(fold))


@given(names, seeds, anchors, st.none() | st.integers(1, 30))
def test_the_rest_is_what_a_fold_is_not_trained_on(name, seed, anchor, at_most):
    folds = folds_of(name, seed)

    for fold, (train, test) in enumerate(parts_of(name)):
        rest = folds.test(fold, outside=anchor, at_most=at_most)
        assert len(rest) == len(set(rest))
        assert not set(folds.train(fold, anchor)) & set(rest)
        everything = set(train) | set(test)
        expected = everything - set(folds.train(fold, anchor))
        if name == "TimeSeriesSplit" or anchor >= folds.target:
            expected = set(test)
        if at_most is None or at_most >= len(expected):
            assert set(rest) == expected
        else:
            assert len(rest) == at_most
            assert set(rest) <= expected


@given(st.sampled_from(WITH_GROUPS), seeds, anchors)
def test_no_group_is_both_trained_on_and_in_the_rest(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold in range(len(folds)):
        trained = set(GROUPS[folds.train(fold, anchor)])
        assert not trained & set(GROUPS[folds.test(fold, outside=anchor)])


@given(names, seeds, anchors)
def test_rows_keep_the_order_of_the_training_part(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold, (train, _) in enumerate(parts_of(name)):
        subset = set(folds.train(fold, anchor))
        assert folds.train(fold, anchor).tolist() == [row for row in train if row in subset]


@given(names, seeds, anchors)
def test_the_same_seed_gives_the_same_subsets_in_any_order_of_asking(name, seed, anchor):
    folds, again = folds_of(name, seed), folds_of(name, seed)
    again = pickle.loads(pickle.dumps(again))
    again.train(0, 1)

    for fold in reversed(range(len(folds))):
        assert folds.train(fold, anchor).tolist() == again.train(fold, anchor).tolist()


@given(st.sampled_from(["int", "StratifiedKFold", "StratifiedShuffleSplit"]), seeds, anchors)
def test_subsets_have_every_class_in_proportion(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold in range(len(folds)):
        part = np.bincount(Y[folds.train(fold, folds.target)], minlength=3)
        counts = np.bincount(Y[folds.train(fold, anchor)], minlength=3)
        assert np.count_nonzero(counts) == min(anchor, 3)
        assert np.abs(counts - counts.sum() * part / part.sum()).max() <= 2


@given(
    st.lists(st.integers(0, 4), min_size=12, max_size=60).map(np.array),
    st.sampled_from([KFold(3), ShuffleSplit(3, random_state=0)]),
    seeds,
    anchors,
)
def test_rare_classes_are_there_as_soon_as_rows_suffice(y, cv, seed, anchor):
    folds = Folds(y, y, cv=cv, classifier=True, random_state=seed)

    for fold in range(len(folds)):
        present = len(set(y[folds.train(fold, folds.target)]))
        found = len(set(y[folds.train(fold, anchor)]))
        assert found == min(anchor, present) or anchor >= folds.target


@given(st.sampled_from(WITH_GROUPS), seeds, anchors)
def test_groups_stay_whole(name, seed, anchor):
    folds = folds_of(name, seed)

    for fold in range(len(folds)):
        rows = folds.train(fold, anchor)
        entered = set(GROUPS[rows])
        assert len(rows) == 5 * len(entered)
        assert len(rows) <= anchor or len(entered) == 1 or anchor >= folds.target
        assert len(rows) > anchor - 5 or anchor >= folds.target


def test_groups_that_the_splitter_divides_do_not_bind_subsets():
    with pytest.warns(UserWarning, match="groups parameter is ignored"):
        folds = Folds(X, Y, cv=KFold(4, shuffle=True, random_state=0), groups=GROUPS)

    assert len(folds.train(0, 7)) == 7


@given(seeds, anchors)
def test_subsets_of_a_time_series_are_the_latest_rows(seed, anchor):
    folds = folds_of("TimeSeriesSplit", seed)

    for fold, (train, _) in enumerate(parts_of("TimeSeriesSplit")):
        expected = train[-anchor:] if anchor < folds.target else train
        assert folds.train(fold, anchor).tolist() == expected.tolist()


def test_rows_in_the_order_of_time_can_be_declared():
    pairs = [(np.arange(40), np.arange(40, 60)), (np.arange(30), np.arange(40, 60))]
    declared = Folds(X, Y, cv=pairs, ordered=True)
    denied = Folds(X, None, cv=TimeSeriesSplit(3), ordered=False, random_state=0)

    assert declared.train(0, 4).tolist() == [36, 37, 38, 39]
    assert denied.train(2, 4).tolist() != [41, 42, 43, 44]


def test_folds_draw_independently():
    cv = [(np.arange(40), np.arange(40, 60))] * 2
    folds = Folds(X, None, cv=cv, random_state=0)

    assert folds.train(0, 20).tolist() != folds.train(1, 20).tolist()


def test_other_seeds_give_other_subsets():
    rows = {tuple(Folds(X, Y, cv=3, random_state=seed).train(0, 20)) for seed in range(10)}

    assert len(rows) == 10


def test_without_a_seed_the_folds_still_agree_with_themselves():
    folds = Folds(X, Y, cv=ShuffleSplit(2))
    again = pickle.loads(pickle.dumps(folds))

    assert again.train(1, 10).tolist() == folds.train(1, 10).tolist()
    assert again.test(1).tolist() == folds.test(1).tolist()


@pytest.mark.parametrize("y", [None, np.linspace(0, 1, 60), np.eye(60, 3, dtype=int)])
def test_without_one_class_per_row_subsets_are_random(y):
    folds = Folds(X, y, cv=3, classifier=y is not None and y.ndim > 1, random_state=0)

    assert len(folds.train(0, 10)) == 10


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(list("aabacb") * 10),
        pd.Series(list("aabacb") * 10, dtype="category"),
        pl.Series(list("aabacb") * 10),
        list("aabacb") * 10,
        Y.reshape(-1, 1),
    ],
)
def test_classes_may_come_in_any_form(y):
    folds, expected = folds_of("StratifiedKFold", y=y), folds_of("StratifiedKFold")

    assert folds.train(1, 12).tolist() == expected.train(1, 12).tolist()


@given(st.sampled_from(WITHOUT_GROUPS), seeds, st.integers(1, 30))
def test_a_sample_of_the_test_rows_is_fixed_and_has_every_class(name, seed, at_most):
    folds, again = folds_of(name, seed), folds_of(name, seed)

    for fold in range(len(folds)):
        sample = folds.test(fold, at_most=at_most)
        test = folds.test(fold)
        assert len(set(sample)) == len(sample) == min(at_most, len(test))
        assert set(sample) <= set(test)
        assert len(set(Y[sample])) == min(at_most, len(set(Y[test])))
        assert sample.tolist() == again.test(fold, at_most=at_most).tolist()


def test_masks_are_row_numbers():
    test = np.arange(60) < 15
    folds = Folds(X, Y, cv=[(~test, test)])

    assert folds.test(0).tolist() == list(range(15))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": []}, "gave no folds"),
        ({"cv": 61}, "cannot split the data: Cannot have number of splits"),
        ({"cv": 1}, "cannot split the data: .*n_splits=2 or more"),
        ({"cv": "five"}, "cv='five' cannot split the data"),
        ({"cv": StratifiedKFold(40)}, "n_splits=40 cannot be greater than the number of members"),
        ({"cv": GroupKFold(3)}, "'groups' parameter should not be None"),
        ({"cv": [([0, 1], [])]}, "fold 0 without test rows"),
        ({"cv": [([0, 1], [2]), ([], [2])]}, "fold 1 without training rows"),
        ({"cv": [([0, 99], [1])]}, "no row numbers from 0 to 59"),
        ({"cv": [([0.5], [1])]}, "no row numbers from 0 to 59"),
        ({"groups": [1, 2]}, "groups must have as many rows as X, got 2 for 60"),
    ],
)
def test_what_cannot_be_split_is_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        Folds(X, Y, **options)


def test_data_of_different_lengths_is_refused():
    with pytest.raises(InvalidParameterError, match="y must have as many rows as X, got 59 for 60"):
        Folds(X, Y[:-1])


def test_one_row_is_too_few():
    with pytest.raises(InvalidParameterError, match="at least 2 rows, got n_samples=1"):
        Folds(X[:1], Y[:1])


def test_no_rows_are_no_subset():
    folds = Folds(X, Y, cv=3)

    with pytest.raises(InvalidParameterError, match="at least 1 row, got 0"):
        folds.train(0, 0)
    with pytest.raises(InvalidParameterError, match="at least 1 row, got 0"):
        folds.test(0, at_most=0)
