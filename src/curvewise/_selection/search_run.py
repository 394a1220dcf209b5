"""One run of a `CurveSearchCV`: with its store, and with all who listen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from curvewise._selection.candidates import Candidates
from curvewise._selection.experiment import Experiment
from curvewise._selection.listeners import FirstFailure, LeaderList
from curvewise._selection.search_extras import SearchExtras
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._policy import Policy
from curvewise.core._search import Search
from curvewise.executors import LiveRun, RunStore
from curvewise.executors._execution import Execution
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._resource_limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """How a search is to be run; ``run`` is its name in the store."""

    policy: Policy | None
    limits: Limits
    execution: Execution
    store: str | Path | None
    run: str | None
    extras: SearchExtras
    raise_errors: bool


class SearchRun(NamedTuple):
    """What came of a run."""

    search: Search
    ending: Ending
    leaders: list[LeaderChange]


def carry_out(
    experiment: Experiment,
    candidates: Candidates,
    terms: RunTerms,
    *,
    listeners: Sequence[Listener],
) -> SearchRun:
    """Carry a search out."""
    leaders = LeaderList()
    heard_by = [leaders, *listeners, *terms.extras.listeners]
    if terms.raise_errors:
        heard_by.append(FirstFailure())
    # Within a budget one by one: each is compared with a complete leader, and there is one in time.
    one_by_one = terms.limits.time_budget is not None
    search = experiment.search(
        iter(candidates.names) if one_by_one else candidates.names,
        policy=terms.policy,
        limits=terms.limits,
        count_rows=terms.execution.deterministic,
    )
    with _opened(experiment, terms) as record:
        ending = experiment.run(
            search,
            candidates.__getitem__,
            execution=terms.execution,
            limits=terms.limits,
            record=record,
            listeners=heard_by,
            raise_errors=terms.raise_errors,
        )
    return SearchRun(search, ending, leaders.changes)


@contextmanager
def _opened(experiment: Experiment, terms: RunTerms) -> Iterator[LiveRun | None]:
    """Open the run in the store, if there is one, and write down what its readers should know."""
    if terms.store is None:
        yield None
        return
    with RunStore.open(terms.store) as store:
        run = experiment.open_run(
            store, name=terms.run, policy=terms.policy, describe=terms.extras.describe
        )
        for key, value in terms.extras.notes.items():
            run.note(key, value)
        yield run
