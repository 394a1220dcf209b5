"""Choose models faster than cross-validation does, by validating them along learning curves.

For users of scikit-learn: `CurveSearchCV`, `validate`, `compare` and `CurveDisplay`.

>>> from sklearn.datasets import load_iris
>>> from sklearn.svm import SVC
>>> import curvewise as cw
>>> X, y = load_iris(return_X_y=True)
>>> search = cw.CurveSearchCV(SVC(), {"C": [0.01, 1, 10]}).fit(X, y)
>>> search.best_params_
{'C': 10}

From a raw table to the best pipeline: `CurveAutoMLClassifier` and `CurveAutoMLRegressor`.

For those who evaluate themselves, the core is ask and tell:

>>> import curvewise as cw
>>> search = cw.Search(range(30), schedule=9000, policy=cw.Race(), n_folds=5)
>>> while not search.done:
...     for task in search.ask(8):
...         loss = 0.1 + task.candidate / 100 + 5 / task.anchor + task.fold / 1000
...         _ = search.tell(cw.Observation(task, loss, seconds=task.anchor, n_test=2000))
>>> search.best.candidate
0
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from curvewise.core.curve import LearningCurve
from curvewise.core.extrapolation import MODELS, FittedCurve
from curvewise.core.intervals import Interval
from curvewise.core.limits import TimeLimit
from curvewise.core.outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.core.policies import (
    LCCV,
    Halving,
    Hyperband,
    KFoldCV,
    MonteCarloCV,
    Race,
    WilcoxonRace,
)
from curvewise.core.policy import Policy
from curvewise.core.portfolio import Status
from curvewise.core.result import ValidationResult
from curvewise.core.scale import Scale
from curvewise.core.schedule import Schedule
from curvewise.core.search import Search
from curvewise.core.validation import Validation
from curvewise.errors import CurvewiseError, InvalidParameter, NoResult, UnknownTask

if TYPE_CHECKING:
    from curvewise.automl.estimators import CurveAutoMLClassifier, CurveAutoMLRegressor
    from curvewise.core.advice import Advice, advise
    from curvewise.selection.comparison import Comparison, compare
    from curvewise.selection.optuna import CurveObjective
    from curvewise.selection.pictures.display import CurveDisplay
    from curvewise.selection.searchcv import CurveSearchCV
    from curvewise.selection.validation import validate

__version__ = "0.1.0"

__all__ = [
    "LCCV",
    "MODELS",
    "Advice",
    "Comparison",
    "CurveAutoMLClassifier",
    "CurveAutoMLRegressor",
    "CurveDisplay",
    "CurveObjective",
    "CurveSearchCV",
    "CurvewiseError",
    "Failure",
    "FittedCurve",
    "Halving",
    "Hyperband",
    "Interval",
    "InvalidParameter",
    "KFoldCV",
    "LearningCurve",
    "MonteCarloCV",
    "NoResult",
    "Observation",
    "Outcome",
    "Policy",
    "Race",
    "Reason",
    "Scale",
    "Schedule",
    "Search",
    "Status",
    "Task",
    "TimeLimit",
    "UnknownTask",
    "Validation",
    "ValidationResult",
    "WilcoxonRace",
    "advise",
    "compare",
    "validate",
]

# Loaded when they are first used: the core alone needs no scikit-learn, and starts at once.
LAZY = {
    "Advice": "curvewise.core.advice",
    "Comparison": "curvewise.selection.comparison",
    "CurveAutoMLClassifier": "curvewise.automl.estimators",
    "CurveAutoMLRegressor": "curvewise.automl.estimators",
    "CurveDisplay": "curvewise.selection.pictures.display",
    "CurveObjective": "curvewise.selection.optuna",
    "CurveSearchCV": "curvewise.selection.searchcv",
    "advise": "curvewise.core.advice",
    "compare": "curvewise.selection.comparison",
    "validate": "curvewise.selection.validation",
}


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
