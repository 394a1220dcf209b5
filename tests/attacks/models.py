"""Saved models that want to do harm: each has to be refused, in a sentence, and nothing happens.

What they name (commands, functions, classes of a module beside the file) would leave a canary.
"""

import copy
import json
import random
import sys
from functools import partial

from curvewise.automl import load_model
from curvewise.errors import CurvewiseError
from tests.attacks.attack import Attack
from tests.automl.hostile_cases import CASES
from tests.automl.hostile_nodes import TRAP, dummy, function, thing, write_model
from tests.cli.runner import invoke

TRAPS = {"trap": "", "trap_at_import": "call()"}
NAMES = (
    "builtins.eval", "os.system", "posix.system", "subprocess.Popen", "shutil.rmtree", "trap.call",
    "trap.Trap", "trap_at_import.Trap", "numpy.testing.rundocs", "numpy.load", "joblib.load",
    "sklearn.utils.Bunch", "sklearn.datasets.load_files", "scipy.io.loadmat", "pickle.loads",
    "curvewise.automl.load_model", "operator.attrgetter", "types.FunctionType", "nowhere.Nothing",
)  # fmt: skip
LOADERS = (
    "ObjectNode", "ConstructorFromReduceNode", "FunctionNode", "TypeNode", "MethodNode", "DictNode",
    "PartialNode", "ListNode", "JsonNode", "NdArrayNode", "ReduceNode", "TreeNode", "Nonsense", 7,
)  # fmt: skip


def nodes_of(schema):
    """Give every dictionary that is inside a description."""
    found, waiting = [], [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found.append(each)
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return found


def changed(schema, chance):
    """Change a description somewhere, so that it names what it should not, or makes no sense."""
    schema = copy.deepcopy(schema)
    node = chance.choice(nodes_of(schema))
    module, _, name = chance.choice(NAMES).rpartition(".")
    kind = chance.randrange(5)
    if kind == 0:
        node.update(__class__=name, __module__=module)
    elif kind == 1:
        node["__loader__"] = chance.choice(LOADERS)
    elif kind == 2:
        key = chance.choice(list(node) or ["content"])
        node[key] = chance.choice((function(f"{module}.{name}"), thing("trap.Trap"), None, [], 7))
    elif kind == 3:
        node["content"] = thing(f"{module}.{name}", a=function("os.system"))
    else:
        node.update(copy.deepcopy(chance.choice(nodes_of(schema))), __id__=7)
    return schema


def _put_traps(folder, canary):
    for name, at_import in TRAPS.items():
        (folder / f"{name}.py").write_text(TRAP.format(canary=canary, at_import=at_import))
    (folder / "new.csv").write_text("a\n1\n2\n")


def _is_untouched(folder):
    if list(folder.glob("canary*")) or TRAPS.keys() & sys.modules.keys():
        raise AssertionError("the model was carried out")


def _load(path, folder, *, whatever=False):
    """Load a model as a program does; one that was made to do harm may not get through."""
    sys.path.insert(0, str(folder))
    try:
        load_model(path)
    except CurvewiseError:
        _is_untouched(folder)
        raise
    finally:
        sys.path.remove(str(folder))
    _is_untouched(folder)
    if not whatever:
        raise AssertionError("the model was loaded")


def _predict(path, folder):
    """Load a model as the command line does."""
    sys.path.insert(0, str(folder))
    try:
        result = invoke("predict", path, folder / "new.csv")
    finally:
        sys.path.remove(str(folder))
    _is_untouched(folder)
    if not isinstance(result.exception, SystemExit | CurvewiseError) or "Trace" in result.output:
        raise AssertionError(f"predict ended with {result.exception!r}")


def attacks(folder, n_cases):
    """Give every way that is known to make a loader do something, and changed descriptions."""
    canary = str(folder / "canary")
    _put_traps(folder, canary)
    path = folder / "model.skops"
    for name, make in CASES.items():
        write_model(path, make(canary), canary)
        yield Attack(f"model: {name}", partial(_load, path, folder))
        yield Attack(f"predict: {name}", partial(_predict, path, folder))
    good = json.loads(json.dumps(dummy()))
    for seed in range(n_cases // 3):
        write_model(path, changed(good, random.Random(seed)), canary)
        yield Attack(f"model: changed, {seed}", partial(_load, path, folder, whatever=True))
