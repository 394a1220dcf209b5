"""What a trial of an Optuna study keeps of its validation, and what is read from it again.

A trial leaves its losses by anchor and fold in its user attributes, together with a digest of the
data, the folds and the metric. Trials with another digest, or without one, are not comparable.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter

from curvewise._selection.experiment import Experiment
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Observation, Task
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError, MissingExtraError
from curvewise.executors._store.fingerprint import fingerprint

try:
    import optuna
    from optuna.trial import BaseTrial, FrozenTrial, TrialState
except ImportError as error:
    raise MissingExtraError("Optuna studies", "optuna") from error

logger = logging.getLogger("curvewise")

PREFIX = "curvewise_"
RECORD = f"{PREFIX}record"


def conclude(trial: BaseTrial, result: ValidationResult, digest: str) -> float:
    """Leave a result in the attributes of its trial, and end the trial accordingly."""
    cells = [
        [*cell.task[1:], cell.loss, cell.n_test, round(cell.seconds, 6)] for cell in result.curve
    ]
    attributes = {
        "status": result.status.value,
        "explanation": result.explain(),
        "anchor": result.curve.anchors[-1] if len(result.curve) else 0,
        "training_rows": result.training_rows,
        "seconds": round(result.seconds, 6),
        "record": {"digest": digest, "cells": cells},
    }
    if result.status is Status.FAILED:
        attributes["traceback"] = result.failures[-1].message
    for name, value in attributes.items():
        trial.set_user_attr(f"{PREFIX}{name}", value)
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
    name = f"Trial {trial.number}"
    return LearningCurve(
        Observation(Task(name, anchor, fold), loss, n_test=n_test, seconds=seconds)
        for anchor, fold, loss, n_test, seconds in trial.user_attrs[RECORD]["cells"]
    )


def comparable_trials(study: optuna.Study | None, digest: str) -> list[FrozenTrial]:
    """List the finished trials of a study that were validated on the same folds."""
    if study is None:
        return []
    finished = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED))
    return [trial for trial in finished if trial.user_attrs.get(RECORD, {}).get("digest") == digest]


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


def digest_of(experiment: Experiment) -> str:
    """Give a short text that differs for other data, other folds or another metric."""
    try:
        data = fingerprint(experiment.X, experiment.y, metadata=experiment.params)
    except InvalidParameterError:
        # Cells of a kind that cannot be told apart: the folds have to do.
        data = ""
    facts = [data, experiment.evaluate.describe(), experiment.scoring.scale]
    return blake2b(repr(facts).encode(), digest_size=8).hexdigest()


def best_of(earlier: Iterable[FrozenTrial], scale: Scale) -> ValidationResult | None:
    """Turn the best complete and feasible trial into what has to be beaten."""
    complete = [each for each in earlier if each.state == TrialState.COMPLETE and _feasible(each)]
    if not complete:
        return None
    best = max(complete, key=attrgetter("value"))
    curve = curve_of(best)
    target = curve.anchors[-1]
    interval = curve.interval(target, kind="t")
    name, loss = f"Trial {best.number}", curve.mean(target)
    return ValidationResult(name, Status.COMPLETED, loss, interval, curve, (), (), scale)


def _feasible(trial: FrozenTrial) -> bool:
    """Whether a trial keeps the constraints of its study, if there are any."""
    # Before Optuna 5 they could be found in one place only.
    constraints = getattr(trial, "constraints", None)
    values = trial.system_attrs.get("constraints") if constraints is None else constraints.values()
    return all(value <= 0 for value in values or ())
