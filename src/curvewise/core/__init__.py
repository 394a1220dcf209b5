"""Decisions, and nothing else: no clock, no randomness, no input or output.

`Search` (many candidates) and `Validation` (one) are ask and tell: they say which `Task` they want
next and are told its `Outcome`, an `Observation` or a `Failure`. A `Policy` decides: `Race`,
`LCCV`, `KFoldCV` and others, or one of your own, which reads the `Portfolio` and its `Contender`
objects and answers with a `Decision`.
"""

from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import (
    Advance,
    Complete,
    Decision,
    Fail,
    Hold,
    Lead,
    Prune,
    Repair,
    Revive,
    Sample,
    Skip,
    Stop,
)
from curvewise.core._extrapolation import MODELS, CurveModel, FittedCurve
from curvewise.core._intervals import Interval
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._outcome import Candidate, Failure, Observation, Outcome, Reason, Task
from curvewise.core._policies import (
    LCCV,
    POLICIES,
    AdaptiveLCCV,
    AnovaRace,
    BootstrapDropping,
    EarlyStoppedCV,
    Halving,
    Hyperband,
    KFoldCV,
    MonteCarloCV,
    Race,
    WholeCurve,
    WilcoxonRace,
)
from curvewise.core._policy import (
    Demands,
    Estimate,
    Explained,
    Policy,
    last_anchor,
    next_folds,
    target_so_far,
)
from curvewise.core._portfolio import Contender, Leader, Portfolio, Status
from curvewise.core._predictions import Predictions
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale, spread
from curvewise.core._schedule import Schedule
from curvewise.core._search import Search
from curvewise.core._time_limit import TimeLimit
from curvewise.core._validation import Validation

__all__ = [
    "LCCV",
    "MODELS",
    "POLICIES",
    "AdaptiveLCCV",
    "Advance",
    "AnovaRace",
    "BootstrapDropping",
    "Candidate",
    "Complete",
    "Contender",
    "CurveModel",
    "Decision",
    "Demands",
    "EarlyStoppedCV",
    "Estimate",
    "Explained",
    "Fail",
    "Failure",
    "FittedCurve",
    "Halving",
    "Hold",
    "Hyperband",
    "Interval",
    "KFoldCV",
    "Lead",
    "Leader",
    "LeaderChange",
    "LearningCurve",
    "MonteCarloCV",
    "Observation",
    "Outcome",
    "Policy",
    "Portfolio",
    "Predictions",
    "Prune",
    "Race",
    "Reason",
    "Repair",
    "Revive",
    "Sample",
    "Scale",
    "Schedule",
    "Search",
    "Skip",
    "Status",
    "Stop",
    "Task",
    "TimeLimit",
    "Validation",
    "ValidationResult",
    "WholeCurve",
    "WilcoxonRace",
    "last_anchor",
    "next_folds",
    "spread",
    "target_so_far",
]
