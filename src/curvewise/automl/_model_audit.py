"""A look at everything that a file of a model would make, before any of it is made.

skops has an audit of its own; this one does not rely on it, and is narrower:

1. A node has exactly the fields that its loader reads, and each part is where that loader expects
   it. So nothing is made of anything that was not looked at, whatever a version of skops reads.
2. Loader and name together stand on a list (`_trusted_names.py`). Loaders that call what a file
   names (``MethodNode``, ``PartialNode``, ``OperatorFuncNode``, ...) are not on it at all.
3. A class that the user trusts may be made from its saved state, without calling it.
4. skops makes nodes of the same ``__id__`` once. They therefore have to be the same: no node can
   stand in for another one that was looked at.
5. The types of a dictionary's keys are called with the keys; they have to be types.
6. No ``memory`` among attributes: fitting would unpickle what lies in that folder.
7. The state of LightGBM's objects goes to compiled code. They have the attributes and parameters on
   a list, and a text among the parameters is one word: there are others that name files and
   machines, and a text with spaces would be read as several. The model itself is text, and looked
   at as well (`_booster_text.py`). It is nowhere but in a model of LightGBM: it can write files.
8. Python looks for something in an object before it looks for it in its class. So no attribute of
   an object has the name of anything that its class has, or of a method that Python calls by
   itself; and the state is a dictionary, as what is made of pairs would not have been looked at.
9. An attribute that names a method to call (`CALLED`) names one that predicts.

Nothing is imported here but classes on the list.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from curvewise.automl._booster_text import check_booster_text
from curvewise.automl._trusted_names import ATTRIBUTES, BIT_GENERATORS, PARAMETERS, is_trusted
from curvewise.errors import UnsafeModelError

# The version of skops' format that `FIELDS` describes.
PROTOCOL = 2
# Pipelines of ours are up to 18 levels deep.
DEEPEST = 100

NODE, NODES, NAMED, TEXT, FILE, SLICE = "node", "nodes", "named", "text", "file", "slice"
ONE = ({"content": NODE},)
MANY = ({"content": NODES},)
REDUCED = ({"content": NODE, "__reduce__": NAMED},)
# What each loader reads, or may read instead.
FIELDS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "BytearrayNode": ({"file": FILE},),
    "BytesNode": ({"file": FILE},),
    "DictNode": ({"content": NAMED, "key_types": NODE},),
    "FunctionNode": ({},),
    "JsonNode": ({"content": TEXT, "is_json": TEXT},),
    "ListNode": MANY,
    "LossNode": REDUCED,
    "MaskedArrayNode": ({"content": NAMED},),
    "NdArrayNode": ({"type": TEXT, "file": FILE}, {"type": TEXT, "content": NODES, "shape": NODE}),
    "ObjectNode": ({}, *ONE),
    "RandomGeneratorNode": ({"content": NAMED},),
    "RandomStateNode": ONE,
    "SetNode": MANY,
    "SliceNode": ({"content": SLICE},),
    "SparseMatrixNode": ({"type": TEXT, "file": FILE},),
    "TreeNode": REDUCED,
    "TupleNode": MANY,
    "TypeNode": ({},),
}
# What the names of parts end with; by that they are measured before they are read.
ENDINGS = {
    "BytearrayNode": ".bin",
    "BytesNode": ".bin",
    "NdArrayNode": ".npy",
    "SparseMatrixNode": ".npz",
}
COMMON = {"__class__", "__module__", "__loader__", "__id__"}
# Compiled classes, whose state is a tuple.
COMPILED = frozenset(
    {
        "sklearn.metrics._dist_metrics.EuclideanDistance64",
        "sklearn.metrics._dist_metrics.ManhattanDistance64",
        "sklearn.neighbors._kd_tree.KDTree",
    }
)
# What names a method, and which it may be.
CALLED = "response_method"
METHODS = ("auto", "decision_function", "predict_proba")
# LightGBM's compiled part, the model in it as text, and what its parameters are kept in.
BOOSTER = "lightgbm.basic.Booster"
BOOSTER_PLACE = "_Booster"
HANDLE = "_handle"
DICTIONARIES = ("params", "_other_params")
OBJECTIVE = "_objective"
STRANGE = "it is not laid out as a model that was saved."


@dataclass(frozen=True, slots=True)
class Findings:
    """What a file names, and which of these classes somebody would have to trust first."""

    names: frozenset[str]
    untrusted: frozenset[str]


def audit(schema: Any, *, trusted: Collection[str] = ()) -> Findings:
    """Look at all that a file would make; what nobody can trust is an error."""
    root = dict(schema) if isinstance(schema, dict) else {}
    root.pop("_skops_version", None)
    protocol = root.pop("protocol", None)
    if type(protocol) is not int or protocol != PROTOCOL:
        raise UnsafeModelError(
            f"skops wrote it in a format ({protocol!r:.20}) that this curvewise does not know; "
            f"it knows {PROTOCOL}."
        )
    walk = _Walk(frozenset(trusted))
    walk.visit(root, 0)
    return Findings(frozenset(walk.names), frozenset(walk.untrusted))


class _Walk:
    """A walk through all nodes of a file.

    Nodes of the same content get the same number, so that comparing them is quick.
    """

    def __init__(self, trusted: frozenset[str]) -> None:
        self.trusted = trusted
        self.names: set[str] = set()
        self.untrusted: set[str] = set()
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._by_id: dict[int, int] = {}
        # Where a booster may be.
        self._boosters: set[int] = set()

    def visit(self, node: Any, depth: int) -> int:
        """Look at a node and all below it, and give its number."""
        if depth > DEEPEST:
            raise UnsafeModelError("it is nested too deeply.")
        loader, name = _names(node)
        self._judge(loader, name)
        self._check_boosters(name, node)
        content: list[Any] = [loader, name]
        for field, kind in _fields(loader, node).items():
            content += [field, self._part(node[field], kind, depth + 1)]
        _check_place(loader, node)
        number = self._numbers.setdefault(tuple(content), len(self._numbers))
        identity = node.get("__id__", 0)
        if type(identity) is not int:
            raise UnsafeModelError(STRANGE)
        if identity and self._by_id.setdefault(identity, number) != number:
            raise UnsafeModelError("two different parts of it pass for the same one.")
        return number

    def _check_boosters(self, name: str, node: Mapping[str, Any]) -> None:
        """Let a booster be where a model of LightGBM has it, and nowhere else (rule 7)."""
        if name == BOOSTER and id(node) not in self._boosters:
            raise UnsafeModelError(f"it holds {name} where no model of LightGBM has it.")
        if name in ATTRIBUTES:
            self._boosters.add(id(_attributes(node).get(BOOSTER_PLACE)))

    def _part(self, value: Any, kind: str, depth: int) -> Any:
        if kind == NODE:
            return self.visit(value, depth)
        if kind == NODES and isinstance(value, list):
            return tuple(self.visit(one, depth) for one in value)
        if kind == NAMED and isinstance(value, dict):
            return tuple((key, self.visit(one, depth)) for key, one in value.items())
        if kind == TEXT and isinstance(value, str | bool):
            return value
        if kind == FILE and isinstance(value, str):
            # Equal objects may lie in two files; they hold nothing but numbers.
            return FILE
        if kind == SLICE and _is_slice(value):
            return tuple(sorted(value.items()))
        raise UnsafeModelError(STRANGE)

    def _judge(self, loader: str, name: str) -> None:
        self.names.add(name)
        if is_trusted(loader, name) or (loader == "ObjectNode" and name in self.trusted):
            return
        if loader == "ObjectNode" and _may_be_class(name):
            self.untrusted.add(name)
            return
        if loader in ("FunctionNode", "ObjectNode"):
            raise UnsafeModelError(f"it holds {name}, which is not trusted: functions never are.")
        raise UnsafeModelError(
            f"it holds {name}, which is not trusted as {loader or 'such a thing'}."
        )


def _is_slice(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"start", "stop", "step"}
        and all(one is None or type(one) is int for one in value.values())
    )


def _names(node: Any) -> tuple[str, str]:
    """Give the loader of a node, and what it names."""
    if not isinstance(node, dict):
        raise UnsafeModelError(STRANGE)
    module, name, loader = (node.get(key) for key in ("__module__", "__class__", "__loader__"))
    if not (isinstance(module, str) and isinstance(name, str) and isinstance(loader, str)):
        raise UnsafeModelError(STRANGE)
    if not (name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise UnsafeModelError("it holds something with a name that no class has.")
    return loader if loader.isidentifier() else "", f"{module}.{name}"


def _fields(loader: str, node: Mapping[str, Any]) -> Mapping[str, str]:
    """Give the fields of a node, which have to be those that its loader reads."""
    given = node.keys() - COMMON
    for fields in FIELDS[loader]:
        if fields.keys() == given:
            return fields
    raise UnsafeModelError(STRANGE)


def _check_place(loader: str, node: Mapping[str, Any]) -> None:
    """Check what may stand in a certain place; the parts themselves have been looked at."""
    if "file" in node and not node["file"].endswith(ENDINGS[loader]):
        raise UnsafeModelError(f"it has {node['file']!r:.60} as a part of another kind.")
    if loader == "DictNode":
        types = node["key_types"]
        if types["__loader__"] != "ListNode" or any(
            one["__loader__"] != "TypeNode" for one in types["content"]
        ):
            raise UnsafeModelError("it holds a dictionary whose keys are not of plain types.")
    elif loader == "RandomGeneratorNode" and _bit_generator(node) not in BIT_GENERATORS:
        raise UnsafeModelError("it holds a random generator of a kind that numpy has not.")
    elif loader == "ObjectNode" and _attribute(node, "memory") is not None:
        raise UnsafeModelError(
            "it has a memory: fitting it would execute what lies in that folder."
        )
    elif loader == "ObjectNode":
        _check_state(node)
        _check_booster(node)


def _check_state(node: Mapping[str, Any]) -> None:
    """Check that the state of an object is what its class makes of it, and replaces no method."""
    name = f"{node['__module__']}.{node['__class__']}"
    content = node.get("content")
    if content is None or name in COMPILED or not is_trusted("ObjectNode", name):
        return
    if content["__loader__"] == "JsonNode" and _plain(content) is None:
        return
    if content["__loader__"] != "DictNode":
        raise UnsafeModelError(STRANGE)
    for key in content["content"]:
        if _is_of_class(name, key):
            raise UnsafeModelError(f"it holds {name} with a {key!r:.40} of its own.")
    if CALLED in content["content"] and _attribute(node, CALLED) not in METHODS:
        raise UnsafeModelError(f"it holds {name} that calls what is no way to predict.")


@cache
def _is_of_class(name: str, attribute: str) -> bool:
    """Whether an attribute of an object would be found in the place of something of its class."""
    if attribute.startswith("__"):
        return True
    module, _, last = name.rpartition(".")
    with suppress(ImportError, AttributeError):
        inspect.getattr_static(getattr(import_module(module), last), attribute)
        return True
    # Of a class that is not there, nothing can be made.
    return False


def _check_booster(node: Mapping[str, Any]) -> None:
    """Check what goes to compiled code from an object of LightGBM."""
    name = f"{node['__module__']}.{node['__class__']}"
    if name not in ATTRIBUTES:
        return
    attributes = _entries(node.get("content", {}), ATTRIBUTES[name], name)
    for key, value in attributes.items():
        if key in DICTIONARIES:
            for one in _entries(value, PARAMETERS, name).values():
                _check_words(one, name)
        elif key in PARAMETERS or key == OBJECTIVE:
            _check_words(value, name)
    if name == BOOSTER:
        text = _attribute(node, HANDLE)
        if not isinstance(text, str):
            raise UnsafeModelError(f"it holds {name} without a model in it.")
        check_booster_text(text)


def _entries(node: Mapping[str, Any], known: Collection[str], name: str) -> Mapping[str, Any]:
    """Give the entries of a dictionary, all of which have to be known."""
    if node.get("__loader__") != "DictNode":
        raise UnsafeModelError(STRANGE)
    unknown = node["content"].keys() - known
    if unknown:
        raise UnsafeModelError(f"it holds {name} with {min(unknown)!r:.40}, which is not trusted.")
    return node["content"]


def _check_words(node: Mapping[str, Any], name: str) -> None:
    """Check that a value is a number, a truth value, a word, nothing, or a list of such."""
    if node["__loader__"] == "ListNode":
        for one in node["content"]:
            _check_words(one, name)
        return
    value = _plain(node)
    is_word = not isinstance(value, str) or value.isidentifier()
    if isinstance(value, list | dict) or not is_word:
        raise UnsafeModelError(f"it holds {name} with a parameter that is not plain.")


def _bit_generator(node: Mapping[str, Any]) -> Any:
    return _attribute({"content": node["content"].get("bit_generator", {})}, "bit_generator")


def _attribute(node: Mapping[str, Any], name: str) -> Any:
    """Give a plain value of a node's dictionary; None if there is none."""
    attributes = _attributes(node)
    return _plain(attributes[name]) if name in attributes else None


def _attributes(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the entries of a node's dictionary, if it has one."""
    content = node.get("content")
    if not isinstance(content, dict) or content.get("__loader__") != "DictNode":
        return {}
    entries = content.get("content")
    return entries if isinstance(entries, dict) else {}


def _plain(node: Mapping[str, Any]) -> Any:
    """Give the value of a node that is plain; of others the node."""
    if node["__loader__"] != "JsonNode":
        return node
    try:
        return json.loads(node["content"])
    except (TypeError, ValueError, RecursionError):
        raise UnsafeModelError(STRANGE) from None


def _may_be_class(name: str) -> bool:
    """Whether a name may be one of a class; only what is loaded already can tell that it is not."""
    module, _, last = name.rpartition(".")
    found = vars(sys.modules[module]).get(last) if module in sys.modules else None
    return found is None or isinstance(found, type)
