"""Who hears of a run while it goes on: progress bars, callbacks, displays, the run store.

Rules:

1. A `Listener` hears of everything and owns nothing of the run, but it may end it: by the search's
   ``stop``, when it is told of an outcome.
2. Whoever listens must not cost the results: a listener that raises an error is not told anything
   more, with a warning, and the run goes on. Ctrl-C is no error.
3. The record is the exception. What it cannot keep would be lost, so its errors end the run.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from curvewise.core._decisions import Decision
from curvewise.core._outcome import Candidate, Outcome, Task
from curvewise.core._search import Search

logger = logging.getLogger("curvewise")


class Ending(Enum):
    """How a run ended.

    Examples
    --------
    >>> Ending("out of time")
    <Ending.OUT_OF_TIME: 'out of time'>
    """

    FINISHED = "finished"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"


class Listener:
    """Hears of a run; to be subclassed. Nothing has to be overridden.

    A listener that raises an error hears no more of the run, which goes on; there is a warning.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.executors import Listener, ReplayExecutor, run
    >>> class Impatient(Listener):
    ...     def started(self, search):
    ...         self.search, self.n = search, 0
    ...
    ...     def told(self, outcome):
    ...         self.n += 1
    ...         if self.n == 3:
    ...             self.search.stop("three are enough")
    >>> search = cw.Search(range(9), schedule=900)
    >>> executor = ReplayExecutor(lambda task: cw.Observation(task, 0.1, seconds=1.0))
    >>> listener = Impatient()
    >>> run(search, executor, listeners=[listener])
    <Ending.FINISHED: 'finished'>
    >>> listener.n
    3
    """

    def started(self, search: Search) -> None:
        """Hear that a run begins.

        Parameters
        ----------
        search
            What is carried out. It may be looked at; it may be stopped from within `told`.
        """

    def entered(self, candidate: Candidate, estimator: object) -> None:
        """Hear of a candidate before its first evaluation.

        Parameters
        ----------
        candidate
            Its name.
        estimator
            What the executor gets for it; None if that is its name.
        """

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Hear of a decision.

        Parameters
        ----------
        candidate
            Whom it is about.
        decision
            What was decided, with its evidence.
        """

    def received(self, outcome: Outcome) -> None:
        """Hear of what an evaluation gave, before the search does.

        Parameters
        ----------
        outcome
            A new one; what a record knew already is not received again.
        """

    def told(self, outcome: Outcome) -> None:
        """Hear of what an evaluation gave, after the search has.

        Parameters
        ----------
        outcome
            A new one, or one that a record knew.
        """

    def finished(self, ending: Ending | None) -> None:
        """Hear that the run is over.

        Parameters
        ----------
        ending
            How; None if an error ended it.
        """

    def fitted(self, estimator: object, X: Any, y: Any) -> None:
        """Hear that the estimator which made the run is fitted, and has all its attributes.

        Parameters
        ----------
        estimator
            A `curvewise.CurveSearchCV`, or a `curvewise.CurveAutoMLClassifier` or
            `curvewise.CurveAutoMLRegressor`.
        X, y
            What it was fitted on.
        """

    def failed(self, error: BaseException) -> None:
        """Hear that the fit of that estimator ended with an error.

        Parameters
        ----------
        error
            Which one; Ctrl-C is one, too.
        """


class OutcomeRecord(Listener):
    """A listener that knows outcomes of earlier runs, as a run store does.

    Its errors end the run. What it knows is not carried out again.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.executors import OutcomeRecord, ReplayExecutor, run
    >>> class Memory(OutcomeRecord):
    ...     def __init__(self):
    ...         self.outcomes = {}
    ...
    ...     def known(self, task):
    ...         return self.outcomes.get(task)
    ...
    ...     def received(self, outcome):
    ...         self.outcomes[outcome.task] = outcome
    >>> memory = Memory()
    >>> executor = ReplayExecutor(lambda task: cw.Observation(task, 0.1, seconds=1.0))
    >>> for _ in range(2):
    ...     _ = run(cw.Search(range(9), schedule=900), executor, record=memory)
    >>> executor.n_tasks == len(memory.outcomes)
    True
    """

    def known(self, task: Task) -> Outcome | None:
        """Look up the outcome of a task that is finished; None if it has to be carried out.

        Parameters
        ----------
        task
            Which one.
        """
        return None


class Audience:
    """All who hear of a run: its record first, then the listeners."""

    def __init__(self, record: Listener | None, listeners: Sequence[Listener]) -> None:
        self._record = record
        self._listeners = list(listeners)

    def begin(self, search: Search) -> None:
        """Tell everybody that it begins; if the record cannot, listeners hear of no end either."""
        listeners, self._listeners = self._listeners, []
        if self._record is not None:
            self._record.started(search)
        self._listeners = listeners
        for listener in list(listeners):
            self._tell_listener(listener, lambda listener: listener.started(search))

    def tell(self, what: Callable[[Listener], None]) -> None:
        """Tell everybody something; those who raise an error hear no more."""
        if self._record is not None:
            what(self._record)
        for listener in list(self._listeners):
            self._tell_listener(listener, what)

    def _tell_listener(self, listener: Listener, what: Callable[[Listener], None]) -> None:
        try:
            what(listener)
        except Exception as error:
            self._listeners.remove(listener)
            name = type(listener).__name__
            logger.warning("%s failed", name, exc_info=error)
            warnings.warn(
                f"{name} failed and hears no more of the search, which goes on: "
                f"{type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=3,
            )
