"""When failures end a candidate. The same for every policy, and looked at before it.

1. A timeout or a memory limit at any anchor stops the candidate: larger anchors would need more.
2. An error at the target fails it: its k-fold score does not exist.
3. An error at an inner anchor skips that anchor (a class with one member, no feature left). Two
   such anchors of at least 32 rows, with no success anywhere, fail it.
4. Once a failure has ended a candidate, none of its evaluations is handed out any more. Those under
   way may still answer; then it ends. So the order in which they answer changes nothing.
5. A lost task (its worker died) is asked for again, at most twice per candidate: a third loss
   fails it. A cancelled task that still matters is asked for again, always.
"""

from __future__ import annotations

from curvewise.core._decisions import Fail, Stop
from curvewise.core._outcome import Reason
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Contender, Portfolio

# A worker may die by accident twice (memory taken by others, a machine that goes down); a candidate
# that loses three workers kills them.
MAX_LOST = 2
# Smaller anchors may fail for want of rows: a class with one member, no feature left.
MIN_ROWS = 32
# One larger anchor may fail for the same reason; two, without any success, do not by accident.
MAX_FAILED_ANCHORS = 2


def verdict(policy: Policy, portfolio: Portfolio, contender: Contender) -> Stop | Fail | None:
    """End a candidate because of its failures, or give None.

    Of several failures the one at the smallest anchor and fold is named, whichever came first.
    """
    if not contender.failures:
        return None
    failures = sorted(contender.failures, key=lambda failure: failure.task[1:])
    for failure in failures:
        if failure.reason in (Reason.TIMEOUT, Reason.MEMORY):
            return policy.estimate(portfolio, contender).stop(failure.reason.value)
    errors = [failure for failure in failures if failure.reason is Reason.ERROR]
    lost = [failure for failure in failures if failure.reason is Reason.LOST]
    at_target = [failure for failure in errors if failure.task.anchor == portfolio.target]
    anchors = {failure.task.anchor for failure in errors if failure.task.anchor >= MIN_ROWS}
    if at_target:
        return Fail(at_target[0], len(failures))
    if len(anchors) >= MAX_FAILED_ANCHORS and not len(contender.curve):
        return Fail(errors[0], len(failures))
    if len(lost) > MAX_LOST:
        return Fail(lost[0], len(failures))
    return None
