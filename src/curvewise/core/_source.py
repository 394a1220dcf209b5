"""Where candidates come from: a list that is known in advance, or an iterator, and late additions.

An iterator may be endless: it is drawn from only when somebody wants to know whether another
candidate waits.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sized
from itertools import islice

from curvewise.core._outcome import Candidate
from curvewise.errors import InvalidParameterError


class Source:
    """Candidates that have not entered the search yet."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.n_listed = _count_listed(candidates)
        self._candidates = iter(candidates)
        self._next: deque[Candidate] = deque()

    def __bool__(self) -> bool:
        """Whether another candidate waits; draws it to know."""
        if not self._next:
            self._next.extend(islice(self._candidates, 1))
        return bool(self._next)

    def __contains__(self, candidate: Candidate) -> bool:
        return candidate in self._next

    def add(self, candidate: Candidate) -> None:
        """Bring in one more candidate."""
        self._next.append(candidate)

    def draw(self) -> Candidate:
        """Take the next candidate; there must be one, as its truth value says."""
        return self._next.popleft()


def _count_listed(candidates: Iterable[Candidate]) -> int | None:
    """Count candidates that are known in advance, and refuse those that are listed twice."""
    if not isinstance(candidates, Sized):
        return None
    try:
        n_different = len(set(candidates))
    except TypeError:
        raise InvalidParameterError("Candidates must be hashable names.") from None
    if n_different < len(candidates):
        twice = next(name for name, n in Counter(candidates).items() if n > 1)
        raise InvalidParameterError(f"The candidate {twice!r} is listed twice.")
    return len(candidates)
