import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, StandardScaler
from sklearn.svm import SVC

from curvewise.automl._model_archive import MANIFEST, _digest
from curvewise.automl._saved_model import SavedModel, load_model, save_model
from curvewise.errors import InvalidParameterError, UnsafeModelError

X, y = load_iris(return_X_y=True)
OWN = "tests.automl.test_saved_model.Own"
COLUMNS = dict.fromkeys("abcd", "number")


class Unsavable(BaseEstimator):
    def __getstate__(self):
        raise RuntimeError("not me")


class Own(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))


@pytest.fixture
def saved(tmp_path):
    pipeline = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    path = tmp_path / "model.skops"
    save_model(SavedModel(pipeline, COLUMNS, "kind", "classification"), path)
    return path


def rewrite(path, change):
    """Change the members of an archive, each given as text."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in change(members).items():
            archive.writestr(name, content)


def sign(path, *, without=(), **facts):
    """Change facts of the manifest, and make the digest right again."""
    with zipfile.ZipFile(path) as archive:
        manifest = {**json.loads(archive.read(MANIFEST)), **facts}
        for name in without:
            del manifest[name]
        del manifest["digest"]
        digest = _digest(archive, manifest)
    text = json.dumps({**manifest, "digest": digest})
    rewrite(path, lambda members: {**members, MANIFEST: text})


def test_a_saved_model_predicts_the_same_in_a_new_process(saved):
    script = (
        "import sys; from sklearn.datasets import load_iris;"
        "from curvewise.automl._saved_model import load_model;"
        "X, _ = load_iris(return_X_y=True);"
        "print(load_model(sys.argv[1]).pipeline.predict(X).tolist())"
    )

    answer = subprocess.run(
        [sys.executable, "-c", script, str(saved)], capture_output=True, text=True, check=True
    )

    assert json.loads(answer.stdout) == load_model(saved).pipeline.predict(X).tolist()


def test_what_prediction_needs_to_know_is_saved_too(saved):
    model = load_model(saved)

    assert model.columns == COLUMNS
    assert (model.target, model.task) == ("kind", "classification")


def test_ids_and_the_order_of_dates_are_saved_too(tmp_path):
    pipeline = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    path = tmp_path / "model.skops"
    orders = {"a": "day-first", "b": "compact"}
    kinds = {**COLUMNS, "a": "date", "b": "date"}
    save_model(
        SavedModel(pipeline, kinds, "kind", "classification", ids=("who",), date_orders=orders),
        path,
    )
    model = load_model(path)

    assert model.ids == ("who",)
    assert model.date_orders == orders


def test_a_model_of_an_earlier_version_knows_of_neither(saved):
    sign(saved, without=("ids", "date_orders"))
    model = load_model(saved)

    assert (model.ids, model.date_orders) == ((), {})
    assert (model.pipeline.predict(X) == y).mean() > 0.9


@pytest.mark.parametrize(
    "facts", [{"ids": "who"}, {"ids": [1]}, {"date_orders": {"a": "any"}}, {"date_orders": [1]}]
)
def test_ids_and_orders_of_the_wrong_kinds_are_refused(saved, facts):
    sign(saved, **facts)

    with pytest.raises(UnsafeModelError, match="is not a model that curvewise saved"):
        load_model(saved)


def test_a_file_that_was_changed_is_refused(saved):
    def change(members):
        name = next(name for name in members if name.endswith(".npy"))
        return {**members, name: members[name][:-1] + b"\x01"}

    rewrite(saved, change)

    with pytest.raises(UnsafeModelError, match="it was changed after it was saved"):
        load_model(saved)


def test_a_type_that_is_not_trusted_is_refused_even_if_the_digest_is_right(tmp_path, saved):
    with zipfile.ZipFile(saved) as archive:
        schema = archive.read("schema.json").decode()
    hostile = schema.replace('"__class__": "SVC"', '"__class__": "Popen"').replace(
        '"__module__": "sklearn.svm._classes"', '"__module__": "subprocess"'
    )
    assert hostile != schema

    def change(members):
        return {**members, "schema.json": hostile.encode()}

    rewrite(saved, change)
    sign(saved)

    with pytest.raises(UnsafeModelError, match=r"subprocess\.Popen, which is not trusted"):
        load_model(saved)


def test_what_is_no_model_is_refused(tmp_path):
    text = tmp_path / "text.skops"
    text.write_text("hello")
    archive = tmp_path / "archive.skops"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("x", "y")

    for path in (text, archive, tmp_path):
        with pytest.raises(UnsafeModelError, match="is not a model that curvewise saved"):
            load_model(path)
    with pytest.raises(UnsafeModelError, match="There is no file"):
        load_model(tmp_path / "none.skops")


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    model = SavedModel(SVC().fit(X, y), {}, "", "classification")

    with pytest.raises(InvalidParameterError, match="There is no folder"):
        save_model(model, tmp_path / "none" / "model.skops")


def test_nothing_is_left_if_a_model_cannot_be_saved(tmp_path):
    with pytest.raises(InvalidParameterError, match="The model cannot be saved"):
        save_model(SavedModel(Unsavable(), {}, "", "classification"), tmp_path / "model.skops")

    assert list(tmp_path.iterdir()) == []


def test_an_old_model_stays_if_the_new_one_cannot_be_saved(saved):
    before = saved.read_bytes()
    with pytest.raises(InvalidParameterError, match="The model cannot be saved"):
        save_model(SavedModel(Unsavable(), {}, "", "classification"), saved)

    assert saved.read_bytes() == before
    assert np.array_equal(load_model(saved).pipeline.classes_, [0, 1, 2])


def test_facts_that_were_changed_are_refused(saved):
    def change(members):
        manifest = {**json.loads(members[MANIFEST]), "columns": {"a": "text"}}
        return {**members, MANIFEST: json.dumps(manifest)}

    rewrite(saved, change)

    with pytest.raises(UnsafeModelError, match="it was changed after it was saved"):
        load_model(saved)


def test_another_version_of_scikit_learn_earns_a_warning(saved):
    sign(saved, **{"scikit-learn": "1.0.2"})

    with pytest.warns(UserWarning, match=r"was saved with scikit-learn 1\.0\.2, and this is"):
        load_model(saved)


def test_a_class_of_another_package_is_trusted_only_if_it_is_named(tmp_path):
    path = tmp_path / "model.skops"
    save_model(SavedModel(Own().fit(X, y), COLUMNS, "kind", "classification"), path)

    with pytest.raises(UnsafeModelError, match=r"test_saved_model\.Own, which is not trusted"):
        load_model(path)
    assert load_model(path, trusted=[OWN]).pipeline.predict(X[:2]).tolist() == [0, 0]


@pytest.mark.parametrize("step", [SimpleImputer(), KBinsDiscretizer(3)], ids=str)
def test_a_step_that_is_in_no_space_of_ours_can_be_trusted(tmp_path, step):
    pipeline = make_pipeline(step, SVC()).fit(X, y)
    path = tmp_path / "model.skops"
    names = save_model(SavedModel(pipeline, COLUMNS, "kind", "classification"), path)
    loaded = load_model(path, trusted=names).pipeline

    assert loaded.predict(X).tolist() == pipeline.predict(X).tolist()


def test_a_device_is_not_replaced(tmp_path):
    with pytest.raises(InvalidParameterError, match="no regular file"):
        save_model(SavedModel(Own().fit(X, y), {}, "", "classification"), os.devnull)


@pytest.mark.skipif(os.name != "posix", reason="makes a symbolic link")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.skops").symlink_to(tmp_path / "model.skops")
    save_model(SavedModel(Own().fit(X, y), COLUMNS, "", "classification"), tmp_path / "link.skops")

    assert (tmp_path / "link.skops").is_symlink()
    assert (tmp_path / "model.skops").is_file()


def test_saving_names_the_classes_that_loading_will_not_trust(tmp_path):
    own = make_pipeline(StandardScaler(), Own()).fit(X, y)
    usual = make_pipeline(StandardScaler(), SVC()).fit(X, y)

    assert save_model(SavedModel(own, COLUMNS, "", "classification"), tmp_path / "a") == [OWN]
    assert save_model(SavedModel(usual, COLUMNS, "", "classification"), tmp_path / "b") == []


def test_a_model_that_could_never_be_loaded_is_not_saved(tmp_path):
    model = SavedModel(make_pipeline(FunctionTransformer(np.exp), SVC()), {}, "", "classification")

    with pytest.raises(
        InvalidParameterError, match=r"exp, which is not trusted: functions never are"
    ):
        save_model(model, tmp_path / "model.skops")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["tests", "", ".", "a..b", "tests.", ".tests", "a b.C", "a-b.C", "a/b"]
)
def test_what_is_no_name_of_a_class_is_said(saved, name):
    with pytest.raises(InvalidParameterError, match="is no name of a class with its module"):
        load_model(saved, trusted=[name])


@pytest.mark.parametrize("name", ["numpy.testing.assert_equal", "tests.automl", "os.environ"])
def test_only_classes_can_be_trusted(saved, name):
    with pytest.raises(InvalidParameterError, match="is no class, and only classes can be trusted"):
        load_model(saved, trusted=[name])


def test_a_class_that_cannot_be_imported_is_said(saved):
    with pytest.raises(InvalidParameterError, match=r"'nowhere\.Thing' cannot be imported"):
        load_model(saved, trusted=["nowhere.Thing"])


def test_a_class_can_be_trusted_under_the_name_that_it_is_imported_by(tmp_path):
    words = SavedModel(make_pipeline(CountVectorizer(), SVC()), {}, "", "classification")
    save_model(words, tmp_path / "model.skops")
    named = "sklearn.feature_extraction.text.CountVectorizer"

    assert load_model(tmp_path / "model.skops", trusted=named).pipeline.steps
    assert load_model(tmp_path / "model.skops", trusted=[named]).pipeline.steps


def test_facts_of_the_wrong_kinds_are_refused(saved):
    for facts in ({"columns": {"a": 1}}, {"columns": ["a"]}, {"target": 3}, {"task": "ranking"}):
        sign(saved, **facts)
        with pytest.raises(UnsafeModelError, match="is not a model that curvewise saved"):
            load_model(saved)


def test_a_version_cannot_steer_the_terminal(saved):
    sign(saved, **{"scikit-learn": "\x1b[2J"})

    with pytest.raises(UnsafeModelError, match="is not a model that curvewise saved"):
        load_model(saved)


def test_a_booster_that_found_no_rounds_is_saved_too(tmp_path):
    lightgbm = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    X, y = load_iris(return_X_y=True, as_frame=True)
    booster = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1)
    pipeline = make_pipeline(StandardScaler(), booster).fit(X, y)
    path = tmp_path / "model.skops"
    model = SavedModel(pipeline, dict.fromkeys(X.columns, "number"), "target", "classification")

    assert save_model(model, path) == []
    np.testing.assert_array_equal(load_model(path).pipeline.predict(X), pipeline.predict(X))
