"""What a trial of an Optuna study keeps of its validation, and what is read from it again."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from operator import attrgetter

from curvewise._selection.trial_records import RECORD, TrialRecord, attributes_of, record_from
from curvewise.core._curve import LearningCurve
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.errors import InvalidParameterError, MissingExtraError

try:
    import optuna
    from optuna.trial import BaseTrial, FrozenTrial, TrialState
except ImportError as error:
    raise MissingExtraError("Optuna studies", "optuna") from error

logger = logging.getLogger("curvewise")


def trial_name(trial: BaseTrial) -> str:
    """Name a trial as explanations do."""
    return f"Trial {trial.number}"


def conclude(trial: BaseTrial, result: ValidationResult, digest: str) -> float:
    """Leave a result in the attributes of its trial, and end the trial accordingly."""
    for name, value in attributes_of(result, digest).items():
        trial.set_user_attr(name, value)
    if result.status is Status.COMPLETED:
        return result.score
    if result.status is Status.FAILED:
        logger.warning("%s", result.explain())
        return math.nan
    raise optuna.TrialPruned(result.explain())


def curve_of(trial: FrozenTrial) -> LearningCurve:
    """Give the learning curve of a trial that a `CurveObjective` validated.

    Parameters
    ----------
    trial
        A finished trial, for example ``study.best_trial``.
    """
    if RECORD not in trial.user_attrs:
        raise InvalidParameterError(f"Trial {trial.number} was not validated by a CurveObjective.")
    return record_of(trial).curve


def record_of(trial: FrozenTrial) -> TrialRecord:
    """Give the record of a trial that has one."""
    return record_from(trial_name(trial), trial.user_attrs)


def comparable_trials(study: optuna.Study | None, digest: str) -> list[FrozenTrial]:
    """List the finished trials of a study that were validated on the same folds."""
    if study is None:
        return []
    finished = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED))
    return [trial for trial in finished if trial.user_attrs.get(RECORD, {}).get("digest") == digest]


def best_of(earlier: Iterable[FrozenTrial]) -> TrialRecord | None:
    """Find the best complete and feasible trial, which is what has to be beaten."""
    complete = [each for each in earlier if each.state == TrialState.COMPLETE and _feasible(each)]
    return record_of(max(complete, key=attrgetter("value"))) if complete else None


def check_direction(study: optuna.Study | None) -> None:
    """Refuse a study that does not maximise one value."""
    if study is None:
        return
    if len(study.directions) > 1:
        raise InvalidParameterError(
            f"A CurveObjective has one value, and the study has {len(study.directions)} "
            "directions; use create_study(direction='maximize')."
        )
    if study.direction != optuna.study.StudyDirection.MAXIMIZE:
        raise InvalidParameterError(
            "A CurveObjective gives scores, of which greater is better; use "
            "create_study(direction='maximize'), for errors with a metric such as "
            "scoring='neg_mean_squared_error'."
        )


def _feasible(trial: FrozenTrial) -> bool:
    """Whether a trial keeps the constraints of its study, if there are any."""
    # Before Optuna 5 they could be found in one place only.
    constraints = getattr(trial, "constraints", None)
    values = trial.system_attrs.get("constraints") if constraints is None else constraints.values()
    return all(value <= 0 for value in values or ())
