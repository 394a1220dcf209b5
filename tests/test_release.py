"""A release is one tag: every file that names a version or what we depend on says the same."""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import curvewise

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / ".ci" / "version"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def script():
    """The script that the workflow runs, as a module."""
    loader = importlib.machinery.SourceFileLoader("version_script", str(SCRIPT))
    spec = importlib.util.spec_from_loader("version_script", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_file_names_the_same_version(script):
    assert set(script.versions().values()) == {PROJECT["version"]} == {curvewise.__version__}


def test_the_conda_recipe_needs_what_the_project_needs():
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    run = recipe.partition("\n  run:\n")[2].partition("\n\n")[0]
    named = dict(re.findall(r"- ([\w-]+) (>=[\d.]+)", run))
    bounds = [re.fullmatch(r"([\w-]+)(>=[\d.]+)", each) for each in PROJECT["dependencies"]]
    needed = dict(match.groups() for match in bounds)

    assert named == needed | {"python": PROJECT["requires-python"]}


@pytest.mark.parametrize("arguments", [[], ["0.1.0"], ["--notes"]])
def test_without_a_tag_the_script_says_how_it_is_used(arguments):
    answer = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False
    )

    assert answer.returncode == 2
    assert answer.stderr.startswith("Usage: ")


def test_a_tag_that_is_not_the_version_is_refused():
    answer = subprocess.run(
        [sys.executable, SCRIPT, "v99.0"], capture_output=True, text=True, check=False
    )

    assert answer.returncode == 1
    assert f"pyproject.toml says {PROJECT['version']}" in answer.stderr
    assert "CHANGELOG.md has no section [99.0]" in answer.stderr


def test_the_notes_of_a_version_are_its_section(script, tmp_path, monkeypatch):
    text = "## [Unreleased]\n\nsoon\n\n## [1.0] - 2027-01-01\n\n- new\n\n## [0.9]\n\n- old\n"
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(script, "ROOT", tmp_path)

    assert script.notes("1.0") == "- new"
    assert script.notes("0.9") == "- old"
    assert script.notes("0.8") == ""
