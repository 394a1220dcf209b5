"""A small table, quick candidates, and recordings of them."""

from sklearn.model_selection import StratifiedKFold

from curvewise._bench.recorded_tables.recorder import Recorder
from curvewise._bench.recorded_tables.recording_plan import plan_recording
from curvewise.automl import SearchSpace, read_table
from curvewise.automl._space.component import Component
from curvewise.automl._space.parameters import Integer
from curvewise.automl._space.search_space import Slot

TREE = Component(
    target="sklearn.tree.DecisionTreeClassifier", parameters={"max_depth": Integer(1, 4)}
)
BAYES = [Component(target=f"sklearn.naive_bayes.{name}NB") for name in ("Gaussian", "Bernoulli")]
QUICK = SearchSpace([Slot("classifier", [TREE, *BAYES])])
N_FOLDS = 3


def plan(n_candidates=6, *, space=QUICK, table=None, **settings):
    cv = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    settings = {"divisors": (4, 2, 1), "test_rows": 0, **settings}
    return plan_recording(
        table or read_table("sklearn:iris"),
        cv,
        n_candidates=n_candidates,
        space=space,
        **settings,
    )


def record(path, *, on_progress=lambda _: None, run=None, **settings):
    """Record in this process; give what was planned."""
    planned = plan(**settings)
    Recorder(planned, path, on_progress=on_progress).run(**(run or {}))
    return planned
