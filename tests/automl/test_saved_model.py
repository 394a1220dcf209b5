import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from curvewise.automl import _saved_model as saving
from curvewise.automl._saved_model import MANIFEST, SavedModel, load_model, save_model
from curvewise.errors import InvalidParameterError, UnsafeModelError

X, y = load_iris(return_X_y=True)
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


def sign(path, **facts):
    """Change facts of the manifest, and make the digest right again."""
    with zipfile.ZipFile(path) as archive:
        manifest = {**json.loads(archive.read(MANIFEST)), **facts}
        del manifest["digest"]
        digest = saving._digest(archive, manifest)
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


def test_a_class_of_another_package_is_trusted_only_if_its_package_is_named(tmp_path):
    path = tmp_path / "model.skops"
    save_model(SavedModel(Own().fit(X, y), COLUMNS, "kind", "classification"), path)

    with pytest.raises(UnsafeModelError, match=r"test_saved_model\.Own, which is not trusted"):
        load_model(path)
    assert load_model(path, packages=["tests"]).pipeline.predict(X[:2]).tolist() == [0, 0]


def test_a_device_is_not_replaced(tmp_path):
    with pytest.raises(InvalidParameterError, match="no regular file"):
        save_model(SavedModel(Own().fit(X, y), {}, "", "classification"), os.devnull)


@pytest.mark.skipif(os.name != "posix", reason="makes a symbolic link")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.skops").symlink_to(tmp_path / "model.skops")
    save_model(SavedModel(Own().fit(X, y), COLUMNS, "", "classification"), tmp_path / "link.skops")

    assert (tmp_path / "link.skops").is_symlink()
    assert (tmp_path / "model.skops").is_file()
