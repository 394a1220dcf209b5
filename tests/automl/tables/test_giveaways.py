"""Columns that give the target away are named, and no others."""

import time

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_table
from curvewise.automl._tables.giveaways import find_giveaways

N_ROWS = 400
RNG = np.random.RandomState(0)
LABELS = pd.Series(RNG.choice(["no", "perhaps", "yes"], N_ROWS))
PRICES = pd.Series(np.exp(RNG.randn(N_ROWS)) * 100)
NOISE = pd.Series(RNG.rand(N_ROWS))
BINARY = LABELS == "yes"
OF_CLASSES = {
    "the same": LABELS,
    "a code": LABELS.map({"no": 7, "perhaps": 2, "yes": 5}),
    "other words": LABELS.map({"no": "A", "perhaps": "B", "yes": "C"}),
    "finer words": LABELS + pd.Series(RNG.choice(["1", "2", "3"], N_ROWS)),
    "a number in ranges": LABELS.map({"no": 0.0, "perhaps": 10.0, "yes": 20.0}) + NOISE,
    "days in ranges": pd.to_datetime(LABELS.map({"no": "2020", "perhaps": "2021", "yes": "2022"}))
    + pd.to_timedelta(RNG.randint(0, 200, N_ROWS), unit="D"),
}
OF_NUMBERS = {
    "the same": PRICES,
    "a line": 3 - 2 * PRICES,
    "in order": np.log(PRICES),
    "rounded": PRICES.round(0),
    "a curve": (PRICES - 100).abs() * 0 + np.sqrt(PRICES) * 5,
}
HARMLESS = {
    "noise": NOISE,
    "words": pd.Series(RNG.choice(list("abc"), N_ROWS)),
    "names": pd.Series([f"n{i}" for i in range(N_ROWS)]),
    "constant": pd.Series([1.0] * N_ROWS),
    "empty": pd.Series([np.nan] * N_ROWS),
    "gaps": NOISE.where(NOISE > 0.3),
}


def told(column, y, task):
    return find_giveaways(pd.DataFrame({"x": column}), y, "y", task=task)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_what_gives_classes_away_is_named(name):
    (note,) = told(OF_CLASSES[name], LABELS, "classification")

    assert note.startswith("Column 'x' equals" if name == "the same" else "Column 'x' nearly gives")
    assert note.endswith("drop it.")


def test_what_is_known_for_one_class_only_gives_it_away():
    for column in (NOISE.where(BINARY), pd.Series(["x", "y"] * 200).where(BINARY)):
        assert told(column, BINARY, "classification")


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_what_gives_numbers_away_is_named(name):
    (note,) = told(OF_NUMBERS[name], PRICES, "regression")

    assert ("equals" in note) == (name == "the same")


def test_a_code_for_numbers_gives_them_away():
    y = PRICES.rank().floordiv(50)

    assert told(y.map("level {}".format), y, "regression")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_harmless_is_not_named(name):
    assert told(HARMLESS[name], LABELS, "classification") == []
    assert told(HARMLESS[name], PRICES, "regression") == []


def test_what_only_predicts_well_is_not_named():
    mistaken = LABELS.where(RNG.rand(N_ROWS) > 0.1, "no")

    assert told(mistaken, LABELS, "classification") == []
    assert told(PRICES + 20 * RNG.randn(N_ROWS), PRICES, "regression") == []


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes"])
def test_no_feature_of_a_well_known_table_is_named(name):
    assert not any("gives away" in note or "equals" in note for note in notes_of(name))


def notes_of(name):
    return read_table(f"sklearn:{name}").notes


def test_of_few_rows_or_of_a_rare_class_nothing_is_told():
    assert told(LABELS[:15], LABELS[:15], "classification") == []
    rare = pd.Series([True] * 4 + [False] * 396)
    assert told(rare.astype(int), rare, "classification") == []


def test_many_are_counted():
    X = pd.DataFrame({f"x{i}": LABELS for i in range(8)})

    assert find_giveaways(X, LABELS, "y", task="classification")[-1] == "So do 3 more columns."


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_it_takes_no_time(task):
    n = 10_000
    X = pd.DataFrame(RNG.rand(n, 40), columns=[f"x{i}" for i in range(40)])
    for i in range(10):
        X[f"c{i}"] = RNG.choice(list("abcdef"), n)
    y = pd.Series(RNG.rand(n)) if task == "regression" else pd.Series(RNG.choice(list("ab"), n))
    begun = time.process_time()
    find_giveaways(X, y, "y", task=task)

    assert time.process_time() - begun < 0.2
