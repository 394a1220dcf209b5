"""Under which limits a run was carried out, and whether those of now are larger.

A run may be carried out in several sittings, each with limits of its own. Rules:

1. An evaluation that met a limit is kept with the limits that it was held to. If one of them is
   larger now, the evaluation is carried out again: of time for a timeout, of memory for a shortage.
   No limit is the largest.
2. What was kept without a word about its limits stays as it is.
3. A run that is finished is over, unless a limit is larger now and a candidate was stopped, or one
   failed by losses of which nobody knows the reason (`RunStore.begin`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from curvewise.core._outcome import Failure, Outcome, Reason
from curvewise.executors._limits import Limits
from curvewise.executors._store.checked_values import LARGEST_WHOLE, damaged, shown

TIME = ("timeout_per_candidate", "timeout_per_fit")
MEMORY = ("memory_limit",)
CONCERNED = {Reason.TIMEOUT: TIME, Reason.MEMORY: MEMORY}

HeldTo = Mapping[str, float | None]


def held_to(limits: Limits | None) -> HeldTo | None:
    """Give the limits that evaluations are held to, as numbers; None if nobody said any."""
    if limits is None:
        return None
    return {
        "timeout_per_candidate": limits.timeout_per_candidate,
        "timeout_per_fit": limits.timeout_per_fit,
        "memory_limit": limits.n_bytes,
    }


def concerns(outcome: Outcome) -> bool:
    """Whether an evaluation has met a limit, so that it matters which."""
    return isinstance(outcome, Failure) and outcome.reason in CONCERNED


def is_tried_again(outcome: Outcome, then: Mapping[str, Any] | None, now: HeldTo | None) -> bool:
    """Whether a limit that an evaluation may have met is larger now (rules 1 and 2)."""
    if not isinstance(outcome, Failure):
        return False
    return are_larger(then, now, names=CONCERNED.get(outcome.reason, ()))


def are_larger(
    then: Mapping[str, Any] | None, now: HeldTo | None, *, names: Iterable[str] = (*TIME, *MEMORY)
) -> bool:
    """Whether one of some limits is larger now than it was."""
    if then is None or now is None:
        return False
    return any(_amount(now.get(name)) > _amount(then.get(name)) for name in names)


def _amount(limit: Any) -> float:
    if limit is None:
        return math.inf
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        raise damaged(f"a limit is {shown(limit)}, and should be a number.")
    if not 0 < limit <= LARGEST_WHOLE:
        raise damaged(f"a limit is {shown(limit)}, which it cannot be.")
    return float(limit)
