"""What users may import: six places, documented in full, and all that the docs use."""

import ast
import re
from collections import Counter
from importlib import import_module

import pytest

from tests.public_surface import (
    PLACES,
    ROOT,
    modules,
    private_imports,
    public_names,
    shortcomings,
)

BLOCK = re.compile(r"^```python(?:-norun)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def stems():
    return [name.rpartition(".")[2].lstrip("_") for name in modules()]


def test_every_module_but_the_public_places_is_private():
    inside = [name for name in modules() if name not in PLACES]

    assert [name for name in inside if not re.search(r"\._", name)] == []


def test_no_two_modules_share_a_name():
    assert [name for name, n in Counter(stems()).items() if n > 1] == []


def test_modules_are_nouns():
    assert [name for name in stems() if name.endswith("ing")] == []


def test_no_two_classes_share_a_name():
    names = Counter()
    for file in (ROOT / "src").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))

    assert [name for name, n in names.items() if n > 1 and not name.startswith("_")] == []


@pytest.mark.parametrize("place", PLACES)
def test_a_public_place_lists_what_it_offers_and_has_it(place):
    module = import_module(place)
    offered = [name for name in vars(module) if is_offered(module, name)]

    assert sorted(set(module.__all__)) == sorted(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert [name for name in offered if name not in module.__all__] == []


def is_offered(module, name):
    """Say whether a name looks as if users were meant to import it."""
    thing = getattr(module, name)
    own = (getattr(thing, "__module__", None) or "").partition(".")[0] == "curvewise"
    return own and isinstance(thing, type) and not name.startswith("_")


@pytest.mark.parametrize("name", public_names())
def test_a_public_name_is_documented_and_typed(name):
    assert shortcomings(name) == []


def programs():
    """All code that users are shown: blocks of Markdown, and the examples."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    shown = {page: BLOCK.findall(page.read_text(encoding="utf-8")) for page in pages}
    shown |= {
        file: [file.read_text(encoding="utf-8")]
        for file in sorted((ROOT / "examples").rglob("*.py"))
    }
    return [(file, "\n".join(blocks)) for file, blocks in shown.items() if blocks]


@pytest.mark.parametrize(
    ("file", "program"),
    [pytest.param(*each, id=each[0].name) for each in programs()],
)
def test_what_users_are_shown_imports_from_public_places_only(file, program):
    assert private_imports(program) == []


@pytest.mark.parametrize("place", PLACES)
def test_the_reference_shows_every_public_name(place):
    page = (ROOT / "docs" / "reference" / "names.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^   (\w+)$|`(?:cw\.)?(\w+)`", page, re.MULTILINE))
    names = {name for pair in shown for name in pair}

    assert [name for name in import_module(place).__all__ if name not in names] == []
