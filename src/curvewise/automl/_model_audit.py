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
10. What is small in the file is small when it is made. A part of the archive is read by one node,
    as skops would unpack it for each. What is named a number has to be one (`Findings.numbers`):
    made of an array of bytes, it would take up to 16 times as much. An array of objects with
    several dimensions holds nothing that numpy would look into. And there is a bound for nodes.

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
from curvewise.automl._tables.measure import most_bytes
from curvewise.automl._trusted_names import (
    ATTRIBUTES,
    BIT_GENERATORS,
    NUMBERS,
    PARAMETERS,
    is_trusted,
)
from curvewise.errors import UnsafeModelError

# The version of skops' format that `FIELDS` describes.
PROTOCOL = 2
# Pipelines of ours are up to 18 levels deep.
DEEPEST = 100
# Of memory, at most: skops gives each node a list of all names that are trusted.
NODE_BYTES = 5_000

NODE, NODES, NAMED, TEXT, FILE, SLICE = "node", "nodes", "named", "text", "file", "slice"
ONE = ({"content": NODE},)
MANY = ({"content": NODES},)
REDUCED = ({"content": NODE, "__reduce__": NAMED},)
# What each loader reads, or may read instead.
FIELDS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "BytesNode": ({"file": FILE},),
    "DTypeNode": ONE,
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
# Of a seed: numpy's default. To fill a pool takes the square of that.
POOL_SIZE = 4
STRANGE = "it is not laid out as a model that was saved."


@dataclass(frozen=True, slots=True)
class Findings:
    """What a file names, which of these classes somebody would have to trust first, and parts.

    The parts are those of the archive that have to be single numbers.
    """

    names: frozenset[str]
    untrusted: frozenset[str]
    numbers: frozenset[str]


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
    return Findings(frozenset(walk.names), frozenset(walk.untrusted), frozenset(walk.numbers))


class _Walk:
    """A walk through all nodes of a file.

    Nodes of the same content get the same number, so that comparing them is quick.
    """

    def __init__(self, trusted: frozenset[str]) -> None:
        self.trusted = trusted
        self.names: set[str] = set()
        self.untrusted: set[str] = set()
        self._numbers: dict[tuple[Any, ...], int] = {}
        self.numbers: set[str] = set()
        self._by_id: dict[int, int] = {}
        # Which node reads a part of the archive, by its identity.
        self._readers: dict[str, int] = {}
        self._n_left = most_bytes() // NODE_BYTES
        # Where a booster may be.
        self._boosters: set[int] = set()

    def visit(self, node: Any, depth: int) -> int:
        """Look at a node and all below it, and give its number."""
        if depth > DEEPEST:
            raise UnsafeModelError("it is nested too deeply.")
        self._n_left -= 1
        if self._n_left < 0:
            raise UnsafeModelError("it has too many parts for the memory of this machine.")
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
        if "file" in node:
            self._note_file(node["file"], identity, is_number=name in NUMBERS)
        return number

    def _note_file(self, file: str, identity: int, *, is_number: bool) -> None:
        """Let a part of the archive be read by one node only (rule 10)."""
        if file in self._readers and not (identity and self._readers[file] == identity):
            raise UnsafeModelError(f"it reads its part {file!r:.60} more than once.")
        self._readers[file] = identity
        if is_number:
            self.numbers.add(file)

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
    elif loader == "DTypeNode" and node["content"]["__loader__"] != "NdArrayNode":
        raise UnsafeModelError(STRANGE)
    elif loader == "RandomGeneratorNode":
        _check_generator(node)
    elif loader == "NdArrayNode" and "shape" in node:
        _check_objects(node)
    elif loader == "ObjectNode" and _attribute(node, "memory") is not None:
        raise UnsafeModelError(
            "it has a memory: fitting it would execute what lies in that folder."
        )
    elif loader == "ObjectNode":
        _check_state(node)
        _check_booster(node)


def _check_generator(node: Mapping[str, Any]) -> None:
    if _part_of(node, "bit_generator", "bit_generator") not in BIT_GENERATORS:
        raise UnsafeModelError("it holds a random generator of a kind that numpy has not.")
    if _part_of(node, "seed_seq", "pool_size") != POOL_SIZE:
        raise UnsafeModelError("it holds a random generator with a seed that numpy does not make.")


def _check_objects(node: Mapping[str, Any]) -> None:
    """Check that numpy would look into nothing that is in an array of objects (rule 10)."""
    shape = node["shape"]
    is_flat = shape["__loader__"] == "TupleNode" and len(shape["content"]) == 1
    if not is_flat and not all(map(_is_closed, node["content"])):
        raise UnsafeModelError("it holds an array of objects that are made of others.")


def _is_closed(node: Mapping[str, Any]) -> bool:
    """Whether numpy takes something as it is; lists are what the dimensions are made of."""
    loader, name = node["__loader__"], f"{node['__module__']}.{node['__class__']}"
    if loader == "ListNode":
        return all(map(_is_closed, node["content"]))
    if loader == "ObjectNode":
        return not (is_trusted(loader, name) and _has(name, "__getitem__"))
    return loader == "JsonNode" or name in NUMBERS


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
    return attribute.startswith("__") or _has(name, attribute)


def _has(name: str, attribute: str) -> bool:
    """Whether a class on the list has something."""
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


def _part_of(node: Mapping[str, Any], place: str, name: str) -> Any:
    """Give a plain value of a dictionary that a node has by name."""
    return _attribute({"content": node["content"].get(place, {})}, name)


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
