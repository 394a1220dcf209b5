"""Known candidates that are validated together, outside of a search: for `validate` and `compare`.

What their results need for a report is remembered: the order of outcomes, the time by the clock,
what the user has set, and what each candidate is made of.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from curvewise._selection.candidates import Candidates
from curvewise._selection.experiment import Experiment
from curvewise._selection.remembered_run import Remembered, RememberedResults, made_of
from curvewise._selection.run_notes import CLOCK, GIVEN, given_for_readers
from curvewise._selection.search_listeners import LeaderList
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy
from curvewise.core._result import ValidationResult
from curvewise.executors._execution import Execution
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending


class _Followed(LeaderList):
    """Notes also how it ended."""

    ending = Ending.FINISHED

    def finished(self, ending: Ending | None) -> None:
        """Note how it ended."""
        self.ending = ending or Ending.FINISHED


def validate_known(
    experiment: Experiment,
    candidates: Candidates,
    *,
    execution: Execution,
    limits: Limits,
    scoring: Any,
    seed: Any,
    policy: Policy | None = None,
    **terms: Any,
) -> tuple[list[ValidationResult], RememberedResults]:
    """Validate all candidates (further terms are `Experiment.search`'s), and remember the run."""
    begun, followed, policy = monotonic(), _Followed(), policy or Race()
    results = experiment.results_of(
        candidates,
        execution=execution,
        limits=limits,
        listeners=[followed],
        policy=policy,
        **terms,
    )
    given = given_for_readers(
        experiment,
        candidates.first(),
        scoring=scoring,
        execution=execution,
        seed=seed,
        budget=limits.time_budget,
    )
    kept = Remembered.of(
        experiment,
        policy,
        told=followed.tasks,
        notes={GIVEN: given, CLOCK: {"seconds": monotonic() - begun}},
        ending=followed.ending,
    )
    names = [result.candidate for result in results]
    estimators = {name: candidates[name] for name in names}
    return results, RememberedResults(kept, {name: made_of(estimators, name) for name in names})
