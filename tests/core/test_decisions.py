"""Every kind of decision says what happened, in scores."""

import pytest

from curvewise import Failure, Reason, Scale, Task
from curvewise.core._decisions import (
    Advance,
    Complete,
    Fail,
    Hold,
    Lead,
    Prune,
    Repair,
    Revive,
    Sample,
    Skip,
    Stop,
)

WANTS = ((256, 3),)


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        (Sample(256, WANTS), "evaluated 1 fold at 256 rows"),
        (Sample(256, WANTS, (), 0.2, 0.1), "the interval was 0.2 wide, wanted 0.1"),
        (Repair(128, WANTS, (), 256, 0.05), "went back to 128 rows: no convex curve fits"),
        (Advance(512, WANTS, (), 0.1, 0.2), "could still reach 0.9, to beat 0.8"),
        (Skip(9000, WANTS, (), "first"), "straight to 9,000 rows: nothing to beat yet"),
        (Skip(9000, WANTS, (), "ipl", 0.1, 0.2), "expected 0.9 (ipl), to beat 0.8"),
        (Hold(), "waits for the others"),
        (Lead(0.1, 1), "takes the lead with 0.9 on 1 fold"),
        (Lead(0.1, 2, 0.2), "on 2 folds, against 0.8"),
        (
            Prune(256, 0.12, 0.09, 9000, "bound", 3),
            "pruned at 256 rows: at best 0.88 at 9,000, to beat 0.91",
        ),
        (
            Prune(900, 0.12, 0.09, 900, "expected gain", 2, 1e-5, 2e-4, 0.01),
            "0.88 against 0.91, a chance of 0.01 to win, expected to gain 1e-05 where 0.0002",
        ),
        (Complete(900, 0.1, 5), "completed: 0.9 on 5 folds of 900 rows"),
        (Stop("timeout", 0.1, "the last anchor"), "stopped (timeout): 0.9 from the last anchor"),
        (Stop("timeout", float("nan")), "stopped (timeout) before any result"),
        (
            Fail(Failure(Task("a", 900, 0), Reason.ERROR, "singular matrix"), 1),
            "failed at 900 rows: singular matrix",
        ),
        (Fail(Failure(Task("a", 900, 0), Reason.LOST), 3), "failed at 900 rows: lost"),
        (Revive("a"), "revived: a, against which it was pruned, gave no result"),
    ],
)
def test_a_decision_explains_itself(decision, sentence):
    assert sentence in decision.explain(Scale())
