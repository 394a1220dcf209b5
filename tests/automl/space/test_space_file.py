import json
import sys

import numpy as np
import pytest

from curvewise.automl import Categorical, Integer, Real, SizedByData, load_space
from curvewise.errors import InvalidParameterError, MissingExtraError

TOML = """
weights = "product"

[[slot]]
name = "data"
optional = true

[[slot.component]]
class = "sklearn.preprocessing.StandardScaler"
gives_negative = true

[[slot]]
name = "classifier"

[[slot.component]]
class = "sklearn.svm.SVC"
name = "SVC(poly)"
fixed = { kernel = "poly", class_weight = "None" }

[slot.component.parameters]
C = { low = 0.03125, high = 32768.0, log = true }
degree = { low = 2, high = 5 }
shrinking = ["True", false]
coef0 = { low = -1.0, high = 1.0, when = { shrinking = [true] } }
"""


SVC = "sklearn.svm.SVC"


def space_of(component):
    return {"slot": [{"name": "classifier", "component": [component]}]}


@pytest.fixture
def load(tmp_path):
    def load(content, suffix=".json", **options):
        path = tmp_path / f"space{suffix}"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return load_space(path, **options)

    return load


def test_a_space_is_read_from_toml(load):
    space = load(TOML, ".toml")
    svc = space.components("classifier")[0]

    assert space.weights == "product"
    assert [slot.optional for slot in space.slots] == [True, False]
    assert svc.parameters == {
        "C": Real(0.03125, 32768.0, log=True),
        "degree": Integer(2, 5),
        "shrinking": Categorical([True, False]),
        "coef0": Real(-1.0, 1.0),
    }
    assert svc.fixed == {"kernel": "poly", "class_weight": None}
    assert space.sample(0)[-1].kernel == "poly"


def test_a_component_of_a_file_may_be_sized_by_data(load):
    component = {
        "class": "sklearn.tree.DecisionTreeClassifier",
        "parameters": {"max_depth_factor": {"low": 0.1, "high": 2.0}},
    }
    tree = load(space_of({**component, "sized": True})).sample(0)[-1]

    assert isinstance(tree, SizedByData)
    assert 0.1 <= tree.max_depth_factor <= 2.0
    with pytest.raises(InvalidParameterError, match="takes no 'max_depth_factor'"):
        load(space_of(component))


def test_a_component_of_a_file_may_be_averaged_over_seeds(load):
    tree = {"class": "sklearn.tree.DecisionTreeClassifier", "parameters": {"n_seeds": [3]}}
    bayes = {"class": "sklearn.naive_bayes.GaussianNB", "averaged": True}
    learner = load(space_of({**tree, "averaged": True})).sample(0)[-1]

    assert len(learner.estimators) == 3
    with pytest.raises(InvalidParameterError, match="takes no 'n_seeds'"):
        load(space_of(tree))
    with pytest.raises(InvalidParameterError, match="GaussianNB takes no random_state"):
        load(space_of(bayes))


def test_a_file_may_forbid_combinations_and_give_conditions(load):
    component = {
        "class": SVC,
        "parameters": {"kernel": ["rbf", "linear"], "shrinking": [True, False]},
        "forbidden": [{"kernel": ["rbf"], "shrinking": True}],
        "dense": {"kernel": ["linear"]},
    }
    space = load(space_of(component))
    rng = np.random.RandomState(0)
    drawn = [space.sample(rng) for _ in range(50)]

    assert {(one[-1].kernel, one[-1].shrinking) for one in drawn} == {
        ("rbf", False),
        ("linear", True),
        ("linear", False),
    }
    assert all(("dense" in one.named_steps) == (one[-1].kernel == "linear") for one in drawn)


def test_former_names_are_read_as_well(load):
    component = {
        "class": "sklearn.cluster.FeatureAgglomeration",
        "parameters": {"affinity": ["cosine"]},
        "fixed": {"linkage": "average"},
    }
    content = space_of({"class": SVC})
    content["slot"].insert(0, {"name": "feature", "component": [component]})
    space = load(content)

    assert space.sample(np.random.RandomState(0))[0].metric == "cosine"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("os.system", "not allowed"),
        ("subprocess.Popen", "not allowed"),
        ("builtins.eval", "not allowed"),
        ("sklearnx.Evil", "not allowed"),
        ("sklearn", "no public class"),
        ("sklearn.svm._classes.SVC", "no public class"),
        ("sklearn.svm.__class__", "no public class"),
        ("sklearn.svm.SVC()", "no public class"),
        ("sklearn.svm.NoSuch", "cannot be imported"),
        ("sklearn.utils.Bunch", "no estimator"),
        ("sklearn.metrics.accuracy_score", "no estimator"),
        ("sklearn.base.defaultdict", "no estimator"),
        ("sklearn.utils.metadata_routing.Path", "cannot be imported|no estimator"),
        (["sklearn.svm.SVC"], "needs a class"),
        (None, "needs a class"),
    ],
)
def test_only_estimators_of_allowed_packages_appear(load, target, message):
    with pytest.raises(InvalidParameterError, match=message):
        load(space_of({"class": target}))


def test_a_package_that_the_user_names_is_allowed(load, package):
    component = {"class": f"{package}.Own"}

    with pytest.raises(InvalidParameterError, match="name the package"):
        load(space_of(component))
    assert load(space_of(component), packages=[package]).sample(0).steps[0][0] == "classifier"


def test_nothing_is_imported_for_a_class_that_is_not_allowed(load, tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit('executed')")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(InvalidParameterError, match="not allowed"):
        load(space_of({"class": "trap.Estimator"}))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of the user's own, on the path; its name is a new one each time."""
    name = f"package_of_{tmp_path.name}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from os import system\n"
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "class Own(ClassifierMixin, BaseEstimator):\n"
        "    def __init__(self, size=1): self.size = size\n"
        "    def fit(self, X, y): return self\n"
        "    def predict(self, X): return X\n"
        "class HandsOn(Own):\n"
        "    def __init__(self, *, depth=1, **settings):\n"
        "        self.depth = depth\n"
        "        super().__init__(**settings)\n"
        "class NoEstimator: pass\n"
    )
    (folder / "broken.py").write_text("raise RuntimeError('no disk')")
    (folder / "leaving.py").write_text("raise SystemExit('bye')")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_own_estimators_are_drawn_if_their_package_is_named(load, package):
    space = space_of({"class": f"{package}.Own", "parameters": {"size": [2, 3]}})

    with pytest.raises(InvalidParameterError, match="only classes of sklearn are"):
        load(space)
    assert load(space, packages=[package]).sample(0)[-1].size in (2, 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("NoEstimator", "no estimator"),
        ("system", "no estimator"),
        ("BaseEstimator", "no estimator"),
        ("Missing", "cannot be imported"),
        ("os.system", "cannot be imported"),
        ("broken.Own", "cannot be imported: RuntimeError: no disk"),
        ("leaving.Own", "cannot be imported: SystemExit: bye"),
        ("_hidden.Own", "no public class"),
    ],
)
def test_naming_a_package_allows_its_estimators_only(load, package, name, message):
    with pytest.raises(InvalidParameterError, match=message):
        load(space_of({"class": f"{package}.{name}"}), packages=[package])


@pytest.mark.parametrize(
    ("target", "extra"),
    [
        ("xgboost.XGBClassifier", "boosters"),
        ("catboost.CatBoostClassifier", "boosters"),
        ("lightgbm.sklearn.LGBMClassifier", "select"),
    ],
)
def test_a_package_that_an_extra_brings_is_named_by_its_command(target, extra, load, monkeypatch):
    package = target.partition(".")[0]
    for name in {package, *(one for one in sys.modules if one.startswith(f"{package}."))}:
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(MissingExtraError, match=rf"{target} .*curvewise\[{extra}\]"):
        load(space_of({"class": target}), packages=[package])


def test_settings_that_a_constructor_hands_on_are_known(load, package):
    space = space_of({"class": f"{package}.HandsOn", "parameters": {"size": [2, 3], "depth": [4]}})
    misspelt = space_of({"class": f"{package}.HandsOn", "parameters": {"sise": [2, 3]}})

    drawn = load(space, packages=[package]).sample(0)[-1]

    assert (drawn.size in (2, 3), drawn.depth) == (True, 4)
    with pytest.raises(InvalidParameterError, match="takes no 'sise'"):
        load(misspelt, packages=[package])


@pytest.mark.parametrize("depth", [900, 5000, 20_000])
@pytest.mark.parametrize("suffix", [".json", ".toml"])
def test_lists_that_are_nested_deeply_are_refused(load, suffix, depth):
    deep = depth * "[" + depth * "]"
    text = json.dumps(space_of({"class": SVC, "fixed": {"C": "DEEP"}})).replace('"DEEP"', deep)
    if suffix == ".toml":
        text = f'slot = [{{name = "c", component = [{{class = "{SVC}", fixed = {{C = {deep}}}}}]}}]'

    with pytest.raises(InvalidParameterError, match=r"nested too deeply|no valid TOML or JSON"):
        load(text, suffix)


@pytest.mark.parametrize("part", ["a", '"\u2028"'], ids=["plain", "quoted"])
def test_names_of_very_many_parts_are_refused_before_they_are_read(load, part):
    with pytest.raises(InvalidParameterError, match="a line with more than 300 points"):
        load(".".join([part] * 100_000) + " = 1", suffix=".toml")


def test_very_many_components_take_no_long_time(load):
    many = [{"class": SVC, "name": f"SVC {i}"} for i in range(20_000)]
    space = load({"slot": [{"name": "classifier", "component": many}]})

    assert len(space.components()) == 20_000


def test_a_cache_directory_may_not_be_named(load):
    component = {
        "class": "sklearn.cluster.FeatureAgglomeration",
        "fixed": {"memory": "/tmp/elsewhere"},
    }

    with pytest.raises(InvalidParameterError, match="memory may not be set"):
        load(space_of(component))


@pytest.mark.parametrize("place", ["fixed", "parameters"])
def test_a_reader_of_text_is_told_no_names_of_files(load, place):
    value = "filename" if place == "fixed" else ["content", "filename"]
    vectorizer = {
        "class": "sklearn.feature_extraction.text.TfidfVectorizer",
        place: {"input": value},
    }

    with pytest.raises(InvalidParameterError, match="input may not be set by a file"):
        load(space_of(vectorizer))


def test_what_is_said_of_a_space_is_a_sentence_however_long_its_values_are(load):
    with pytest.raises(InvalidParameterError) as refusal:
        load({**space_of({"class": "sklearn.svm.SVC"}), "weights": 100_000 * "x"})

    assert len(str(refusal.value)) < 1_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "no valid TOML or JSON"),
        ([], "must be a table"),
        ({}, "needs a list called 'slot'"),
        ({"slot": [], "extra": 1}, "'extra', which means nothing"),
        ({"slot": [{"name": "a"}]}, "needs a list called 'component'"),
        (space_of({"class": SVC, "parameters": []}), "must be a table"),
        (space_of({"class": SVC, "parameters": {"D": [1]}}), "takes no 'D'"),
        (space_of({"class": SVC, "parameters": {"C": {"low": 1}}}), "needs low and high"),
        (space_of({"class": SVC, "parameters": {"C": {"low": "1", "high": 2}}}), "numbers"),
        (space_of({"class": SVC, "parameters": {"C": {"low": 3, "high": 2}}}), "at least 3"),
        (space_of({"class": SVC, "parameters": {"C": []}}), "at least one value"),
        (space_of({"class": SVC, "parameters": {"C": [{"a": 1}]}}), "no text, number"),
        (space_of({"class": SVC, "dense": "yes"}), "true or false"),
        (space_of({"class": SVC, "dense": {"kernel": ["rbf"]}}), "'kernel', which is no parameter"),
        (space_of({"class": SVC, "sized": {"kernel": ["rbf"]}}), "true or false"),
        (space_of({"class": SVC, "forbidden": [{"kernel": ["rbf"]}]}), "'kernel', which means"),
        (space_of({"class": SVC, "forbidden": ["rbf"]}), "must be a table"),
        (space_of({"class": SVC, "translate": "layers"}), "'translate', which means nothing"),
        (space_of({"class": "sklearn.pipeline.Pipeline"}), "needs a value for 'steps'"),
        (space_of({"class": "sklearn.preprocessing.StandardScaler"}), "predicts nothing"),
        (
            space_of({"class": SVC, "parameters": {"degree": {"low": 1, "high": 10**30}}}),
            r"within 2\*\*53",
        ),
        (
            space_of({"class": SVC, "parameters": {"C": {"low": 1, "high": 2, "when": "x"}}}),
            "when names one parameter",
        ),
    ],
)
def test_mistakes_in_a_file_are_named_with_the_file(load, content, message):
    with pytest.raises(InvalidParameterError, match=message) as caught:
        load(content)
    assert "space.json" in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InvalidParameterError, match="cannot be read"):
        load_space(tmp_path / "none.toml")
