"""Whether a search of a store is only to be read: it has ended, and nothing more is asked for."""

from __future__ import annotations

from curvewise._selection.candidates import Candidates
from curvewise.core._portfolio import Status
from curvewise.executors import LiveRun


def is_over(record: LiveRun, candidates: Candidates, *, n_iter: int | None) -> bool:
    """Whether a run has ended with the candidates that are asked for."""
    if not record.over or any(one.status is Status.RUNNING for one in record.results()):
        return False
    stored = record.candidates
    n_asked = candidates.n_known if candidates.known else n_iter
    if n_asked is not None and n_asked != len(stored):
        return False
    return set(candidates.look_ahead(len(stored))) == set(stored)
