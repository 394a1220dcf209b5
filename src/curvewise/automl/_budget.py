"""What a budget of seconds means for a search over pipelines: one rule each, all in one place.

1. Everything counts, the final fits and learning curves included: what they will take is foreseen
   and set aside.
2. No pipeline gets more than a share of it.
3. Boosters have as many rounds as there is time for. Where there is time for many times as many,
   the best are also tried as the mean of several, each with a seed of its own.
4. On tables where a fit takes long, a search looks around first, and races then.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from curvewise._evaluation.rows import n_rows
from curvewise._selection.learning_curves import SHARE
from curvewise._selection.refit import final_seconds
from curvewise.automl._default_model import seconds_for_default
from curvewise.automl._ensemble_selection import MOST_MEMBERS
from curvewise.automl._space.parameters import Constant
from curvewise.automl._space.search_space import SearchSpace
from curvewise.core._search import Search
from curvewise.executors._execution import resolve_n_jobs

# How many rows times trees may be fitted in a second of a budget: a booster then takes about a
# fiftieth of it. There are always enough rounds for a quick learning rate.
TREE_ROWS = 100_000
FEWEST_ROUNDS, MOST_ROUNDS = 60, 1000
# Means of several models are tried where there would be time for so many rounds.
ROUNDS_FOR_MEANS = 2000
# The share of a budget in which new candidates go first, and what the leader's folds may take more
# than they took so far.
EXPLORED = 0.5
MARGIN = 1.5
# Seconds beyond the budget in which a first result may still come.
GRACE = 5.0
# The share of the time budget that one pipeline may take, and how many of its folds count as fitted
# at once.
LARGEST_SHARE = 0.4
MOST_AT_ONCE = 4
# What a curve at halves of the rows takes, in k-fold validations of its candidate: on a small table
# half of the rows take more than half of the time.
CURVE_COST = 2.0
# What shuffling the columns of one fold's test rows takes, in fits on all rows.
IMPORTANCE_COST = 1.5
# What comes between a search and the default model besides the final fit: ending what is under way,
# handing rows over, judging predictions. At most so many seconds, and such a share of the budget.
HANDOVER_SECONDS = 1.0
HANDOVER_SHARE = 1 / 50
# What choosing the members of an ensemble takes, about.
SELECTION_SECONDS = 2.0


def longest_candidate(seconds: float, *, n_jobs: int) -> float:
    """Say how many seconds of fits one pipeline may take (rule 2)."""
    return LARGEST_SHARE * seconds * min(n_jobs, MOST_AT_ONCE)


def with_rounds_for(space: Any, y: Any, *, task: str, seconds: float) -> Any:
    """Let boosters of a space have as many rounds as there is time for, in seconds of all cores.

    On many rows a slow learning rate has no chance in a short time, and would keep others from
    theirs: where rounds are few, quick ones win.
    """
    if not isinstance(space, SearchSpace):
        return space
    most = {"max_rounds": Constant(most_rounds(y, task=task, seconds=seconds))}
    slots = [
        replace(
            slot,
            components=[
                replace(one, parameters={**one.parameters, **most}) if one.rounds else one
                for one in slot.components
            ],
        )
        for slot in space.slots
    ]
    return replace(space, slots=slots)


def most_rounds(y: Any, *, task: str, seconds: float) -> int:
    """Say how many rounds a booster may have in a search of so many seconds of all cores."""
    rounds = _affordable_rounds(y, task=task, seconds=seconds)
    return min(max(rounds, FEWEST_ROUNDS), MOST_ROUNDS)


def has_time_for_means(y: Any, *, task: str, seconds: float) -> bool:
    """Whether the best are also to be tried as means of several, in seconds of all cores."""
    return _affordable_rounds(y, task=task, seconds=seconds) >= ROUNDS_FOR_MEANS


def _affordable_rounds(y: Any, *, task: str, seconds: float) -> int:
    """Say for how many rounds of one booster a fiftieth of the seconds is enough, about."""
    n_trees = 1
    if task == "classification":
        n_classes = len(np.unique(np.asarray(y)))
        n_trees = n_classes if n_classes > 2 else 1
    return int(TREE_ROWS * seconds / (n_rows(y) * n_trees))


def timing(automl: Any, n: int, *, begun: float, afterwards: float) -> dict[str, Any]:
    """Give what keeps the budget of a search on so many rows; nothing if there is none."""
    seconds, n_jobs = automl.time_budget, resolve_n_jobs(automl.n_jobs)
    if seconds is None:
        return {}
    deadline, n_fits = begun + seconds - afterwards, 1.0
    if automl.default_model:
        afterwards += seconds_for_default(seconds) + min(HANDOVER_SECONDS, HANDOVER_SHARE * seconds)
    if automl.ensemble:
        afterwards += SELECTION_SECONDS
        n_fits += (MOST_MEMBERS - 1) / min(n_jobs, MOST_MEMBERS - 1)
    return {
        "begun": begun,
        "reserve": partial(
            seconds_after,
            n_rows=n,
            afterwards=afterwards,
            n_fits=n_fits,
            curve_since=begun if automl.learning_curve else None,
            importance_since=begun if automl.importance else None,
            n_jobs=n_jobs,
        ),
        "explore": partial(keeps_exploring, seconds=seconds, n_jobs=n_jobs),
        "deadline": deadline,
    }


def seconds_after(
    search: Search,
    *,
    n_rows: int,
    afterwards: float = 0.0,
    n_fits: float = 1.0,
    curve_since: float | None = None,
    importance_since: float | None = None,
    n_jobs: int = 1,
) -> float:
    """Foresee what comes after a search: fitting who leads now on all rows, and what follows.

    Where others are fitted as well, it is so many times the fit of the leader. Its learning curve
    takes about twice as long as its folds did, and at most a share of the time since the search
    began. What its columns are worth takes a fit and a half, and at most half of that share.

    While nothing is known of any candidate, there is nothing to fit: the search may then take a few
    seconds more than its budget, because a late answer is better than none.
    """
    portfolio = search.portfolio
    if not any(one.curve.anchors for one in portfolio.contenders.values()):
        return -GRACE
    leader = portfolio.leader
    if leader is None or leader.curve is None or not leader.curve.anchors:
        return afterwards
    seconds = final_seconds(leader.curve, target=portfolio.target, n_rows=n_rows)
    curve = 0.0
    if curve_since is not None:
        longest = SHARE * max(0.0, monotonic() - curve_since)
        curve = min(longest, CURVE_COST * portfolio.n_folds * seconds / n_jobs)
    importance = 0.0
    if importance_since is not None:
        longest = SHARE / 2 * max(0.0, monotonic() - importance_since)
        importance = min(longest, IMPORTANCE_COST * seconds)
    return afterwards + n_fits * seconds + curve + importance


def keeps_exploring(search: Search, left: float, *, seconds: float, n_jobs: int) -> bool:
    """Whether a search within a budget goes on looking at new candidates, each on one fold.

    It does on tables where a fold takes long, in the first half of its time. Then the leader gets
    all its folds, and who is close to it. If there is time for a whole candidate after that, it
    looks around again.
    """
    portfolio = search.portfolio
    if not portfolio.schedule.inner:
        return False
    leader, target = portfolio.leader, portfolio.target
    if leader is None or leader.curve is None or not leader.curve.n(target):
        return left > (1 - EXPLORED) * seconds
    rounds = math.ceil(portfolio.n_folds / n_jobs)
    enough = left > MARGIN * rounds * leader.curve.seconds(target)
    settled = leader.complete and not any(
        one.alive and one.curve.n(target) for one in portfolio.contenders.values()
    )
    return enough and (settled or left > (1 - EXPLORED) * seconds)
