"""Tasks, and what comes back from them.

A `Task` is one fit and one score: a candidate, trained on an anchor's rows of one fold. Fold i is
the same for every candidate and every anchor. What a task gave is an `Observation` or a `Failure`;
both are plain values, so that a slow, hungry or broken learner never raises in a search.

An observed loss that is NaN, infinite or astronomical is no observation: `as_outcome` turns it into
a failure.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from curvewise._text import (
    LONGEST_MESSAGE,
    LONGEST_NAME,
    cut,
    cut_middle,
    describe_error,
    valid_text,
)
from curvewise.core._checks import real_number, whole_number
from curvewise.core._predictions import Predictions
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

Candidate = Hashable

# A learner whose loss is larger has diverged; squares of losses must stay finite.
LARGEST_LOSS = 1e100

# The end of what is said of a loss that may be anybody's doing.
UNCLEAR = (
    "Nobody knows whether that was the candidate's doing; a run that is resumed tries it again."
)


class Task(NamedTuple):
    """One evaluation that the search wants.

    Parameters
    ----------
    candidate
        Whom to train.
    anchor
        On how many training rows.
    fold
        On which fold; the first is 0.

    Examples
    --------
    >>> Task("svc", anchor=64, fold=0)
    Task(candidate='svc', anchor=64, fold=0)
    """

    candidate: Candidate
    anchor: int
    fold: int


class Reason(Enum):
    """Why a task gave no observation.

    ``ERROR``: the learner raised, or its loss cannot be compared. ``TIMEOUT``, ``MEMORY``: it met a
    limit. ``LOST``: its worker died. ``CANCELLED``: somebody took it back.

    Examples
    --------
    >>> Reason("timeout")
    <Reason.TIMEOUT: 'timeout'>
    """

    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    LOST = "lost"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a task that succeeded gave.

    Parameters
    ----------
    task
        The task.
    loss
        Lower is better.
    seconds
        What the task took: fitting, scoring and all.
    n_test
        How many test rows there were.
    noise
        The squared standard error of the loss as a mean over its test rows. For error rates it
        follows from the loss and ``n_test`` and need not be given.
    fit_seconds, score_seconds
        The parts of ``seconds`` that went into fitting and into scoring the test rows.
    scores, train_scores
        Every metric by its name, as the user knows them, on the test and on the training rows.
    found
        What the fit has found for its own parameters, by name, such as a number of rounds.
    predictions
        What was predicted for the test rows, where that is to be kept. A search never looks at it.
    row_losses
        The loss of each test row, in the order of the fold's test rows, or of a sample of these
        which is the same for all candidates; where a loss is unknown, NaN. Booleans for error
        rates, else floats, whose mean is ``loss``. A race compares candidates by them
        (`curvewise.core._row_pairs`). Two observations that differ in it alone are equal.

    Examples
    --------
    >>> Observation(Task("svc", 64, 0), 0.2, seconds=0.1).loss
    0.2
    """

    task: Task
    loss: float
    _: KW_ONLY
    seconds: float = 0.0
    n_test: int | None = None
    noise: float | None = None
    fit_seconds: float | None = None
    score_seconds: float | None = None
    scores: Mapping[str, float] | None = None
    train_scores: Mapping[str, float] | None = None
    found: Mapping[str, float] | None = None
    predictions: Predictions | None = None
    row_losses: np.ndarray[Any, Any] | None = field(default=None, compare=False, repr=False)

    def train_loss(self, scale: Scale) -> float | None:
        """Give the loss on the training rows; None if it was not measured.

        Parameters
        ----------
        scale
            How losses read as scores.

        Examples
        --------
        >>> from curvewise.core import Scale
        >>> task, scores = Task("svc", 64, 0), {"accuracy": 0.75, "f1": 0.5}
        >>> trained = {"accuracy": 0.875, "f1": 0.75}
        >>> Observation(task, 0.25, scores=scores, train_scores=trained).train_loss(Scale())
        0.125
        """
        if not self.train_scores:
            return None
        # The metric that decides is the first whose score is the loss.
        deciding = (name for name, score in (self.scores or {}).items() if self._is(scale, score))
        name = next(deciding, next(iter(self.train_scores)))
        return scale.loss(self.train_scores[name]) if name in self.train_scores else None

    def _is(self, scale: Scale, score: float) -> bool:
        return scale.loss(score) == self.loss


@dataclass(frozen=True, slots=True)
class Failure:
    """What a task that did not succeed gave.

    Parameters
    ----------
    task
        The task.
    reason
        What kind of failure.
    message
        What the learner said, or what limit it met; of a very long one, the middle is left out.
    seconds
        What the task took until then.
    error
        The type of what the learner raised, such as ``"TypeError"``; empty if it raised nothing.

    Examples
    --------
    >>> Failure(Task("svc", 64, 0), Reason.TIMEOUT, "after 5 s").reason
    <Reason.TIMEOUT: 'timeout'>
    """

    task: Task
    reason: Reason
    message: str = ""
    seconds: float = 0.0
    error: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.reason, Reason):
            raise InvalidParameterError(
                f"The reason of a failure must be a Reason, got {self.reason!r}; what happened is "
                "the message."
            )
        # A learner may say as much as it likes, and what is no text: neither may fill a store.
        object.__setattr__(self, "message", valid_text(cut_middle(self.message, LONGEST_MESSAGE)))
        object.__setattr__(self, "error", valid_text(cut(self.error, LONGEST_NAME)))

    @classmethod
    def raised(
        cls, task: Task, error: BaseException, *, seconds: float = 0.0, what: str = ""
    ) -> Failure:
        """Make a failure from what was raised: a shortage of memory, or an error.

        Parameters
        ----------
        task
            The task.
        error
            What was raised; the message gives it in the first line, then where it came from.
        seconds
            What the task took until then.
        what
            What could not be done, for the beginning of the message.

        Examples
        --------
        >>> failure = Failure.raised(Task("svc", 64, 0), ValueError("no rows"), what="It failed")
        >>> failure.reason, failure.error, failure.headline
        (<Reason.ERROR: 'error'>, 'ValueError', 'It failed: ValueError: no rows')
        """
        reason = Reason.MEMORY if isinstance(error, MemoryError) else Reason.ERROR
        message = f"{what}: {describe_error(error)}" if what else describe_error(error)
        return cls(task, reason, message, seconds, type(error).__name__)

    @property
    def headline(self) -> str:
        """What happened, in a line: the message goes on with where."""
        return self.message.partition("\n")[0] or self.reason.value


class Raised(BaseException):
    """Carries what a learner raised past those who would make a failure of it."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


Outcome = Observation | Failure


def as_outcome(outcome: Outcome) -> Outcome:
    """Check an outcome; a loss that cannot be compared makes it a failure."""
    seconds = outcome.seconds
    # What nearly all outcomes are like is seen at a glance.
    if type(seconds) is not float or not 0.0 <= seconds < math.inf:
        real_number("The seconds of an outcome", seconds, at_least=0)
    if isinstance(outcome, Failure):
        return outcome
    if outcome.n_test is not None and (type(outcome.n_test) is not int or outcome.n_test < 1):
        whole_number("n_test", outcome.n_test, at_least=1)
    if outcome.noise is not None:
        real_number("noise", outcome.noise, at_least=0)
    losses = outcome.row_losses
    if losses is not None and not (
        isinstance(losses, np.ndarray) and losses.ndim == 1 and losses.dtype.kind in "bf"
    ):
        raise InvalidParameterError("row_losses must be an array with a number for each test row.")
    try:
        comparable = abs(outcome.loss) < LARGEST_LOSS
    except TypeError:
        raise InvalidParameterError(f"A loss must be a number, got {outcome.loss!r}.") from None
    if not comparable:
        message = f"the loss is {outcome.loss}"
        return Failure(outcome.task, Reason.ERROR, message, seconds=outcome.seconds)
    return outcome
