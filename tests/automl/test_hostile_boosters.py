"""What a file may say of a booster of LightGBM, whose state goes to compiled code."""

import copy
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
import skops.io

from curvewise.automl import FoundRounds
from curvewise.automl._booster_text import check_booster_text
from curvewise.automl._model_audit import audit
from curvewise.automl._saved_model import SavedModel, load_model, save_model
from curvewise.errors import UnsafeModelError
from tests.automl.hostile_nodes import array, function, listed, mapped, plain, write_model

lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
WORDS = "binary machines=10.0.0.1:80"


def fitted(kind="LGBMRegressor", **options):
    rng = np.random.RandomState(0)
    X = pd.DataFrame({"a": rng.rand(120), "b": pd.Categorical(rng.choice([0, 1, 2], 120))})
    y = X["a"] + (X["b"] == 1)
    y = np.digitize(y, [0.5, 1.0]) if kind == "LGBMClassifier" else y
    booster = getattr(lightgbm, kind)(verbose=-1, n_jobs=1, num_leaves=4, **options)
    return FoundRounds(booster, max_rounds=12).fit(X, y), X


MODEL, ROWS = fitted()
TEXT = MODEL.booster_.model_to_string()


def schema_of(model):
    with zipfile.ZipFile(io.BytesIO(skops.io.dumps(model))) as archive:
        return json.loads(archive.read("schema.json"))


SCHEMA = schema_of(MODEL)


def changed(change):
    """Give the description of a model after a change to its estimator and its booster."""
    schema = copy.deepcopy(SCHEMA)
    estimator = schema["content"]["content"]["estimator_"]["content"]["content"]
    change(estimator, estimator["_Booster"]["content"]["content"])
    return schema


def setting(name, value, *, of="booster", within=None):
    """Make a change that sets an attribute, or a parameter within one."""

    def change(estimator, booster):
        holder = booster if of == "booster" else estimator
        holder = holder[within]["content"] if within else holder
        holder[name] = value

    return change


def removing(name):
    return lambda estimator, booster: booster.pop(name)


CHANGES = {
    # Parameters that name files and machines.
    **{
        f"{name} among the parameters of the {of}": setting(name, plain(value), of=of, within=where)
        for of, where in (("booster", "params"), ("estimator", "_other_params"))
        for name, value in {
            "forcedsplits_filename": "/etc/passwd",
            "forcedbins_filename": "/etc/passwd",
            "input_model": "/etc/passwd",
            "output_model": "canary",
            "config": "/etc/passwd",
            "data": "/etc/passwd",
            "machines": "10.0.0.1:80",
            "machine_list_filename": "/etc/passwd",
            "predict_disable_shape_check": True,
        }.items()
    },
    "an attribute that is a parameter": setting("machines", plain("a:1"), of="estimator"),
    "an attribute that nobody needs": setting("train_set", plain(1)),
    "the older name of the model": setting("handle", plain(TEXT)),
    # Several parameters in one.
    "a boosting type of words": setting("boosting_type", plain(WORDS), of="estimator"),
    "an objective of words": setting("_objective", plain(WORDS), of="estimator"),
    "a metric of words": setting("metric", listed(plain(WORDS)), within="params"),
    "a list of words": setting("metric", plain([WORDS]), within="params"),
    "a dictionary": setting("metric", plain({"a": WORDS}), within="params"),
    "an array": setting("metric", array("text.npy"), within="params"),
    "a function": setting("objective", function("numpy.max"), of="estimator"),
    # Parameters that are no dictionary.
    "a list for parameters": setting("params", listed(plain("a"))),
    "text for parameters": setting("_other_params", plain("{}"), of="estimator"),
    # What stands for the model.
    "no model": removing("_handle"),
    "nothing for the model": setting("_handle", plain(None)),
    "an address for the model": setting("_handle", plain(140_000_000)),
    "a list for the model": setting("_handle", listed(plain(TEXT))),
    "nonsense for the model": setting("_handle", plain("nonsense")),
    "another thing with the same state": lambda estimator, booster: estimator.update(
        _le={**estimator["_Booster"], "content": mapped({})}
    ),
}


def test_the_model_that_hostile_files_are_made_of_is_a_good_one(tmp_path):
    save_model(SavedModel(MODEL, {}, "", "regression"), tmp_path / "model.skops")
    loaded = load_model(tmp_path / "model.skops").pipeline

    audit(changed(lambda estimator, booster: None))
    assert np.array_equal(loaded.predict(ROWS), MODEL.predict(ROWS))


@pytest.mark.parametrize("name", CHANGES)
def test_a_booster_with_more_than_it_needs_is_refused(tmp_path, name):
    write_model(tmp_path / "model.skops", changed(CHANGES[name]), str(tmp_path / "canary"))

    with pytest.raises(UnsafeModelError, match="is refused"):
        load_model(tmp_path / "model.skops")


def text_with(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


BROKEN = {
    "empty": "",
    "cut": TEXT[: len(TEXT) // 2],
    "cut before the end": TEXT[: TEXT.index("end of trees")],
    "another version": text_with("version=v4", "version=v3"),
    "many classes": text_with("num_class=1", "num_class=1000000000"),
    "many trees at once": text_with(
        "num_tree_per_iteration=1", "num_tree_per_iteration=1000000000"
    ),
    "many columns": text_with("max_feature_idx=1", "max_feature_idx=2000000000"),
    "a negative size": text_with("tree_sizes=", "tree_sizes=-1 "),
    "a large size": text_with("tree_sizes=", "tree_sizes=99999999"),
    "a size too many": text_with("tree_sizes=", "tree_sizes=10 "),
    "a name twice": text_with("version=v4", "version=v4\nversion=v4"),
    # What is written to and what is written has to be of the same size.
    "an objective of many classes": text_with(
        "objective=regression", "objective=multiclass num_class:9"
    ),
    "an objective of two numbers of classes": text_with(
        "objective=regression", "objective=multiclass num_class:1 num_class:9"
    ),
    "classes behind a sign that ends lines for Python only": text_with(
        "objective=regression", "objective=multiclass num_class:1\x0b num_class:9"
    ),
    "an objective without a name": text_with("objective=regression", "objective= "),
    "classes behind another sign": text_with(
        "objective=regression", "objective=multiclass\tnum_class:9"
    ),
    "more classes than are predicted at once": text_with("num_class=1", "num_class=2"),
    "more predictions at once than classes": text_with(
        "num_tree_per_iteration=1", "num_tree_per_iteration=2"
    ),
    "a number of classes as only Python reads it": text_with("num_class=1", "num_class=0_1"),
    # What ends a line, or the text, for compiled code.
    "a line that ends otherwise": text_with("version=v4", "version=v4\robjective=binary"),
    "an end before the end": text_with("num_class=1", "num_class=1\0"),
    "no sizes": text_with("tree_sizes=", "sizes="),
    "no number": text_with("tree_sizes=", "tree_sizes=a "),
}


def tree_with(name, values):
    """Change a line of the first tree, and its size with it."""
    head, _, rest = TEXT.partition("\n\n")
    sizes = [int(one) for one in head.partition("tree_sizes=")[2].split()]
    tree, rest = rest[: sizes[0]], rest[sizes[0] :]
    lines = [
        f"{name}={values(line.partition('=')[2])}" if line.startswith(f"{name}=") else line
        for line in tree.split("\n")
    ]
    tree = "\n".join(lines)
    sizes[0] = len(tree.encode())
    head = head.partition("tree_sizes=")[0] + f"tree_sizes={' '.join(map(str, sizes))}"
    return f"{head}\n\n{tree}{rest}"


BROKEN_TREES = {
    "a column that is not there": tree_with("split_feature", lambda _: "0 99999999 0"),
    "a child that is not there": tree_with("left_child", lambda _: "1 2 7777777"),
    "a leaf that is not there": tree_with("left_child", lambda _: "1 2 -99"),
    "a child that is its parent": tree_with("left_child", lambda _: "0 2 -1"),
    "a child before its parent": tree_with("right_child", lambda _: "1 0 -1"),
    "more leaves": tree_with("num_leaves", lambda n: f"{n}0"),
    "no leaf": tree_with("num_leaves", lambda _: "0"),
    "too few leaves": tree_with("leaf_value", lambda _: "0.1"),
    "too many weights": tree_with("leaf_weight", lambda weights: f"{weights} 1"),
    "splits by categories that are not there": tree_with("num_cat", lambda n: f"{n}1"),
    "linear leaves": tree_with("is_linear", lambda _: "1"),
    "words for numbers": tree_with("threshold", lambda _: "a b c"),
    "a word for a number that nobody needs": tree_with("split_gain", lambda _: "a 1 1"),
    "a number as only Python writes it": tree_with("split_gain", lambda _: "1_0 1 1"),
    "a number of another script": tree_with("split_gain", lambda _: "\u0663 1 1"),
    "a part of a child": tree_with("left_child", lambda _: "1 2 -1.5"),
    "no number at all": tree_with("shrinkage", lambda _: " "),
}


def test_the_texts_are_changed_in_the_right_way():
    check_booster_text(TEXT)
    check_booster_text(tree_with("shrinkage", lambda value: value))


@pytest.mark.parametrize("name", BROKEN | BROKEN_TREES)
def test_a_text_that_compiled_code_would_stumble_over_is_refused(name):
    with pytest.raises(UnsafeModelError, match="not as one should be"):
        check_booster_text((BROKEN | BROKEN_TREES)[name])


@pytest.mark.parametrize("kind", ["LGBMClassifier", "LGBMRegressor"])
@pytest.mark.parametrize("options", [{}, {"extra_trees": True}, {"min_child_samples": 60}], ids=str)
def test_whatever_lightgbm_writes_is_accepted(kind, options):
    model, _ = fitted(kind, **options)

    check_booster_text(model.booster_.model_to_string())
    assert audit(schema_of(model)).untrusted == set()
