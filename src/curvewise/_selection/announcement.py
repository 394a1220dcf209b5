"""Telling those who listen that a fit is over: with everything it has found, or with an error.

A run is told of by `curvewise.executors.run`; what comes after it (the choice, the final fit, an
ensemble) is known only to the estimator that was fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from curvewise.executors._listener import Audience, Listener


@contextmanager
def announced(estimator: Any, X: Any, y: Any, *, listeners: Sequence[Listener]) -> Iterator[None]:
    """Tell listeners how a fit ended; what ended it with an error goes through."""
    audience = Audience(None, listeners)
    try:
        yield
    except BaseException as error:
        reason = error
        audience.tell(lambda listener: listener.failed(reason))
        raise
    audience.tell(lambda listener: listener.fitted(estimator, X, y))
