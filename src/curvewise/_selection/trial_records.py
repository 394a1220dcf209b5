"""What is kept of a trial: a candidate that another tool proposed and that was validated here.

A record has the losses by anchor and fold, and a digest of the data, the folds and the metric.
Trials with the same digest can be compared fold by fold, also in another process and after a tool
has gone on with an earlier run. So the best of them is what the next one has to beat, and the last
ones tell the policy what losses and costs to expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from curvewise._selection.experiment import Experiment
from curvewise.core._curve import LearningCurve
from curvewise.core._fold_noise import loss_interval
from curvewise.core._outcome import Observation, Task
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError
from curvewise.executors._store.fingerprint import fingerprint

PREFIX = "curvewise_"
RECORD = f"{PREFIX}record"


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """How a trial ended, its curve, and on which folds that was."""

    name: str
    status: Status
    digest: str
    curve: LearningCurve

    def as_result(self, scale: Scale) -> ValidationResult:
        """Turn a complete trial into a result that others can be compared with."""
        target = self.curve.anchors[-1]
        interval = loss_interval(self.curve, target, scale)
        loss = self.curve.mean(target)
        return ValidationResult(
            self.name, Status.COMPLETED, loss, interval, self.curve, (), (), scale
        )


def attributes_of(result: ValidationResult, digest: str) -> dict[str, Any]:
    """Give what users read about a trial, and its record, as values that JSON can hold."""
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
    return {f"{PREFIX}{name}": value for name, value in attributes.items()}


def record_from(name: str, attributes: Mapping[str, Any]) -> TrialRecord:
    """Read the record of a trial from its attributes."""
    stored = attributes[RECORD]
    curve = LearningCurve(
        Observation(Task(name, anchor, fold), loss, n_test=n_test, seconds=seconds)
        for anchor, fold, loss, n_test, seconds in stored["cells"]
    )
    return TrialRecord(name, Status(attributes[f"{PREFIX}status"]), stored["digest"], curve)


class TrialMemory:
    """The trials of a tool that does not hand its own records to those who evaluate.

    A trial has a key that is the same in every process, so that one which was validated in a copy
    of this process and is heard of later counts once.
    """

    def __init__(self) -> None:
        self._records: dict[str, TrialRecord] = {}

    def take(self, key: str, record: TrialRecord) -> None:
        """Remember a trial."""
        self._records[key] = record

    def comparable(self, digest: str) -> list[TrialRecord]:
        """List the trials that were validated on the same folds, in the order of their ends."""
        return [record for record in self._records.values() if record.digest == digest]


def best_of(records: Iterable[TrialRecord]) -> TrialRecord | None:
    """Find the complete trial with the smallest loss; the first of several."""
    complete = [record for record in records if record.status is Status.COMPLETED]
    return min(complete, key=_target_loss, default=None)


def _target_loss(record: TrialRecord) -> float:
    return record.curve.mean(record.curve.anchors[-1])


def digest_of(experiment: Experiment) -> str:
    """Give a short text that differs for other data, other folds or another metric."""
    try:
        data = fingerprint(experiment.X, experiment.y, metadata=experiment.params)
    except InvalidParameterError:
        # Cells of a kind that cannot be told apart: the folds have to do.
        data = ""
    facts = [data, experiment.evaluate.describe(), experiment.scoring.scale]
    return blake2b(repr(facts).encode(), digest_size=8).hexdigest()
