import json
import sys

import pytest

from curvewise._bench.tools.environments import MARK, Environments
from curvewise._bench.tools.tool_list import Tool
from curvewise.errors import InvalidParameterError
from tests.bench.tools.samples import FAKE, fake

FOREIGN = Tool(name="other", script=FAKE, packages=("other==1",), environment="other")


def test_a_tool_without_packages_runs_on_our_interpreter_with_our_packages(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    places = Environments(tmp_path)

    assert places.is_ready(fake())
    assert str(places.interpreter(fake())) == sys.executable
    assert places.variables(fake())["PYTHONPATH"] == "somewhere"


def test_a_tool_with_packages_sees_none_of_ours(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    places = Environments(tmp_path)

    assert places.interpreter(FOREIGN) == tmp_path / "other" / "bin" / "python"
    assert "PYTHONPATH" not in places.variables(FOREIGN)


@pytest.mark.parametrize("tool", [fake(), FOREIGN], ids=lambda tool: tool.name)
def test_every_tool_keeps_compiled_files(tool, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    assert "PYTHONDONTWRITEBYTECODE" not in Environments(tmp_path).variables(tool)


def test_an_environment_counts_only_with_the_packages_that_are_wanted(tmp_path):
    places = Environments(tmp_path)
    (tmp_path / "other").mkdir()

    assert not places.is_ready(FOREIGN)
    for packages, ready in (["other==1"], True), (["other==2"], False):
        (tmp_path / "other" / MARK).write_text(json.dumps({"packages": packages}))
        assert places.is_ready(FOREIGN) is ready


def test_a_missing_environment_is_said_with_the_command_that_makes_it(tmp_path):
    with pytest.raises(InvalidParameterError, match=r"no environment for other: .* --prepare"):
        Environments(tmp_path).check([fake(), FOREIGN])


def test_versions_are_told_by_the_tools_own_interpreter(tmp_path):
    numpy = Tool(name="x", script=FAKE, distribution="numpy")

    assert Environments(tmp_path).version(numpy)[0].isdigit()
    assert Environments(tmp_path).version(fake()) is None


def test_a_distribution_that_is_not_there_is_said(tmp_path):
    missing = Tool(name="x", script=FAKE, distribution="no-such-thing")

    with pytest.raises(InvalidParameterError, match="environment of x cannot be used"):
        Environments(tmp_path).version(missing)
