"""What ``curvewise select`` says of the model: columns that matter, and scores by level."""

import json

import numpy as np
import pandas as pd
import pytest

from curvewise._report.report_facts import facts_of
from curvewise.executors import RunStore
from tests.cli.runner import invoke

SPACE = """
[[slot]]
name = "classifier"

[[slot.component]]
class = "sklearn.naive_bayes.GaussianNB"
"""
N_ROWS = 150


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table in which one column tells the target, except in the south."""
    folder = tmp_path_factory.mktemp("regions")
    rng = np.random.default_rng(0)
    size, region = rng.normal(size=N_ROWS), np.array(["north", "south"])[np.arange(N_ROWS) % 2]
    told = np.where(region == "north", size, rng.normal(size=N_ROWS)) > 0
    frame = pd.DataFrame({"code": [f"a{i}" for i in rng.permutation(N_ROWS)], "size": size})
    frame["noise"], frame["region"] = rng.normal(size=N_ROWS), region
    frame["label"] = np.where(told, "yes", "no")
    frame.loc[3, "label"] = None
    frame.to_csv(folder / "data.csv", index=False)
    (folder / "space.toml").write_text(SPACE, encoding="utf-8")
    return folder


def command(folder, *options):
    table, space = folder / "data.csv", folder / "space.toml"
    settings = ("--target", "label", "--space", space, "--candidates", 1, "--no-curve", "--quiet")
    return ("select", table, *settings, *options)


def test_the_columns_that_matter_are_named_and_levels_scored(folder):
    answer = invoke(*command(folder, "--by", "region", "--drop", "region"))
    lines = answer.stdout.splitlines()

    matter = next(line for line in lines if line.startswith("Columns that matter"))
    by = next(line for line in lines if line.startswith("Score by region"))
    assert ": size 0." in matter
    assert "north 0." in by
    assert "south 0." in by


def test_programs_get_the_same_and_the_report_has_it(folder, tmp_path):
    store = tmp_path / "run.db"
    answer = invoke(*command(folder, "--by", "region", "--store", store, "--json"))
    facts = json.loads(answer.stdout)
    with RunStore.open(store) as opened:
        model = facts_of(opened.run())["model"]
    scores = {one["level"]: one["score"] for one in facts["scores_by"]}

    assert facts["importances"][0]["column"] == "size"
    assert scores["north"] > 0.8 > scores["south"]
    assert [one["level"] for one in model["by"]["levels"]] == list(scores)
    assert model["importance"]["columns"][0]["column"] == "size"


def test_the_hardest_rows_have_their_numbers_in_the_file_and_their_names(folder, tmp_path):
    store = tmp_path / "run.db"
    invoke(*command(folder, "--store", store, "--no-importance"))
    with RunStore.open(store) as opened:
        hardest = facts_of(opened.run())["model"]["hardest"]
    frame = pd.read_csv(folder / "data.csv")

    assert hardest["id_column"] == "code"
    assert len(hardest["rows"]) == 20
    for one in hardest["rows"]:
        row = frame.iloc[one["row"] - 1]
        assert (row["code"], row["label"]) == (one["id"], one["true"])


def test_without_importance_nothing_is_shuffled(folder):
    facts = json.loads(invoke(*command(folder, "--no-importance", "--json")).stdout)

    assert facts["importances"] is None


def test_a_column_that_is_not_there_is_named(folder, run):
    code, said = run(*command(folder, "--by", "regionn"))

    assert code == 2
    assert "no column 'regionn' for by; the nearest is 'region'" in said
