"""scikit-learn's callbacks, such as its ``ProgressBar``, on a search.

The tasks that callbacks hear of: the whole fit, in it the search, in that one task per candidate,
and the refit, which hands the callbacks on to the best estimator. How many evaluations a search
will make is known to nobody in advance; how many candidates there are mostly is. A callback that
asks to stop ends the search with what it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curvewise.core._decisions import ENDS, Decision
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._search import Search
from curvewise.executors._listener import Ending, Listener


class Tasks(Listener):
    """What callbacks are told about one fit."""

    def __init__(
        self, owner: Any, X: Any, y: Any, metadata: dict[str, Any], *, n_candidates: int | None
    ) -> None:
        self._n_candidates = n_candidates
        self._stop = False
        self._told = {"estimator": owner, "X": X, "y": y, "metadata": metadata or None}
        self._ended: set[Candidate] = set()
        # scikit-learn offers it to those who make meta-estimators, under this name.
        begin = owner._init_callback_context  # noqa: SLF001
        self._root = begin(max_subtasks=1 + (owner.refit is not False))
        self._root.call_on_fit_task_begin(**self._told)

    def started(self, search: Search) -> None:
        """Tell that the search begins."""
        self._search = search
        self._task = self._root.subcontext(task_name="search", max_subtasks=self._n_candidates)
        self._task.call_on_fit_task_begin(**self._told)

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Tell of a candidate that has ended; once, also if it was revived and ended again."""
        if candidate in self._ended or not isinstance(decision, ENDS):
            return
        self._ended.add(candidate)
        task = self._task.subcontext(task_name="candidate")
        task.call_on_fit_task_begin(**self._told)
        self._stop |= task.call_on_fit_task_end(**self._told)

    def told(self, outcome: Outcome) -> None:
        """End the search if a callback has asked for it."""
        if self._stop and not self._search.done:
            self._search.stop("a callback asked for it")

    def finished(self, ending: Ending | None) -> None:
        """Tell that the search is over."""
        self._task.call_on_fit_task_end(**self._told)

    def refit(self, estimator: Any, fit: Callable[[], Any]) -> None:
        """Let the best estimator be fitted, with the callbacks that it should have."""
        task = self._root.subcontext(task_name="refit-with-best-params")
        with task.propagate_callback_context(estimator):
            task.call_on_fit_task_begin(**self._told)
            fit()
        task.call_on_fit_task_end(**self._told)

    def end_fit(self) -> None:
        """Tell that the fit is over."""
        self._root.call_on_fit_task_end(**self._told)
