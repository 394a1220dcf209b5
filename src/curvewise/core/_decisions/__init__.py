"""Decisions: what a policy says about one candidate, each with its evidence.

A candidate's trace is the list of decisions that were carried out. Explanations, logs, reports and
tests all read the same facts.

::

    goes on   Sample   more folds at this anchor
              Repair   the curve is not convex yet: one more fold where it bends
              Advance  to the next anchor
              Skip     straight to the target
    waits     Hold     until others have answered
    leads     Lead     this candidate is the one to beat, before it is complete
    revives   Revive   the leader that pruned it has failed
    ends      Prune    cannot win, or finishing it is not worth its cost
              Complete it has its score
              Stop     a limit was met, or the search was stopped: a partial result
              Fail     no result

Decisions that go on carry the evaluations they want (``wants``: pairs of anchor and fold) and a
``priority``: the search serves the smallest first.
"""

from __future__ import annotations

from curvewise.core._decisions.ends import IN_WORDS, Complete, Fail, Prune, Stop
from curvewise.core._decisions.places import Lead, Revive
from curvewise.core._decisions.steps import (
    Advance,
    Hold,
    Priority,
    Repair,
    Sample,
    Skip,
    Wants,
)

__all__ = [
    "ENDS",
    "IN_WORDS",
    "STEPS",
    "WAITS",
    "Advance",
    "Complete",
    "Decision",
    "End",
    "Fail",
    "Hold",
    "Lead",
    "Priority",
    "Prune",
    "Repair",
    "Revive",
    "Sample",
    "Skip",
    "Step",
    "Stop",
    "Wants",
]

Step = Sample | Repair | Advance | Skip
End = Prune | Complete | Stop | Fail
# The same as tuples: looking a type up in a union takes ten times as long.
STEPS = (Sample, Repair, Advance, Skip)
ENDS = (Prune, Complete, Stop, Fail)
WAITS = (*STEPS, Hold)
Decision = Step | Hold | Lead | Revive | End
