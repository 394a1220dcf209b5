"""The list of what a model may hold: all that is needed, and nothing else."""

import importlib
import json
import pkgutil
import sys
import warnings
from functools import cache

import numpy
import pytest
import scipy
import sklearn
import skops.io

from curvewise.automl._model_audit import FIELDS, audit
from curvewise.automl._trusted_names import (
    ATTRIBUTES,
    DEFAULTS,
    NEEDED,
    PARAMETERS,
    is_trusted,
)
from curvewise.errors import UnsafeModelError
from tests.automl.census import census, models_of_the_paper, models_of_today
from tests.automl.hostile_nodes import (
    called,
    dummy,
    function,
    listed,
    node,
    with_attributes,
)

LISTED = {(loader, name) for loader, names in NEEDED.items() for name in names}
PLAIN = {(loader, name) for loader, names in DEFAULTS.items() for name in names}
# Loaders of skops that call or import what a file names, or make much of little, and that no model
# of ours needs.
NEVER = {
    "BytearrayNode",
    "CachedNode",
    "ConstructorFromReduceNode",
    "DefaultDictNode",
    "MethodNode",
    "OperatorFuncNode",
    "PartialNode",
    "QuantileForestNode",
}


@pytest.fixture(scope="module")
def of_today():
    """What today's models hold; fitting and saving them all takes many seconds."""
    return census(models_of_today())


@pytest.mark.slow
def test_the_list_has_what_our_models_need_and_nothing_else(of_today):
    pytest.importorskip("lightgbm", reason="LightGBM is not installed, so nothing is made of it")
    found = census(models_of_the_paper(), beside=of_today)
    classes = {pair for pair in found.pairs if pair[0] == "ObjectNode"} - PLAIN
    needed = {(loader, name) for loader, name in found.pairs if name in found.strange} | classes

    assert needed - LISTED == set(), "needed, but not on the list"
    assert LISTED - needed == set(), "on the list, but not needed"
    assert {pair for pair in found.pairs if not is_trusted(*pair)} == set()
    assert found.attributes == ATTRIBUTES
    assert found.parameters == PARAMETERS


def test_todays_models_need_nothing_that_is_not_on_the_list(of_today):
    assert {pair for pair in of_today.pairs if not is_trusted(*pair)} == set()
    for name, attributes in of_today.attributes.items():
        assert attributes <= ATTRIBUTES[name]
    assert of_today.parameters <= PARAMETERS


def test_no_parameter_of_lightgbm_on_the_list_names_a_file_or_a_machine():
    words = ("file", "data", "machine", "config", "path", "_port", "model", "output", "input")

    assert not [name for name in PARAMETERS if any(word in name for word in words)]


def test_no_name_is_a_prefix_and_none_is_on_two_lists():
    for _, name in LISTED | PLAIN:
        assert all(part.isidentifier() for part in name.split("."))
    assert not LISTED & PLAIN


def test_whatever_is_no_function_by_its_loader_is_a_class():
    for loader, name in LISTED | PLAIN:
        found = thing_called(name)
        if found is not None:
            assert isinstance(found, type) != (loader == "FunctionNode"), name


def test_functions_are_among_the_needed_only():
    assert "FunctionNode" not in DEFAULTS


def test_what_we_take_from_skops_is_what_it_trusts_by_default():
    from skops.io import _trusted_types as theirs
    from skops.io._sklearn import ALLOWED_LOSSES

    losses = {f"{cls.__module__}.{cls.__name__}" for cls in ALLOWED_LOSSES}
    losses = {name.replace("_loss.Cy", "sklearn._loss._loss.Cy", 1) for name in losses} | losses

    assert {name for name in DEFAULTS["LossNode"] if thing_called(name)} <= losses
    constants = {"sklearn.dummy.DummyClassifier", "sklearn.dummy.DummyRegressor"}
    assert DEFAULTS["ObjectNode"] - constants <= set(theirs.SKLEARN_INTERNAL_TYPE_NAMES)
    assert constants <= DEFAULTS["ObjectNode"] & set(theirs.SKLEARN_ESTIMATOR_TYPE_NAMES)


def test_losses_of_a_module_called_loss_are_trusted_only_if_it_is_scikit_learns(monkeypatch):
    name = "_loss.CyHalfBinomialLoss"
    monkeypatch.setitem(sys.modules, "_loss", importlib.import_module("sklearn._loss._loss"))

    assert is_trusted("LossNode", name)
    monkeypatch.setitem(sys.modules, "_loss", json)
    assert not is_trusted("LossNode", name)
    monkeypatch.delitem(sys.modules, "_loss")
    assert not is_trusted("LossNode", name)


def test_loaders_that_no_model_may_need_are_unknown():
    assert not NEVER & (FIELDS.keys() | NEEDED.keys() | DEFAULTS.keys())
    assert FIELDS.keys() == NEEDED.keys() | DEFAULTS.keys()


def test_every_loader_of_skops_is_known_or_refused_on_purpose():
    from skops.io._audit import NODE_TYPE_MAPPING

    assert {loader for loader, _ in NODE_TYPE_MAPPING} == FIELDS.keys() | NEVER


def thing_called(name):
    """Import something by name; None if this version does not have it."""
    module, _, last = name.rpartition(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(importlib.import_module(module), last, None)
        except ModuleNotFoundError:
            # LightGBM is an extra.
            return None


@cache
def callables_of(package):
    """Give the names under which callables of a package can be reached, private ones as well."""
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=str)
        for module in (package.__name__, *(each.name for each in found)):
            if ".tests" in module or "conftest" in module or module.endswith("__main__"):
                continue
            try:
                values = vars(importlib.import_module(module))
            except (Exception, SystemExit):
                # What needs another system or package cannot be imported by a file either.
                continue
            names.update((f"{module}.{key}", value) for key, value in values.items())
    return {name: value for name, value in names.items() if callable(value)}


@pytest.mark.slow
@pytest.mark.parametrize("package", [numpy, scipy, sklearn], ids=lambda package: package.__name__)
def test_whatever_can_be_called_and_is_not_listed_is_refused(package):
    callables = callables_of(package)
    passed = {
        (loader, name)
        for name in callables
        for loader in (*FIELDS, *NEVER)
        if is_trusted(loader, name)
    }

    assert len(callables) > 2_000
    assert passed <= LISTED | PLAIN
    for loader, name in passed - LISTED:
        assert isinstance(callables[name], type), (loader, name)


@pytest.mark.slow
@pytest.mark.parametrize("package", [numpy, scipy, sklearn], ids=lambda package: package.__name__)
def test_a_file_that_names_any_function_is_refused(package):
    functions = [
        name for name, value in callables_of(package).items() if not isinstance(value, type)
    ]
    allowed = NEEDED["FunctionNode"]
    model = dummy()
    refused = 0
    for name in functions:
        if name in allowed or not all(part.isidentifier() for part in name.split(".")):
            continue
        for hostile in (
            {"predict": function(name)},
            {"a": called(name)},
            {"a": listed(name=name)},
            {"a": node(name, "ObjectNode")},
            {"a": node(name, "TypeNode")},
        ):
            with pytest.raises(UnsafeModelError):
                audit({**with_attributes(model, hostile), "protocol": 2})
            refused += 1

    assert refused > 5_000


def test_the_audit_asks_for_trust_in_classes_only():
    schema = {**dummy(a=node("datetime.tzinfo", "ObjectNode")), "protocol": 2}

    assert audit(schema).untrusted == {"datetime.tzinfo"}
    assert audit(schema, trusted=["datetime.tzinfo"]).untrusted == set()
    with pytest.raises(UnsafeModelError, match="functions never are"):
        audit({**dummy(a=node("json.dumps", "ObjectNode")), "protocol": 2})


@pytest.mark.parametrize("loader", sorted((FIELDS.keys() | NEVER) - {"ObjectNode"}))
def test_a_class_that_is_trusted_is_made_from_its_state_and_in_no_other_way(loader):
    schema = {**dummy(a=node("json.JSONDecoder", loader)), "protocol": 2}

    with pytest.raises(UnsafeModelError):
        audit(schema, trusted=["json.JSONDecoder"])


def test_what_skops_writes_today_is_in_the_format_that_the_audit_knows():
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(skops.io.dumps([1]))) as archive:
        findings = audit(json.loads(archive.read("schema.json")))

    assert findings.names == {"builtins.list", "builtins.str"}
