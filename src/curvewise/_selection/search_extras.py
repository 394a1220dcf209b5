"""What a search is given besides its parameters, by those who build on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curvewise.executors._listener import Listener


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchExtras:
    """Who listens to a search, what its store is told, and how it ends.

    Parameters
    ----------
    listeners
        Who hears of what happens.
    notes
        What readers of the run's store should know of it.
    describe
        Takes a candidate's estimator and says what else the store should know of it.
    survives_interrupt
        Whether the best so far is taken after Ctrl-C, if there is any.
    refit_threads
        How many threads the final fit may use; None for no bound.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.svm import SVC
    >>> extras = cw.SearchExtras(notes={"data": "from March"}, survives_interrupt=True)
    >>> search = cw.CurveSearchCV(SVC(), {"C": [1, 10]}).equip(extras)
    """

    listeners: tuple[Listener, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    describe: Callable[[Any], Mapping[str, Any]] | None = None
    survives_interrupt: bool = False
    refit_threads: int | None = None
