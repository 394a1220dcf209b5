"""Where the time went: the seconds of all evaluations, seen from four sides.

By what became of the candidate, by algorithm, by anchor, and by what the evaluation came to. Each
side adds up to the same total.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from curvewise.core._outcome import Candidate, Observation, Outcome

Group = TypeVar("Group", bound=Hashable)

SCORED = "scored"


def where_time_went(
    outcomes: Sequence[Outcome],
    *,
    algorithm_of: Callable[[Candidate], str],
    fate_of: Callable[[Candidate], str],
) -> dict[str, list[dict[str, Any]]]:
    """Add the seconds up by fate, algorithm, anchor and kind of outcome.

    Examples
    --------
    >>> from curvewise.core._outcome import Task
    >>> outcomes = [Observation(Task("svc", 64, fold), 0.1, seconds=1.5) for fold in range(2)]
    >>> sides = where_time_went(outcomes, algorithm_of=str.upper, fate_of=lambda _: "winner")
    >>> sides["algorithm"]
    [{'name': 'SVC', 'seconds': 3.0, 'n_fits': 2, 'n_candidates': 1}]
    >>> sides["anchor"][0]["name"]
    64
    """
    sides = {
        "fate": _groups(outcomes, lambda outcome: fate_of(outcome.task.candidate)),
        "algorithm": _groups(outcomes, lambda outcome: algorithm_of(outcome.task.candidate)),
        "outcome": _groups(outcomes, kind_of),
    }
    for side in sides.values():
        side.sort(key=lambda group: -group["seconds"])
    anchors = _groups(outcomes, lambda outcome: outcome.task.anchor)
    return {**sides, "anchor": sorted(anchors, key=lambda group: group["name"])}


def kind_of(outcome: Outcome) -> str:
    """Say in a word what an evaluation came to: scored, or the reason of its failure."""
    return SCORED if isinstance(outcome, Observation) else outcome.reason.value


def _groups(
    outcomes: Iterable[Outcome], group_of: Callable[[Outcome], Group]
) -> list[dict[str, Any]]:
    members: defaultdict[Group, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        members[group_of(outcome)].append(outcome)
    return [
        {
            "name": name,
            "seconds": math.fsum(outcome.seconds for outcome in group),
            "n_fits": len(group),
            "n_candidates": len({outcome.task.candidate for outcome in group}),
        }
        for name, group in members.items()
    ]
