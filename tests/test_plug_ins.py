"""Plug-ins of a small package that is put onto the path of Python, with metadata of its own."""

import importlib
import sys

import pytest

from curvewise._plug_ins import find_plug_in, plug_in_names, policy_of
from curvewise.automl import SearchSpace
from curvewise.automl._pipeline_search import space_for
from curvewise.core import Race
from curvewise.errors import InvalidParameterError, PlugInError

METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
ENTRY_POINTS = """
[curvewise.policies]
patient = plugged.policies:Patient
pushy = plugged.policies:push
race = plugged.policies:Patient
gone = plugged.nowhere:Gone

[curvewise.spaces]
small = plugged.spaces:small
ready = plugged.spaces:READY
rude = plugged.spaces:rude
empty = plugged.spaces:NOTHING
"""
POLICIES = """
from dataclasses import dataclass
from curvewise.core import Race

@dataclass(frozen=True)
class Patient(Race):
    name = "patient"

def push():
    pass
"""
SPACES = """
from curvewise.automl import Component, SearchSpace, Slot

def small(task):
    learner = "DummyClassifier" if task == "classification" else "DummyRegressor"
    return SearchSpace([Slot("learner", [Component(target="sklearn.dummy." + learner)])])

READY = small("classification")
NOTHING = 7

def rude(task):
    raise RuntimeError("not today")
"""


def install(folder, name, modules, points):
    """Lay a package out as an installer does."""
    package = folder / name
    package.mkdir()
    (package / "__init__.py").touch()
    for module, text in modules.items():
        (package / f"{module}.py").write_text(text, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA.format(name=name), encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    """A package with plug-ins; gone again after the test."""
    install(tmp_path, "plugged", {"policies": POLICIES, "spaces": SPACES}, ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "plugged"]:
        del sys.modules[name]


@pytest.mark.usefixtures("plugged")
def test_a_policy_of_a_plug_in_is_read_with_its_knobs():
    policy = policy_of("patient:price=0.001")

    assert type(policy).__name__ == "Patient"
    assert policy.price == 0.001


@pytest.mark.usefixtures("plugged")
def test_what_is_built_in_is_not_replaced():
    assert type(policy_of("race")) is Race


@pytest.mark.usefixtures("plugged")
def test_nothing_is_loaded_but_what_is_named():
    assert "patient" in plug_in_names("curvewise.policies")
    policy_of("race")
    with pytest.raises(InvalidParameterError, match=r"no policy 'pation'.*race.*patient"):
        policy_of("pation")
    assert "plugged" not in sys.modules


@pytest.mark.usefixtures("plugged")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gone", "The plug-in 'gone' of plugged cannot be loaded: ModuleNotFoundError"),
        ("pushy", "The plug-in 'pushy' of plugged is no policy"),
    ],
)
def test_a_broken_policy_is_one_sentence(text, says):
    with pytest.raises(PlugInError, match=says) as caught:
        policy_of(text)

    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("plugged")
@pytest.mark.parametrize("name", ["small", "ready"])
def test_a_space_of_a_plug_in_is_meant_by_its_name(name):
    space = space_for("classification", name)

    assert isinstance(space, SearchSpace)
    assert [component.name for component in space.slots[-1].components] == ["DummyClassifier"]


@pytest.mark.usefixtures("plugged")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("rude", "The plug-in 'rude' of plugged failed: RuntimeError: not today."),
        ("empty", "The plug-in 'empty' of plugged is no search space"),
    ],
)
def test_a_broken_space_is_one_sentence(name, says):
    with pytest.raises(PlugInError, match=says):
        space_for("classification", name)


@pytest.mark.usefixtures("plugged")
def test_a_name_that_nobody_knows_lists_those_that_are_known():
    with pytest.raises(InvalidParameterError, match=r"no search space 'tiny'.*today, paper.*small"):
        space_for("classification", "tiny")


def test_a_name_that_two_packages_use_is_refused(plugged):
    points = "[curvewise.spaces]\nsmall = another:thing\n"
    install(plugged, "another", {}, points)
    importlib.invalidate_caches()

    with pytest.raises(PlugInError, match="plug-in of another and plugged"):
        find_plug_in("curvewise.spaces", "small")
