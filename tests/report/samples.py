"""Stored runs to report on: searches over formulas, quick to make and always the same."""

import hashlib
from contextlib import contextmanager

from curvewise import Failure, Observation, Race, Reason, Search
from curvewise.executors import RunStore

N_FOLDS = 5
TARGET = 20_000
# Floor of the loss, how it falls with the rows, seconds per 1,000 rows.
ALGORITHMS = {
    "HistGradientBoosting": (0.07, 3.0, 0.4),
    "SVC(rbf)": (0.08, 2.5, 1.5),
    "RandomForest": (0.09, 2.0, 0.5),
    "LogisticRegression": (0.13, 1.0, 0.1),
    "KNeighbors": (0.14, 2.5, 0.2),
    "DecisionTree": (0.18, 1.5, 0.05),
    "GaussianNB": (0.25, 0.5, 0.02),
}
SCALERS = (None, "StandardScaler", "MinMaxScaler", "PCA")
HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "<b>bold</b> &amp; <a href='javascript:alert(1)'>link</a>",
    "\u202egnp.exe \u200fright to left\u202c",
    "line\u2028separator\u2029and \x00 null, ]]> and <!-- comment",
    "$(touch x) ${title} {{title}} %{text} $policy",
    10_000 * "x",
)
NOTES = {
    "data": {
        "name": "adult <b>income</b>",
        "rows": 25_000,
        "target": HOSTILE[0],
        "task": "classification",
        "missing": 0.0125,
        "classes": {HOSTILE[0]: 18_000, HOSTILE[1]: 7_000},
        "columns": [
            {"column": name, "kind": "category", "action": "binarised"} for name in HOSTILE
        ],
        "notes": ["3 constant columns were dropped"],
    },
    "versions": {"curvewise": "0.1.0", "python": "3.11.7", "scikit-learn": "1.9.0"},
    "command": "curvewise select data.csv --target '<img src=x onerror=alert(1)>'",
    "seconds_of_refit": float("inf"),
}

# What `curvewise select` notes about a table, with names that want to be HTML.
PROFILE = {
    "name": "wine",
    "source": "wine.csv",
    "task": "classification",
    "rows": 1_000,
    "columns": 300,
    "kinds": {"number": 298, "category": 2},
    "missing": 0.0125,
    "memory": 2_400_000,
    "target": {
        "name": HOSTILE[0],
        "n_classes": 3,
        "majority": 0.5,
        "classes": [
            {"label": HOSTILE[0], "count": 500},
            {"label": HOSTILE[1], "count": 375},
            {"label": "red", "count": 125},
        ],
    },
    "features": [
        {"name": f"{HOSTILE[2]} {i}", "kind": "number", "missing": 0.0, "distinct": 17}
        for i in range(200)
    ],
    "notes": ["The delimiter is a semicolon."],
}


def chance(*parts):
    """A number between 0 and 1 that depends on nothing but the parts."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def describe(i):
    """The parameters of a candidate, as `curvewise select` stores them."""
    algorithm = list(ALGORITHMS)[i * 5 % len(ALGORITHMS)]
    scaler = SCALERS[i * 3 % len(SCALERS)]
    model = f"{algorithm} #{i}"
    steps = f"[('data', {scaler}()), ('model', Model(alpha={chance('alpha', i):.4f}))]"
    return {
        "algorithm": algorithm,
        "data": scaler,
        "feature": None,
        "text": model if scaler is None else f"{scaler} > {model}",
        "estimator": f"Pipeline(steps={steps})",
    }


def evaluate(task):
    """What a task gives; a few candidates fail or are too slow."""
    i, anchor, fold = task
    floor, fall, seconds = ALGORITHMS[list(ALGORITHMS)[i * 5 % len(ALGORITHMS)]]
    took = seconds * anchor / 1000 * (0.7 + 0.6 * chance("time", i))
    if i % 19 == 7:
        message = "ValueError: Input X contains NaN.\nTraceback (most recent call last):\n  ..."
        return Failure(task, Reason.ERROR, message, seconds=0.05)
    if i % 23 == 11 and anchor == TARGET:
        return Failure(task, Reason.TIMEOUT, "after 30 s", seconds=30.0)
    wobble = 0.012 * (chance("fold", fold) + chance("noise", *task) - 1)
    loss = floor + 0.15 * chance("floor", i) ** 1.5 + fall * anchor**-0.5 + wobble
    return Observation(task, min(loss, 0.9), seconds=took, n_test=TARGET // 4)


@contextmanager
def stored(path, *, policy=None, target=TARGET, scale=None, n_folds=N_FOLDS):
    """A store with one run that has just begun."""
    policy = policy or Race()
    settings = {"policy": policy, "metrics": ["accuracy"], "seed": 0}
    with RunStore.open(path) as store:
        yield store.begin(
            settings,
            "25000x30-9f86",
            schedule=policy.schedule(target),
            n_folds=n_folds,
            scale=scale,
            n_rows=25000,
        )


def search_on(
    run, candidates, *, policy=None, evaluated=evaluate, described=describe, stop_after=None
):
    """Carry a search out and store it; after ``stop_after`` evaluations it is left alone."""
    search = Search(
        candidates,
        schedule=run.terms.schedule,
        policy=policy or Race(),
        n_folds=run.terms.n_folds,
        scale=run.terms.scale,
        observer=run.decided,
    )
    for candidate in candidates:
        run.record_candidate(candidate, parameters=described(candidate))
    n = 0
    while not search.done:
        for task in search.ask():
            if stop_after is not None and n >= stop_after:
                return
            outcome = evaluated(task)
            run.record(outcome)
            search.tell(outcome)
            n += 1
    run.finish()
    return


def hostile_run(run):
    """A search whose candidates, algorithms, messages, data and classes are all hostile."""

    def described(name):
        return {"algorithm": name, "text": name, "estimator": name}

    def evaluated(task):
        place = HOSTILE.index(task.candidate)
        if place == 1:
            return Failure(task, Reason.ERROR, f"{HOSTILE[0]}\n{HOSTILE[1]}", seconds=0.1)
        return Observation(task, 0.1 + 0.05 * place + 1 / task.anchor, seconds=1.0, n_test=500)

    search_on(run, list(HOSTILE), evaluated=evaluated, described=described)
    run.notes = lambda: NOTES
    return run


def profiled_run(run):
    """A search on a table that `curvewise select` has looked at."""
    search_on(run, range(10))
    run.notes = lambda: {"data": PROFILE, "columns left out": {HOSTILE[0]: "an identifier"}}
    return run
