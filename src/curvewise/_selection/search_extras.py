"""What a search is given besides its parameters, by those who build on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curvewise.executors._listener import Listener


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchExtras:
    """Who listens to a search, what its store is told, and how it ends.

    ``notes`` are for readers of the store; ``describe`` takes a candidate's estimator and says what
    else the store should know of it. With ``survives_interrupt`` the best so far is taken after
    Ctrl-C, if there is any. ``refit_threads`` bounds the threads of the final fit.
    """

    listeners: tuple[Listener, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    describe: Callable[[Any], Mapping[str, Any]] | None = None
    survives_interrupt: bool = False
    refit_threads: int | None = None
