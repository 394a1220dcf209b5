"""Files of models that want to do harm: what they are made of, and how they are written.

The kinds of nodes are those of skops.
"""

import hashlib
import io
import json
import pickle
import zipfile

import numpy as np
import sklearn

PROTOCOL = 2
# Imported or called, it leaves the mark.
TRAP = """
from pathlib import Path

def call(*args, **kwargs):
    Path({canary!r}).touch()
    return {{}}

class Trap(dict):
    def __new__(cls, *args, **kwargs):
        call()
        return super().__new__(cls)

    def __setstate__(self, state):
        call()

class Pair(tuple):
    _fields = ("a", "b")

    def __new__(cls, *args):
        call()
        return super().__new__(cls, args)

{at_import}
"""


def node(name, loader, **fields):
    module, _, last = name.rpartition(".")
    return {"__class__": last, "__module__": module, "__loader__": loader, **fields}


def plain(value):
    return node("builtins.str", "JsonNode", content=json.dumps(value), is_json=True)


def listed(*nodes, name="builtins.list", loader="ListNode"):
    return node(name, loader, content=list(nodes))


def several(*nodes, name="builtins.tuple"):
    return listed(*nodes, name=name, loader="TupleNode")


def mapped(content, *, types=None, name="builtins.dict"):
    types = [node("builtins.str", "TypeNode")] * len(content) if types is None else types
    types = listed(*types) if isinstance(types, list) else types
    return node(name, "DictNode", content=content, key_types=types)


def thing(name, **attributes):
    """Make an object from its state."""
    return node(name, "ObjectNode", content=mapped(attributes))


def called(name, *arguments):
    return node(name, "ConstructorFromReduceNode", content=several(*arguments))


def function(name):
    return node(name, "FunctionNode")


def dummy(**attributes):
    """Make a model that is as it should be, but for further attributes."""
    own = {
        "constant": plain(None),
        "random_state": plain(None),
        "strategy": plain("prior"),
        "_strategy": plain("prior"),
        "n_outputs_": plain(1),
        "sparse_output_": plain(False),
        "n_classes_": plain(2),
        "classes_": array("labels.npy"),
        "class_prior_": array("shares.npy"),
        "_sklearn_version": plain(sklearn.__version__),
    }
    return thing("sklearn.dummy.DummyClassifier", **{**own, **attributes})


def with_attributes(model, attributes):
    """Give a model of which further attributes stand before its own."""
    own = model["content"]
    types = own["key_types"]
    further = [node("builtins.str", "TypeNode")] * len(attributes)
    return {
        **model,
        "content": {
            **own,
            "content": {**attributes, **own["content"]},
            "key_types": {**types, "content": [*further, *types["content"]]},
        },
    }


def array(file, name="numpy.ndarray"):
    return node(name, "NdArrayNode", type="numpy", file=file)


def _numpy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


class Mark:
    """What a pickle would call."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


def members_of(canary):
    """Give the arrays that the files share, some of them pickled."""
    evil = np.empty(1, dtype=object)
    evil[0] = Mark(canary)
    packed = io.BytesIO()
    np.savez(packed, format=np.array("csr"), shape=np.array([1, 1]), data=evil, indptr=evil)
    return {
        "labels.npy": _numpy(np.array([0, 1])),
        "shares.npy": _numpy(np.array([0.5, 0.5])),
        "bytes.npy": _numpy(np.zeros(100, dtype=np.int8)),
        "text.npy": _numpy(np.array(f"open({canary!r}, 'w')")),
        "words.npy": _numpy(np.array(["touch", canary])),
        "pickled.npy": _numpy(evil, allow_pickle=True),
        "pickled.npz": packed.getvalue(),
        "pickle.bin": pickle.dumps(Mark(canary)),
    }


def write_model(path, schema, canary, *, text=None, protocol=PROTOCOL, before=None):
    """Write a file as curvewise does, with the digest that it should have."""
    schema = {**schema, "protocol": protocol, "_skops_version": "0.16.0"}
    content = json.dumps(schema) if text is None else text
    members = [*members_of(canary).items(), ("schema.json", content.encode())]
    if before is not None:
        members.insert(0, ("schema.json", json.dumps({**before, "protocol": protocol}).encode()))
    facts = {
        "format": 1,
        "scikit-learn": sklearn.__version__,
        "columns": {"a": "number"},
        "target": "kind",
        "task": "classification",
    }
    last = dict(members)
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(name for name, _ in members):
        digest.update(f"{len(name)}:{name}{len(last[name])}:".encode() + last[name])
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, packed in members:
            archive.writestr(name, packed)
        archive.writestr("curvewise.json", json.dumps({**facts, "digest": digest.hexdigest()}))
