import pytest

from curvewise._bench.tools.tool_list import read_tools
from curvewise.errors import InvalidParameterError
from tests.bench.tools.samples import FAKE

TOOL = f"""
[[tool]]
name = "mine"
script = "{FAKE}"
"""


def test_the_tools_that_come_with_curvewise_can_be_read():
    tools = read_tools()

    assert {"curvewise", "hgb", "lightgbm", "flaml", "autogluon", "naiveautoml"} <= set(tools)
    assert not tools["curvewise"].packages
    assert tools["hgb"].environment == tools["lightgbm"].environment == "models"
    assert all(tool.script.is_file() for tool in tools.values())


def test_a_file_adds_tools_and_replaces_those_of_the_same_name(tmp_path):
    path = tmp_path / "tools.toml"
    ours = '[[tool]]\nname = "curvewise"\nscript = "curvewise_select.py"\n'
    path.write_text(TOOL + ours + 'options = { arguments = ["--folds", "3"] }\n')

    tools = read_tools(path, names=["mine", "curvewise"])

    assert list(tools) == ["mine", "curvewise"]
    assert tools["curvewise"].options == {"arguments": ["--folds", "3"]}
    assert tools["mine"].script == FAKE


MISTAKES = {
    "no TOML": ("[[tool", "no valid TOML"),
    "no tool": ("", "there is no [[tool]]"),
    "another part": ("title = 'x'\n" + TOOL, "title"),
    "no name": ('[[tool]]\nscript = "x.py"', "name must be a text"),
    "a bad name": (TOOL.replace("mine", "../mine"), "letters, digits"),
    "no script": ('[[tool]]\nname = "mine"\nscript = "none.py"', "no script 'none.py'"),
    "another key": (TOOL + "seconds = 3", "seconds"),
    "packages": (TOOL + 'packages = "flaml"', "must be a list of texts"),
    "options": (TOOL + "options = 3", "must be a table"),
    "twice": (TOOL + TOOL, "two tools have the same name"),
    "two wishes": (TOOL + 'packages = ["a"]\nenvironment = "models"', "share the environment"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence(mistake, tmp_path):
    text, sentence = MISTAKES[mistake]
    path = tmp_path / "tools.toml"
    path.write_text(text)

    with pytest.raises(InvalidParameterError) as caught:
        read_tools(path)

    assert sentence in str(caught.value)


def test_an_unknown_tool_is_told_who_is_there():
    with pytest.raises(InvalidParameterError, match="no tool 'flam'; there are curvewise, hgb"):
        read_tools(names=["flam"])
