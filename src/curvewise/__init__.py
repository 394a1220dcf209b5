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

from typing import TYPE_CHECKING

from curvewise._lazy_names import lazy_names
from curvewise.errors import CurvewiseError, InvalidParameterError, NoResultError, UnknownTaskError

if TYPE_CHECKING:
    from curvewise._evaluation.evaluator import Evaluator
    from curvewise._evaluation.folds import Folds
    from curvewise._evaluation.given_types import Estimator, Splitter
    from curvewise._evaluation.scorers import Scores, Scoring, resolve_scoring
    from curvewise._selection.compare import Comparison, compare
    from curvewise._selection.data_op_search import skrub_search
    from curvewise._selection.diagnosis.hardest_rows import hardest_rows
    from curvewise._selection.honest_score import HonestScore
    from curvewise._selection.kept_predictions import OutOfFold
    from curvewise._selection.mlflow_listener import MLflowListener
    from curvewise._selection.naive_evaluation import CurveEvaluation
    from curvewise._selection.optuna_objective import CurveObjective
    from curvewise._selection.pictures.class_displays import ConfusionDisplay, RankingDisplay
    from curvewise._selection.pictures.column_displays import ImportanceDisplay, LevelDisplay
    from curvewise._selection.pictures.curve_display import CurveDisplay
    from curvewise._selection.pictures.number_displays import ResidualDisplay
    from curvewise._selection.pictures.reliability_display import ReliabilityDisplay
    from curvewise._selection.proposer import Proposal, Proposer
    from curvewise._selection.search_cv import CurveSearchCV
    from curvewise._selection.search_run import SearchExtras
    from curvewise._selection.smac_target import CurveTargetFunction
    from curvewise._selection.validate import validate
    from curvewise._selection.validated_estimator import ValidatedEstimator
    from curvewise._watch import Watch, watch
    from curvewise.advice import Advice, advise
    from curvewise.automl._estimators import CurveAutoMLClassifier, CurveAutoMLRegressor
    from curvewise.core._curve import LearningCurve
    from curvewise.core._extrapolation import MODELS, FittedCurve
    from curvewise.core._intervals import Interval
    from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
    from curvewise.core._policies import (
        LCCV,
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
    from curvewise.core._policy import Policy
    from curvewise.core._portfolio import Status
    from curvewise.core._result import ValidationResult
    from curvewise.core._scale import Scale
    from curvewise.core._schedule import Schedule
    from curvewise.core._search import Search
    from curvewise.core._time_limit import TimeLimit
    from curvewise.core._validation import Validation

__version__ = "0.1.0"

__all__ = [
    "LCCV",
    "MODELS",
    "AdaptiveLCCV",
    "Advice",
    "AnovaRace",
    "BootstrapDropping",
    "Comparison",
    "ConfusionDisplay",
    "CurveAutoMLClassifier",
    "CurveAutoMLRegressor",
    "CurveDisplay",
    "CurveEvaluation",
    "CurveObjective",
    "CurveSearchCV",
    "CurveTargetFunction",
    "CurvewiseError",
    "EarlyStoppedCV",
    "Estimator",
    "Evaluator",
    "Failure",
    "FittedCurve",
    "Folds",
    "Halving",
    "HonestScore",
    "Hyperband",
    "ImportanceDisplay",
    "Interval",
    "InvalidParameterError",
    "KFoldCV",
    "LearningCurve",
    "LevelDisplay",
    "MLflowListener",
    "MonteCarloCV",
    "NoResultError",
    "Observation",
    "OutOfFold",
    "Outcome",
    "Policy",
    "Proposal",
    "Proposer",
    "Race",
    "RankingDisplay",
    "Reason",
    "ReliabilityDisplay",
    "ResidualDisplay",
    "Scale",
    "Schedule",
    "Scores",
    "Scoring",
    "Search",
    "SearchExtras",
    "Splitter",
    "Status",
    "Task",
    "TimeLimit",
    "UnknownTaskError",
    "ValidatedEstimator",
    "Validation",
    "ValidationResult",
    "Watch",
    "WholeCurve",
    "WilcoxonRace",
    "advise",
    "compare",
    "hardest_rows",
    "resolve_scoring",
    "skrub_search",
    "validate",
    "watch",
]

# Loaded when they are first used: the core alone needs no scikit-learn, and a command that is
# interrupted while it starts ends without a traceback.
LAZY = {
    "_evaluation.evaluator": ("Evaluator",),
    "_evaluation.folds": ("Folds",),
    "_evaluation.given_types": ("Estimator", "Splitter"),
    "_evaluation.scorers": ("Scores", "Scoring", "resolve_scoring"),
    "_selection.compare": ("Comparison", "compare"),
    "_selection.data_op_search": ("skrub_search",),
    "_selection.mlflow_listener": ("MLflowListener",),
    "_selection.naive_evaluation": ("CurveEvaluation",),
    "_selection.optuna_objective": ("CurveObjective",),
    "_selection.diagnosis.hardest_rows": ("hardest_rows",),
    "_selection.pictures.class_displays": ("ConfusionDisplay", "RankingDisplay"),
    "_selection.pictures.column_displays": ("ImportanceDisplay", "LevelDisplay"),
    "_selection.pictures.curve_display": ("CurveDisplay",),
    "_selection.honest_score": ("HonestScore",),
    "_selection.pictures.number_displays": ("ResidualDisplay",),
    "_selection.pictures.reliability_display": ("ReliabilityDisplay",),
    "_selection.kept_predictions": ("OutOfFold",),
    "_selection.proposer": ("Proposal", "Proposer"),
    "_selection.search_cv": ("CurveSearchCV",),
    "_selection.search_run": ("SearchExtras",),
    "_selection.smac_target": ("CurveTargetFunction",),
    "_selection.validate": ("validate",),
    "_selection.validated_estimator": ("ValidatedEstimator",),
    "advice": ("Advice", "advise"),
    "_watch": ("Watch", "watch"),
    "automl._estimators": ("CurveAutoMLClassifier", "CurveAutoMLRegressor"),
    "core._curve": ("LearningCurve",),
    "core._extrapolation": ("MODELS", "FittedCurve"),
    "core._intervals": ("Interval",),
    "core._outcome": ("Failure", "Observation", "Outcome", "Reason", "Task"),
    "core._policies": (
        "LCCV",
        "AdaptiveLCCV",
        "AnovaRace",
        "BootstrapDropping",
        "EarlyStoppedCV",
        "Halving",
        "Hyperband",
        "KFoldCV",
        "MonteCarloCV",
        "Race",
        "WholeCurve",
        "WilcoxonRace",
    ),
    "core._policy": ("Policy",),
    "core._portfolio": ("Status",),
    "core._result": ("ValidationResult",),
    "core._scale": ("Scale",),
    "core._schedule": ("Schedule",),
    "core._search": ("Search",),
    "core._time_limit": ("TimeLimit",),
    "core._validation": ("Validation",),
}


__getattr__ = lazy_names(__name__, LAZY)


def __dir__() -> list[str]:
    return __all__
