"""What a search may take: seconds of each candidate and of all together, and memory.

Who keeps which: the loop the ``time_budget``, ``core/_time_limit.py`` and the loop together what is
left to a candidate, ``_workers/supervised_worker.py`` the seconds of an evaluation and the memory
of all its processes, and ``_workers/memory.py`` the memory, inside the worker. What a limit ended
is a `Failure` with its `Reason`. A new limit is a field here, a parameter of the faces
(``_selection/search_cv.py``, the estimators of `curvewise.automl`) and an option in
``_cli/options.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curvewise.core._checks import real_number
from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError

SECONDS = ("time_budget", "timeout_per_candidate", "timeout_per_fit")
MOST_BYTES = 2**60
UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
MEMORY = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([KMGT]?)(I?)B?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All limits of a search; checked when it is made.

    Parameters
    ----------
    time_budget
        Seconds for the whole search; None for no limit.
    timeout_per_candidate
        Seconds for all evaluations of a candidate together; None for no limit.
    timeout_per_fit
        Seconds for each evaluation; None for no limit.
    memory_limit
        What an evaluation may claim: bytes, or text such as ``"4GB"``; None for no limit.
    foresee
        Whether candidates are stopped that cannot finish within their time, before it is up.

    Raises
    ------
    InvalidParameterError
        If one of them is no positive number, or no amount of memory.

    Examples
    --------
    >>> limits = Limits(timeout_per_candidate=60, memory_limit="2GB")
    >>> limits.timed, limits.n_bytes
    (True, 2000000000)
    >>> limits.per_candidate
    TimeLimit(per_candidate=60, per_fit=None, foresee=True)
    """

    time_budget: float | None = None
    timeout_per_candidate: float | None = None
    timeout_per_fit: float | None = None
    memory_limit: int | str | None = None
    foresee: bool = True

    def __post_init__(self) -> None:
        for name in SECONDS:
            seconds = getattr(self, name)
            if seconds is not None:
                real_number(name, seconds, above=0)
        if self.memory_limit is not None:
            parse_memory(self.memory_limit)

    @property
    def per_candidate(self) -> TimeLimit:
        """The limits that a search itself knows of."""
        return TimeLimit(self.timeout_per_candidate, self.timeout_per_fit, foresee=self.foresee)

    @property
    def timed(self) -> bool:
        """Whether an executor has to keep seconds."""
        return any(getattr(self, name) is not None for name in SECONDS)

    @property
    def n_bytes(self) -> int | None:
        """The limit of memory in bytes; None for no limit."""
        return None if self.memory_limit is None else parse_memory(self.memory_limit)


def parse_memory(limit: int | str) -> int:
    """Turn an amount of memory, such as ``"1.5 GiB"``, into bytes."""
    n_bytes = 0
    if isinstance(limit, str):
        match = MEMORY.fullmatch(limit)
        if match is not None:
            number, prefix, binary = match.groups()
            n_bytes = int(float(number) * (1024 if binary else 1000) ** UNITS[prefix.upper()])
    elif not isinstance(limit, bool) and isinstance(limit, int):
        n_bytes = limit
    if n_bytes < 1:
        raise InvalidParameterError(
            f"memory_limit must be a positive number of bytes or text such as '4GB' or '500MiB', "
            f"got {limit!r}."
        )
    # More than any machine has is no limit, and must not be more than the system can count.
    return min(n_bytes, MOST_BYTES)
