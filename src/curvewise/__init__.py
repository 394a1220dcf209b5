"""Choose models faster than cross-validation does, by validating them along learning curves.

The names here are the public interface of the core; everything is ask and tell:

>>> import curvewise as cw
>>> search = cw.Search(range(30), schedule=9000, policy=cw.Race(), n_folds=5)
>>> while not search.done:
...     for task in search.ask(8):
...         loss = 0.1 + task.candidate / 100 + 5 / task.anchor + task.fold / 1000
...         _ = search.tell(cw.Observation(task, loss, seconds=task.anchor, n_test=2000))
>>> search.best.candidate
0
"""

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
from curvewise.errors import CurvewiseError, InvalidParameter, UnknownTask

__version__ = "0.1.0"

__all__ = [
    "LCCV",
    "MODELS",
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
]
