"""XGBoost and CatBoost behind one face: labels of any kind, rounds that are found, plain states."""

import json
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.metrics import log_loss

from curvewise.automl._components import catboost_learners, xgboost_learners
from curvewise.automl._components.found_rounds import DEFAULT_ROUNDS, FoundRounds
from curvewise.automl._components.plain_booster import as_matrix
from curvewise.automl._saved_model import SavedModel, load_model, save_model
from curvewise.automl._trusted_names import is_trusted
from curvewise.errors import InvalidParameterError, UnsafeModelError

xgboost = pytest.importorskip("xgboost", reason="XGBoost is not installed")
catboost = pytest.importorskip("catboost", reason="CatBoost is not installed")

CLASSIFIERS = (xgboost_learners.XGBClassifier, catboost_learners.CatBoostClassifier)
REGRESSORS = (xgboost_learners.XGBRegressor, catboost_learners.CatBoostRegressor)
EVERY = (*CLASSIFIERS, *REGRESSORS)
N_ROWS = 400
SCRIPT = """
import json, sys
from curvewise.automl import load_model
import pandas as pd
model = load_model(sys.argv[1], trusted=[sys.argv[3]]).pipeline
before = {name for name in ("xgboost", "catboost") if name in sys.modules}
X = pd.read_pickle(sys.argv[2])
print(json.dumps([sorted(before), model.predict(X).tolist()]))
"""


def table():
    """Numbers with gaps, and a category that matters and has gaps."""
    rng = np.random.RandomState(0)
    X = pd.DataFrame({"size": rng.rand(N_ROWS), "weight": rng.rand(N_ROWS)})
    X["kind"] = pd.Categorical(rng.choice(list("abcde"), N_ROWS), categories=list("abcde"))
    y = 2 * X["kind"].isin(["b", "e"]) + X["size"] + 0.2 * rng.randn(N_ROWS)
    X.loc[rng.rand(N_ROWS) < 0.1, ["size", "kind"]] = None
    return X, y.to_numpy()


X, NUMBERS = table()
WORDS = np.where(NUMBERS > 2, "high", np.where(NUMBERS > 0.5, "middle", "low"))


def target_of(kind):
    return WORDS if issubclass(kind, CLASSIFIERS) else NUMBERS


def full_name(kind):
    return f"{kind.__module__}.{kind.__name__}"


def save(kind, path):
    model = FoundRounds(kind(n_estimators=20)).fit(X, target_of(kind))
    return model, save_model(SavedModel(model, {}, "", "classification"), path)


@pytest.mark.parametrize("kind", EVERY)
def test_rounds_are_found_and_fitted_on_all_rows(kind):
    found = FoundRounds(kind()).fit(X, target_of(kind))
    final = clone(found).set_params(**found.found_params_).fit(X, target_of(kind))

    assert 1 <= found.rounds_ < found.found_params_["rounds"] < 1000
    assert final.rounds_ == final.estimator_.n_estimators == found.found_params_["rounds"]
    assert final.found_params_ == {}


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_the_rounds_found_are_about_the_best_on_new_rows(kind):
    found = FoundRounds(kind(learning_rate=0.3)).fit(X[::2], WORDS[::2])
    losses = {}
    for rounds in (2, found.found_params_["rounds"], 500):
        fitted = FoundRounds(kind(learning_rate=0.3), rounds=rounds).fit(X[::2], WORDS[::2])
        losses[rounds] = log_loss(WORDS[1::2], fitted.predict_proba(X[1::2]))

    assert min(losses, key=losses.get) == found.found_params_["rounds"]


@pytest.mark.parametrize("kind", EVERY)
def test_with_few_rows_none_is_held_out(kind):
    found = FoundRounds(kind()).fit(X[:30], target_of(kind)[:30])

    assert found.rounds_ == DEFAULT_ROUNDS
    assert found.found_params_ == {}


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize(
    "labels", [["no", "yes"], ["x", "y", "z"], [3, 7], [-1.5, 0.5, 9.0], [False, True]]
)
def test_any_labels_can_be_classes(kind, labels):
    y = np.array(labels)[np.digitize(NUMBERS, [0.8, 2.0][: len(labels) - 1])]
    model = FoundRounds(kind()).fit(X, y)
    chances = model.predict_proba(X)

    assert model.classes_.tolist() == sorted(labels)
    assert set(model.predict(X)) == set(labels)
    assert chances.shape == (N_ROWS, len(labels))
    assert np.allclose(chances.sum(axis=1), 1)
    assert is_classifier(model)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_class_that_a_fold_lacks_is_no_class_of_its_model(kind):
    there = WORDS != "middle"
    rare = WORDS.copy()
    rare[:2] = "rare"

    model = FoundRounds(kind()).fit(X[there], WORDS[there])
    assert model.classes_.tolist() == ["high", "low"]
    assert set(model.predict(X)) == {"high", "low"}
    assert "rare" in FoundRounds(kind()).fit(X, rare).classes_


@pytest.mark.parametrize("kind", EVERY)
def test_a_target_that_is_always_the_same_is_predicted(kind, tmp_path):
    only = target_of(kind)[0]
    model = FoundRounds(kind()).fit(X, np.repeat(only, N_ROWS))
    foreign = save_model(SavedModel(model, {}, "", "classification"), tmp_path / "model.skops")
    loaded = load_model(tmp_path / "model.skops", trusted=foreign).pipeline

    assert set(model.predict(X)) == set(loaded.predict(X)) == {only}
    if kind in CLASSIFIERS:
        assert model.predict_proba(X).tolist() == [[1.0]] * N_ROWS


@pytest.mark.parametrize("kind", REGRESSORS)
def test_a_category_is_no_number(kind):
    model = FoundRounds(kind()).fit(X, NUMBERS)

    known = X["kind"].notna()
    assert model.score(X[known], NUMBERS[known]) > 0.8
    assert np.isnan(as_matrix(X)[0][~known.to_numpy(), 2]).all()
    assert as_matrix(X)[1] == [2]


@pytest.mark.parametrize("kind", EVERY)
def test_categories_alone_are_enough(kind):
    model = FoundRounds(kind()).fit(X[["kind"]], target_of(kind))

    assert len(set(model.predict(X[["kind"]]))) > 1


@pytest.mark.parametrize("kind", EVERY)
def test_sparse_tables_are_taken(kind):
    rows = sparse.csr_matrix(np.nan_to_num(as_matrix(X)[0]))
    model = FoundRounds(kind()).fit(rows, target_of(kind))

    assert len(model.predict(rows)) == N_ROWS


@pytest.mark.parametrize("kind", EVERY)
def test_the_same_seed_gives_the_same_model(kind):
    rough = {"subsample": 0.5, "n_estimators": 20}
    y = target_of(kind)
    model, same, other = (kind(random_state=seed, **rough).fit(X, y) for seed in (1, 1, 2))
    answer = "predict_proba" if kind in CLASSIFIERS else "predict"

    assert np.array_equal(getattr(model, answer)(X), getattr(same, answer)(X))
    assert not np.array_equal(getattr(model, answer)(X), getattr(other, answer)(X))


@pytest.mark.parametrize("kind", EVERY)
def test_fitting_and_predicting_say_nothing_and_leave_no_file(kind, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    FoundRounds(kind()).fit(X, target_of(kind)).predict(X)

    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", EVERY)
def test_one_thread_is_used(kind):
    model = FoundRounds(kind()).fit(X, target_of(kind)).estimator_._model
    if kind.LIBRARY == "xgboost":
        n_threads = json.loads(model.save_config())["learner"]["generic_param"]["nthread"]
    else:
        n_threads = model.get_params()["thread_count"]

    assert int(n_threads) == 1


@pytest.mark.parametrize("kind", EVERY)
def test_a_saved_model_is_loaded_only_with_trust_and_predicts_the_same(kind, tmp_path):
    path = tmp_path / "model.skops"
    model, foreign = save(kind, path)
    loaded = load_model(path, trusted=foreign).pipeline

    assert foreign == [full_name(kind)]
    assert not is_trusted("ObjectNode", full_name(kind))
    with pytest.raises(UnsafeModelError, match=f"{kind.__name__}, which is not trusted"):
        load_model(path)
    assert np.array_equal(model.predict(X), loaded.predict(X))
    if kind in CLASSIFIERS:
        assert np.array_equal(model.predict_proba(X), loaded.predict_proba(X))


@pytest.mark.parametrize("kind", EVERY)
def test_a_model_is_read_by_its_library_when_it_first_predicts(kind, tmp_path):
    path, rows = tmp_path / "model.skops", tmp_path / "rows.pickle"
    model, (name,) = save(kind, path)
    X.to_pickle(rows)
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), str(rows), name],
        capture_output=True,
        text=True,
        check=True,
    )
    before, predicted = json.loads(answer.stdout)

    assert before == []
    assert predicted == model.predict(X).tolist()


@pytest.mark.parametrize("kind", EVERY)
def test_a_loaded_model_can_be_saved_again(kind, tmp_path):
    _, trusted = save(kind, tmp_path / "first.skops")
    loaded = load_model(tmp_path / "first.skops", trusted=trusted)
    save_model(loaded, tmp_path / "unread.skops")
    predicted = loaded.pipeline.predict(X)
    save_model(loaded, tmp_path / "read.skops")

    for name in ("unread.skops", "read.skops"):
        again = load_model(tmp_path / name, trusted=trusted).pipeline
        assert np.array_equal(again.predict(X), predicted)


@pytest.mark.parametrize("kind", EVERY)
def test_no_pickle_is_in_a_file(kind, tmp_path):
    _, _ = save(kind, tmp_path / "model.skops")
    with zipfile.ZipFile(tmp_path / "model.skops") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}

    models = [content for name, content in members.items() if name.endswith(".bin")]
    assert len(models) == 1
    assert models[0][:4] == b"CBM1" if kind.LIBRARY == "catboost" else models[0][:1] == b"{"
    assert not any(content.startswith(b"\x80") for content in members.values())


@pytest.mark.parametrize("kind", EVERY)
def test_bytes_of_another_format_never_reach_the_library(kind):
    state = kind(n_estimators=5).fit(X, target_of(kind)).__getstate__()
    for content in (b"", b"nonsense", pickle.dumps(print), "text", None):
        loaded = kind()
        loaded.__setstate__({**state, "model_bytes_": content})
        with pytest.raises(UnsafeModelError, match=f"no model of {kind.LIBRARY}"):
            loaded.predict(X)


@pytest.mark.parametrize("kind", EVERY)
def test_a_model_that_was_cut_is_an_error_of_the_library(kind):
    state = kind(n_estimators=5).fit(X, target_of(kind)).__getstate__()
    loaded = kind()
    loaded.__setstate__({**state, "model_bytes_": state["model_bytes_"][:200]})

    with pytest.raises((xgboost.core.XGBoostError, catboost.CatBoostError)):
        loaded.predict(X)


@pytest.mark.parametrize("kind", EVERY)
def test_a_second_fit_forgets_the_first(kind):
    y = target_of(kind)
    used = pickle.loads(pickle.dumps(kind(n_estimators=10).fit(X[:200], y[:200])))
    used.predict(X)
    fresh = kind(n_estimators=10).fit(X, y)

    assert np.array_equal(used.fit(X, y).predict(X), fresh.predict(X))
    assert np.array_equal(pickle.loads(pickle.dumps(used)).predict(X), fresh.predict(X))


def test_the_estimators_of_the_libraries_themselves_find_no_rounds():
    for native in (xgboost.XGBClassifier(), catboost.CatBoostClassifier()):
        with pytest.raises(InvalidParameterError, match="estimator must be one of"):
            FoundRounds(native).fit(X, WORDS)
