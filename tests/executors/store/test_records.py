from dataclasses import fields
from typing import get_args

import numpy as np
import pytest
from hypothesis import given

from curvewise.core._decisions import Complete, Decision, Fail, Sample
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors._store.records import (
    KINDS,
    OUTCOME_COLUMNS,
    decision_of,
    decision_row,
    outcome_of,
    outcome_row,
)
from tests.executors.store.strategies import decisions, outcomes

TASK = Task("svc", 64, 0)


@given(outcomes)
def test_outcomes_survive(outcome):
    row = outcome_row(outcome)

    assert len(row) == len(OUTCOME_COLUMNS)
    assert repr(outcome_of(outcome.task, row)) == repr(outcome)


@given(decisions)
def test_decisions_survive(decision):
    assert repr(decision_of(*decision_row(decision))) == repr(decision)


def test_every_decision_and_every_field_of_an_outcome_has_its_place():
    # Predictions have a column of their own, which is read when it is asked for; losses by row are
    # not kept.
    columns = set(OUTCOME_COLUMNS) | {"task", "predictions", "row_losses"}

    assert set(KINDS.values()) == set(get_args(Decision))
    assert {field.name for kind in (Observation, Failure) for field in fields(kind)} <= columns


def test_numbers_of_numpy_are_numbers():
    observation = Observation(TASK, np.float32(0.5), seconds=np.float64(1.0), n_test=np.int64(7))
    sample = Sample(np.int64(64), ((np.int64(64), 0),), (np.float32(0.5), np.float64("nan")))

    assert outcome_of(TASK, outcome_row(observation)) == Observation(
        TASK, 0.5, seconds=1.0, n_test=7
    )
    assert repr(decision_of(*decision_row(sample))) == repr(Sample(64, ((64, 0),), (0.5, np.nan)))


def test_a_message_with_half_a_character_is_written_readably():
    row = outcome_row(Failure(TASK, Reason.ERROR, "no file \udcff"))

    assert outcome_of(TASK, row).message == r"no file \udcff"


def test_an_unknown_decision_is_refused():
    with pytest.raises(StoreError, match=r"unknown kind 'Teleport'; this curvewise knows Sample"):
        decision_of("Teleport", "{}")


@pytest.mark.parametrize("evidence", ["[]", '{"elsewhere": 1}', '{"anchor": 64}'])
def test_evidence_of_something_else_is_refused(evidence):
    with pytest.raises(StoreError, match="the evidence of a Complete"):
        decision_of("Complete", evidence)


def test_damaged_failures_and_outcomes_are_refused():
    kind, evidence = decision_row(Fail(Failure(TASK, Reason.ERROR), 1))
    row = list(outcome_row(Observation(TASK, 0.5, scores={"accuracy": 0.5})))
    scores = OUTCOME_COLUMNS.index("scores")

    with pytest.raises(StoreError, match="'boredom' is no Reason"):
        decision_of(kind, evidence.replace('"error"', '"boredom"'))
    with pytest.raises(StoreError, match="the evidence of a Fail is incomplete"):
        decision_of(kind, '{"failure": 3, "n_failures": 1}')
    with pytest.raises(StoreError, match="no outcome of the kind 'guess'"):
        outcome_of(TASK, ["guess", *row[1:]])
    with pytest.raises(StoreError, match="scores are not numbers by name"):
        outcome_of(TASK, [*row[:scores], '["accuracy"]', *row[scores + 1 :]])


def test_the_evidence_is_what_a_reader_expects():
    assert decision_row(Complete(900, 0.25, 5)) == (
        "Complete",
        '{"anchor": 900, "loss": 0.25, "n_folds": 5}',
    )
