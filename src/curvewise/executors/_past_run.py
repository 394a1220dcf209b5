"""A run that is over, read in the place of being carried out again.

Everybody who listens hears of it as if it took place: who came, what was decided, what evaluations
gave. Nothing is evaluated, nothing is decided, and the store stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from curvewise.core._outcome import Candidate
from curvewise.core._past_search import restore
from curvewise.core._search import Search
from curvewise.executors._listener import Audience, Ending, Listener
from curvewise.executors._store.live_run import LiveRun


def read_again(
    search: Search,
    record: LiveRun,
    candidates: Callable[[Candidate], Any],
    *,
    listeners: Sequence[Listener] = (),
) -> Ending:
    """Put a search into the state in which a stored run of it ended."""
    names, outcomes, decided = record.candidates, record.outcomes(), record.decisions()
    audience = Audience(None, listeners)
    for name in names:
        # Another estimator under the same name is refused, as in a run that goes on.
        record.entered(name, candidates(name))
    restore(search, names, outcomes, decided)
    audience.tell(lambda listener: listener.started(search))
    for name in names:
        audience.tell(lambda listener, name=name: listener.entered(name, candidates(name)))  # type: ignore[misc]
    for name, decision in decided:
        audience.tell(lambda listener, what=(name, decision): listener.decided(*what))  # type: ignore[misc]
    for outcome in outcomes:
        audience.tell(lambda listener, outcome=outcome: listener.told(outcome))  # type: ignore[misc]
    audience.tell(lambda listener: listener.finished(Ending.FINISHED))
    return Ending.FINISHED
