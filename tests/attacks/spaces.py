"""Search spaces that name what they should not: read, or refused in a sentence; nothing happens."""

import copy
import json
import random
import sys
from functools import partial

from curvewise.automl import load_space
from curvewise.errors import CurvewiseError
from tests.attacks.attack import Attack
from tests.attacks.models import TRAPS
from tests.automl.hostile_nodes import TRAP

SPACE = {
    "weights": "sum",
    "slot": [
        {
            "name": "data",
            "optional": True,
            "component": [{"class": "sklearn.preprocessing.StandardScaler"}],
        },
        {
            "name": "classifier",
            "component": [
                {
                    "class": "sklearn.svm.SVC",
                    "fixed": {"kernel": "poly"},
                    "parameters": {"C": {"low": 0.1, "high": 10.0, "log": True}, "degree": [2, 3]},
                }
            ],
        },
    ],
}
HOSTILE = (
    "os.system", "subprocess.Popen", "builtins.eval", "trap.call", "trap.Trap",
    "trap_at_import.Trap",
    "sklearn.utils._testing.ignore_warnings", "sklearn.datasets.fetch_openml", "joblib.load",
    "sklearn.externals._arff.loads", "sklearn.svm._base", "sklearn.svm", "numpy.load", "..", "",
    "sklearn.svm.SVC.fit", "sklearn.__class__", "sklearn.svm.SVC.__init__.__globals__", "SVC",
    "sklearn.svm.SVC\n", "sklearn.\x1b[2J.SVC",
)  # fmt: skip
# Arguments that would have files read, and their classes.
READERS = (
    ("sklearn.feature_extraction.text.TfidfVectorizer", {"input": "filename"}),
    ("sklearn.feature_extraction.text.HashingVectorizer", {"input": "file"}),
    ("sklearn.cluster.FeatureAgglomeration", {"memory": "/tmp"}),
)
VALUES = (
    None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", "abc", "\x1b[2J\u202e", [],
    [1], {}, {"a": {"b": [1]}}, [[[[[[[[1]]]]]]]], "x" * 5_000, {"class": "os.system"}, "/etc",
    {"low": 2, "high": 1}, {"low": "a", "high": "b"}, {"low": 1, "high": 2, "log": "yes"},
    {"when": {"C": [1]}}, {"low": -1e308, "high": 1e308},
)  # fmt: skip


def changed(value, chance):
    """Change a value somewhere inside."""
    if chance.random() < 0.25 or not isinstance(value, list | dict) or not value:
        return chance.choice(VALUES)
    if isinstance(value, list):
        place = chance.randrange(len(value))
        return [*value[:place], changed(value[place], chance), *value[place + 1 :]]
    name = chance.choice(list(value))
    if chance.random() < 0.15:
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: changed(value[name], chance)}


def _load(path, folder, *, hostile):
    sys.path.insert(0, str(folder))
    try:
        load_space(path)
    except CurvewiseError:
        hostile = False
        raise
    finally:
        sys.path.remove(str(folder))
        if list(folder.glob("canary*")) or TRAPS.keys() & sys.modules.keys():
            raise AssertionError("the space was carried out")
        if hostile:
            raise AssertionError("the space was read")


def attacks(folder, n_cases):
    """Give spaces with every hostile name in every place of a name, and changed ones."""
    for name, at_import in TRAPS.items():
        text = TRAP.format(canary=str(folder / "canary"), at_import=at_import)
        (folder / f"{name}.py").write_text(text)
    path = folder / "space.json"
    for name in HOSTILE:
        for slot in range(2):
            space = copy.deepcopy(SPACE)
            space["slot"][slot]["component"][0]["class"] = name
            path.write_text(json.dumps(space))
            yield Attack(
                f"space: {name!r} as a component", partial(_load, path, folder, hostile=True)
            )
    for name, fixed in READERS:
        space = copy.deepcopy(SPACE)
        space["slot"][0]["component"][0] = {"class": name, "fixed": fixed}
        path.write_text(json.dumps(space))
        yield Attack(f"space: {fixed} of {name}", partial(_load, path, folder, hostile=True))
    for seed in range(n_cases):
        path.write_text(json.dumps(changed(SPACE, random.Random(seed))))
        yield Attack(f"space: changed, {seed}", partial(_load, path, folder, hostile=False))
