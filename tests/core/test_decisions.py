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
            "after 2 folds (not worth its time): 0.88, to beat 0.91; finishing it was expected to "
            "gain 1e-05, and would be worth its time from 0.0002 on",
        ),
        (
            Prune(900, 0.12, 0.09, 900, "signed rank", 5, chance=0.03),
            "(behind on nearly all folds): 0.88, to beat 0.91; p = 0.03 in the signed-rank test",
        ),
        (
            Prune(225, 0.29, 0.07, 900, "behind at the same anchor", 1),
            "pruned at 225 rows after 1 fold (too far behind): 0.71, to beat 0.93 at the same size",
        ),
        (Prune(225, 0.2, 0.1, 900, "mine", 1), "(mine): 0.8, to beat 0.9"),
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


def test_only_the_evidence_of_the_rule_that_decided_is_told():
    evidence = {"gain": 5.1e-4, "min_gain": 2.3e-4, "chance": 0.021}
    sentence = Prune(900, 0.12, 0.09, 900, "chance", 1, **evidence).explain(Scale())

    assert sentence.endswith("0.88, to beat 0.91; its chance to win was 2.1%")
    assert "gain" not in sentence
