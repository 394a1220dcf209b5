"""Files of models that want to do harm.

There is one for every way that is known to make a loader of skops import, call or read something.
Each would leave a mark, the canary, if it succeeded.
"""

from tests.automl.hostile_nodes import (
    array,
    called,
    dummy,
    function,
    listed,
    mapped,
    node,
    plain,
    several,
    thing,
)


def _generator(bit_generator, *, name="numpy.random._generator.Generator", pool_size=4):
    state = mapped({"bit_generator": bit_generator, "state": mapped({})})
    seeds = mapped({"entropy": plain(1), "pool_size": plain(pool_size)})
    return node(name, "RandomGeneratorNode", content={"bit_generator": state, "seed_seq": seeds})


def _method(owner, func):
    name = f"{owner['__module__']}.{owner['__class__']}"
    return node(name, "MethodNode", content={"obj": owner, "func": func})


def _partial(func, *arguments):
    parts = {
        "func": func,
        "args": several(*arguments),
        "kwds": mapped({}),
        "namespace": plain(None),
    }
    return node("functools.partial", "PartialNode", content=parts)


def _reduced(name, loader, *arguments):
    return node(name, loader, content=mapped({}), __reduce__={"args": several(*arguments)})


def _borrowed(canary):
    """Give a dictionary whose types of keys are another list, which has the same identity."""
    evil = {**listed(function("os.system")), "__id__": 7}
    good = {**listed(node("builtins.str", "TypeNode")), "__id__": 7}
    return dummy(a=evil, b=mapped({f"touch {canary}": plain(1)}, types=good))


def _swapped(canary):
    """Give a known identity to two functions of which both are allowed, but are not the same."""
    first = {**function("numpy.max"), "__id__": 9}
    return dummy(a=first, b={**function("numpy.mean"), "__id__": 9}, c=plain(canary))


def _rows(*things):
    """Make an array of objects with two dimensions."""
    shape = several(plain(1), plain(len(things)))
    fields = {"type": "json", "content": [listed(*things)], "shape": shape}
    return node("numpy.ndarray", "NdArrayNode", **fields)


def _nested(depth):
    inner = plain(1)
    for _ in range(depth):
        inner = listed(inner)
    return dummy(a=inner)


def _script(canary):
    return f"import pathlib; pathlib.Path({canary!r}).touch()"


def _shell(canary):
    return plain(f"touch {canary}")


EMPTY = mapped({})
# Each is given the path of the canary, and gives what the file describes.
CASES = {
    # Calling what the file names.
    "numpy.testing": lambda c: called("numpy.testing.runstring", plain(_script(c)), EMPTY),
    "numpy.testing, private": lambda c: called(
        "numpy.testing._private.utils.runstring", plain(_script(c)), EMPTY
    ),
    "numpy.testing in an attribute": lambda c: dummy(
        a=called("numpy.testing.runstring", plain(_script(c)), EMPTY)
    ),
    "os.system": lambda c: called("os.system", _shell(c)),
    "posix.system": lambda c: called("posix.system", _shell(c)),
    "eval": lambda c: called("builtins.eval", plain(f"open({c!r}, 'w')")),
    "exec": lambda c: called("builtins.exec", plain(_script(c))),
    "open": lambda c: called("builtins.open", plain(c), plain("w")),
    "Popen": lambda c: called("subprocess.Popen", listed(plain("touch"), plain(c))),
    "a path of numpy": lambda c: called("numpy.save", plain(c), plain(1)),
    "memmap": lambda c: called(
        "numpy.memmap", plain(c), plain("uint8"), plain("w+"), plain(0), plain(8)
    ),
    "vectorize": lambda c: called("numpy.vectorize", function("trap.call"), plain(c)),
    "frompyfunc": lambda c: called("numpy.frompyfunc", function("trap.call"), plain(1), plain(1)),
    "a trap": lambda c: called("trap.call", plain(c)),
    "a command of ours": lambda c: called(
        "curvewise._cli.validate_command.build", plain("trap:Trap"), listed(plain(c))
    ),
    "a class of ours that starts a process": lambda c: called(
        "curvewise.executors._workers.fork_server_client.ForkServerLauncher", plain(c)
    ),
    # Classes that are made from a list, called with it.
    "list": lambda c: listed(plain("touch"), plain(c), name="subprocess.check_output"),
    "list of numpy": lambda c: listed(plain(_script(c)), EMPTY, name="numpy.testing.runstring"),
    "set": lambda c: listed(
        plain("touch"), plain(c), name="subprocess.check_output", loader="SetNode"
    ),
    "tuple": lambda c: several(plain(c), plain(1), name="trap.Pair"),
    "dictionary": lambda c: mapped({"a": plain(c)}, name="trap.Trap"),
    "dictionary that is a function": lambda c: mapped({"a": plain(c)}, name="trap.call"),
    # Types of keys are called with the keys.
    "keys by eval": lambda c: dummy(
        a=mapped({f"open({c!r}, 'w')": plain(1)}, types=[node("builtins.eval", "TypeNode")])
    ),
    "keys by a function": lambda c: dummy(
        a=mapped({f"touch {c}": plain(1)}, types=[function("os.system")])
    ),
    "keys by runstring": lambda c: dummy(
        a=mapped({_script(c): plain(1)}, types=[node("numpy.testing.runstring", "TypeNode")])
    ),
    "keys by numpy.max": lambda c: dummy(a=mapped({c: plain(1)}, types=[function("numpy.max")])),
    "keys by what a part is called": lambda c: dummy(
        a=mapped({c: plain(1)}, types=called("trap.call", plain(c)))
    ),
    "keys by another list": _borrowed,
    "an identity of two": _swapped,
    # Functions in the place of methods.
    "function for a method": lambda c: dummy(predict=function("trap.call"), a=plain(c)),
    "system for a method": lambda c: dummy(predict=function("os.system"), a=plain(c)),
    "type for a method": lambda c: dummy(predict=node("trap.Trap", "TypeNode"), a=plain(c)),
    "partial for a method": lambda c: dummy(predict=_partial(function("os.system"), _shell(c))),
    "partial of what is trusted": lambda c: dummy(
        predict=_partial(function("numpy.max")), a=plain(c)
    ),
    "method for a method": lambda c: dummy(predict=_method(thing("trap.Trap"), "pop"), a=plain(c)),
    "method of what is trusted": lambda c: dummy(
        a=_method(thing("sklearn.dummy.DummyClassifier"), "fit"), b=plain(c)
    ),
    "itemgetter": lambda c: dummy(
        a=node("operator.itemgetter", "OperatorFuncNode", attrs=several(plain(c)))
    ),
    "methodcaller": lambda c: dummy(
        predict=node("operator.methodcaller", "OperatorFuncNode", attrs=several(plain("tofile"))),
        a=plain(c),
    ),
    "operator.call": lambda c: dummy(
        a=node("operator.call", "OperatorFuncNode", attrs=several(function("os.system"), _shell(c)))
    ),
    "ufunc": lambda c: dummy(predict=function("numpy.exp"), a=plain(c)),
    "ufunc of scipy": lambda c: dummy(predict=function("scipy.special._ufuncs.expit"), a=plain(c)),
    "default of a dictionary": lambda c: dummy(
        a=node(
            "collections.defaultdict",
            "DefaultDictNode",
            content={"main": mapped({}), "default_factory": called("trap.call", plain(c))},
        )
    ),
    # Being imported is enough.
    "object of a trap": lambda c: thing("trap.Trap", a=plain(c)),
    "object without state": lambda _: node("trap.Trap", "ObjectNode"),
    "object by importing": lambda c: dummy(a=thing("trap_at_import.Nothing", a=plain(c))),
    "type by importing": lambda _: dummy(a=node("trap_at_import.Nothing", "TypeNode")),
    "function by importing": lambda _: dummy(a=function("trap_at_import.nothing")),
    "method by importing": lambda _: dummy(a=_method(thing("trap_at_import.Nothing"), "a")),
    "array by importing": lambda _: dummy(a=array("words.npy", name="trap_at_import.nothing")),
    "object that is a function": lambda c: thing("numpy.testing.runstring", a=plain(c)),
    # Loaders with constructors of their own.
    "loss": lambda c: dummy(
        a=_reduced("subprocess.check_output", "LossNode", listed(plain("touch"), plain(c)))
    ),
    "loss of numpy": lambda c: dummy(
        a=_reduced("numpy.testing.runstring", "LossNode", plain(_script(c)), EMPTY)
    ),
    "tree": lambda c: dummy(a=_reduced("trap.Trap", "TreeNode", plain(c))),
    "quantile forest": lambda c: dummy(a=_reduced("trap.Trap", "QuantileForestNode", plain(c))),
    "random state": lambda c: dummy(
        a=node("trap.call", "RandomStateNode", content=mapped({"a": plain(c)}))
    ),
    "random generator": lambda _: dummy(a=_generator(plain("PCG64"), name="trap.call")),
    "bit generator": lambda _: dummy(a=_generator(plain("seed"))),
    "bit generator by a call": lambda c: dummy(a=_generator(called("trap.call", plain(c)))),
    "array": lambda _: dummy(a=array("words.npy", name="subprocess.check_output")),
    "array by eval": lambda _: dummy(a=array("text.npy", name="builtins.eval")),
    "array of objects": lambda c: dummy(
        a=node(
            "numpy.ndarray",
            "NdArrayNode",
            type="json",
            content=[called("trap.call", plain(c))],
            shape=several(plain(1)),
        )
    ),
    "shape of an array": lambda c: dummy(
        a=node(
            "numpy.ndarray",
            "NdArrayNode",
            type="json",
            content=[],
            shape=called("trap.call", plain(c)),
        )
    ),
    "masked array": lambda c: dummy(
        a=node(
            "numpy.ma.MaskedArray",
            "MaskedArrayNode",
            content={"data": called("trap.call", plain(c)), "mask": plain(False)},
        )
    ),
    "dtype": lambda c: dummy(
        a=node("numpy.dtype", "DTypeNode", content=called("trap.call", plain(c)))
    ),
    "dtype of what is no array": lambda _: dummy(
        a=node("numpy.dtype", "DTypeNode", content=dummy())
    ),
    "time zone": lambda c: dummy(a=called("zoneinfo.ZoneInfo", plain(f"../../../../{c}"))),
    "bytes": lambda _: dummy(a=node("trap_at_import.Nothing", "BytesNode", file="pickle.bin")),
    "bytearray": lambda _: dummy(
        a=node("trap_at_import.Nothing", "BytearrayNode", file="pickle.bin")
    ),
    "slice": lambda c: dummy(
        a=node(
            "builtins.slice",
            "SliceNode",
            content={"start": called("trap.call", plain(c)), "stop": None, "step": None},
        )
    ),
    "sparse matrix": lambda _: dummy(
        a=node("trap_at_import.Nothing", "SparseMatrixNode", type="scipy", file="pickled.npz")
    ),
    # What is small in the file, and large once it is made.
    "a part that is read twice": lambda _: dummy(a=array("words.npy"), b=array("words.npy")),
    "a part that is read by two of other identities": lambda _: dummy(
        a={**array("words.npy"), "__id__": 7}, b={**array("words.npy"), "__id__": 8}
    ),
    "an array for a number": lambda _: dummy(a=array("bytes.npy", name="numpy.complex128")),
    "nothing for a number": lambda _: dummy(a=array("nowhere.npy", name="numpy.float64")),
    # A larger one takes hours.
    "a seed with a pool of its own": lambda _: dummy(a=_generator(plain("PCG64"), pool_size=8)),
    "an array in an array": lambda _: dummy(a=_rows(array("words.npy"))),
    "a list of an array in an array": lambda _: dummy(a=_rows(listed(array("words.npy")))),
    "a sequence in an array": lambda _: dummy(
        a=_rows(thing("sklearn.pipeline.Pipeline", steps=listed(array("words.npy"))))
    ),
    # Pickles.
    "array with a pickle": lambda _: dummy(a=array("pickled.npy")),
    "array that is a pickle": lambda _: dummy(a=array("pickle.bin")),
    "sparse matrix with a pickle": lambda _: dummy(
        a=node("scipy.sparse._csr.csr_array", "SparseMatrixNode", type="scipy", file="pickled.npz")
    ),
    "numpy.load": lambda _: called("numpy.load", plain("pickled.npy"), plain(None), plain(True)),
    "joblib": lambda c: called("joblib.load", plain(c)),
    "pandas": lambda c: called("pandas.read_pickle", plain(c)),
    "memory": lambda c: thing("sklearn.pipeline.Pipeline", steps=listed(), memory=plain(c)),
    "memory of joblib": lambda c: thing(
        "sklearn.pipeline.Pipeline",
        steps=listed(),
        memory=thing("joblib.memory.Memory", a=plain(c)),
    ),
    "files by their names": lambda c: thing(
        "sklearn.feature_extraction.text.CountVectorizer", input=plain("filename"), a=plain(c)
    ),
    # Estimators that call the method whose name they hold, of whatever they hold.
    "stacking of an array": lambda c: thing(
        "sklearn.ensemble._stacking.StackingClassifier",
        estimators_=listed(array("words.npy")),
        stack_method_=listed(plain("tofile")),
        a=plain(c),
    ),
    "a threshold on what it is told to call": lambda c: thing(
        "sklearn.model_selection._classification_threshold.FixedThresholdClassifier",
        estimator_=dummy(a=plain(c)),
        response_method=plain("tofile"),
    ),
    "an estimator that nobody has looked at": lambda c: thing(
        "sklearn.ensemble._bagging.BaggingClassifier", a=plain(c)
    ),
    # What is allowed, in the place of a method.
    "an allowed function for a method": lambda c: dummy(predict=function("numpy.max"), a=plain(c)),
    "an allowed type for a method": lambda c: dummy(
        predict=node("builtins.str", "TypeNode"), a=plain(c)
    ),
    "a name that scikit-learn calls": lambda c: dummy(
        __sklearn_is_fitted__=node("builtins.bool", "TypeNode"), a=plain(c)
    ),
    "a method that is there at times": lambda c: thing(
        "sklearn.pipeline.Pipeline", predict=function("numpy.max"), steps=listed(), a=plain(c)
    ),
    "a table of a class": lambda c: thing(
        "sklearn.feature_selection._univariate_selection.GenericUnivariateSelect",
        _selection_modes=mapped({"percentile": function("numpy.max")}),
        a=plain(c),
    ),
    "a state of pairs": lambda c: node(
        "curvewise.automl._components.dense.Dense",
        "ObjectNode",
        content=listed(several(plain("memory"), plain(c))),
    ),
    "a booster as a step": lambda c: thing(
        "sklearn.pipeline.Pipeline",
        steps=listed(several(plain("a"), thing("lightgbm.basic.Booster", _handle=plain(c)))),
    ),
    # Parts under names by which they would not be measured.
    "an array that is not called one": lambda _: dummy(a=array("text.bin")),
    "a sparse matrix that is not called one": lambda _: dummy(
        a=node("scipy.sparse._csr.csr_array", "SparseMatrixNode", type="scipy", file="labels.npy")
    ),
    # Names and layouts that two readers could take in two ways.
    "dots in a class": lambda c: {**called("os.x", _shell(c)), "__class__": "path.os.system"},
    "a relative module": lambda c: {**called("os.system", _shell(c)), "__module__": ".os"},
    "an empty module": lambda c: {**called("os.system", _shell(c)), "__module__": ""},
    "a name that is a list": lambda c: {**called("os.system", _shell(c)), "__class__": ["system"]},
    "no loader": lambda c: {**called("os.system", _shell(c)), "__loader__": None},
    "a loader that is none": lambda c: {**called("os.system", _shell(c)), "__loader__": "\x1b[2J"},
    "the loader's name in another case": lambda c: {
        **called("os.system", _shell(c)),
        "__loader__": "constructorfromreducenode",
    },
    "a known node twice": lambda c: dummy(
        a={**called("trap.call", plain(c)), "__id__": 5},
        b=node("builtins.str", "CachedNode", __id__=5),
    ),
    "a node in another field": lambda c: dummy(
        a={**plain(1), "attrs": called("trap.call", plain(c))}
    ),
    "a path in another field": lambda _: dummy(
        a={**function("numpy.max"), "content": {"module_path": "os", "function": "system"}}
    ),
    "an array of an unknown kind": lambda c: dummy(
        a=node("numpy.ndarray", "NdArrayNode", type="joblib", file=c)
    ),
    "content that is no node": lambda c: node("sklearn.svm._classes.SVC", "ObjectNode", content=c),
    "nothing that predicts": lambda c: thing(
        "sklearn.preprocessing._data.MinMaxScaler", a=plain(c)
    ),
    "too deep": lambda _: _nested(150),
    "far too deep": lambda _: _nested(300),
}
