import pandas as pd
import pytest

from curvewise._bench.experiments.data_sets import PAPER_IDS
from curvewise._bench.experiments.plan_file import read_plan, read_suite, suite_names
from curvewise.errors import InvalidParameterError

GOOD = """
name = "mine"
datasets = ["sklearn:iris"]

[settings]
seeds = 2

[[method]]
name = "5cv"
policy = "kfold"

[[method]]
name = "race"
policy = "race:price=0.001"
against = "5cv"
"""


def write(folder, text):
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", suite_names())
@pytest.mark.parametrize("scale", ["paper", "reduced", "smoke"])
def test_every_suite_can_be_read_at_every_scale(name, scale):
    plan = read_suite(name, scale=scale)

    assert plan.name == name
    assert plan.scale == scale
    assert len(plan.datasets) == (67 if scale != "smoke" else len(plan.datasets))


def test_the_papers_settings_are_the_defaults():
    plan = read_suite("paper-90")
    settings = plan.settings

    assert (settings.seeds, settings.candidates, settings.timeout) == (10, 200, 300)
    assert (settings.train_share, settings.quality_repeats) == (0.9, 100)
    assert [method.folds for method in plan.methods] == [10, 10, 10, 10]
    assert len(set(PAPER_IDS)) == 67


def test_later_settings_come_before_earlier_ones(tmp_path):
    path = write(tmp_path, GOOD + "\n[smoke]\nseeds = 5\ncandidates = 3\n")

    plan = read_plan(path, scale="smoke", overrides={"candidates": 9})

    assert (plan.settings.seeds, plan.settings.candidates) == (5, 9)


def test_no_limit_is_written_as_0(tmp_path):
    assert read_plan(write(tmp_path, GOOD), overrides={"timeout": 0}).settings.timeout is None


def test_a_folder_stands_for_its_tables_of_classes(tmp_path):
    features = {"x": [1.0, 2.0]}
    pd.DataFrame({**features, "target": ["a", "b"]}).to_parquet(tmp_path / "classes.parquet")
    pd.DataFrame({**features, "target": [0.5, 0.25]}).to_parquet(tmp_path / "numbers.parquet")
    pd.DataFrame(features).to_parquet(tmp_path / "nothing.parquet")
    (tmp_path / "broken.parquet").write_text("no table")

    plan = read_plan(write(tmp_path, GOOD), datasets=[str(tmp_path)])

    assert list(plan.datasets) == ["classes"]
    assert len(plan.notes) == 3
    assert "numbers.parquet is left out: its target is a number, not a class." in plan.notes


MISTAKES = {
    "unknown key": (GOOD + "\nsed = 1\n", "which means nothing"),
    "no name": (GOOD.replace('"mine"', '""'), "name must be a text, got ''."),
    "no TOML": ("name = ", "is no valid TOML"),
    "kind": ('kind = "serach"\n' + GOOD, "kind must be one of search, peers, curves"),
    "seeds": (GOOD.replace("= 2", "= 0"), "seeds must be at least 1, got 0."),
    "half a seed": (GOOD.replace("= 2", "= 1.5"), "seeds must be a whole number, got 1.5."),
    "policy": (GOOD.replace('"kfold"', '"kfald"'), "There is no policy 'kfald'"),
    "knob": (GOOD.replace("price", "prise"), "is no setting of race"),
    "against": (GOOD.replace('against = "5cv"', 'against = "6cv"'), "'6cv', which is no method"),
    "twice": (GOOD.replace('"race"', '"5cv"'), "two methods are called '5cv'"),
    "share": (GOOD.replace("seeds = 2", "train_share = 1"), "train_share must be below 1"),
    "memory": (GOOD.replace("seeds = 2", 'memory = "much"'), "memory_limit must be"),
    "setting": (GOOD.replace("seeds = 2", "seed = 2"), "The settings has 'seed'"),
    "data": (GOOD.replace("sklearn:iris", "no/where"), "there is no data set 'no/where'"),
    "no data": (GOOD.replace('"sklearn:iris"', ""), "there are no data sets"),
    "no methods": ('name = "mine"\ndatasets = ["sklearn:iris"]\n', "there are no methods"),
    "splits": (GOOD + 'splits = "fold"\n', "splits must be one of kfold, shuffle"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence(mistake, tmp_path):
    text, sentence = MISTAKES[mistake]

    with pytest.raises(InvalidParameterError) as caught:
        read_plan(write(tmp_path, text))

    assert sentence in str(caught.value)
    assert "mine.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_keeps_what_it_names():
    plan = read_suite("paper-80", only=["openml-40"])

    assert all(name.startswith("openml-40") for name in plan.datasets)
    with pytest.raises(InvalidParameterError, match="there is no data set 'zzz'"):
        read_suite("paper-80", only=["zzz"])
