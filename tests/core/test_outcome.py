import math

import numpy as np
import pytest

from curvewise import Failure, InvalidParameterError, KFoldCV, Observation, Reason, Search, Task
from curvewise.core._outcome import as_outcome

TASK = Task("a", 64, 0)


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf, 1e155, -1e308])
def test_a_loss_that_cannot_be_compared_is_a_failure(loss):
    outcome = as_outcome(Observation(TASK, loss, seconds=2.0))

    assert isinstance(outcome, Failure)
    assert outcome.reason is Reason.ERROR
    assert outcome.seconds == 2.0
    assert str(loss) in outcome.message


def test_losses_by_row_are_beside_the_point():
    plain = Observation(TASK, 0.5)
    with_rows = Observation(TASK, 0.5, row_losses=np.array([True, False]))

    assert plain == with_rows
    assert hash(plain) == hash(with_rows)
    assert repr(plain) == repr(with_rows)
    assert as_outcome(with_rows) is with_rows


def test_other_outcomes_stay_as_they_are():
    for outcome in (Observation(TASK, 0.5), Failure(TASK, Reason.TIMEOUT)):
        assert as_outcome(outcome) is outcome


@pytest.mark.parametrize(
    "outcome",
    [
        Observation(TASK, None),
        Observation(TASK, "0.1"),
        Observation(TASK, 0.1, seconds=-1),
        Observation(TASK, 0.1, seconds=math.nan),
        Observation(TASK, 0.1, n_test=-5),
        Observation(TASK, 0.1, noise=-1.0),
        Failure(TASK, Reason.ERROR, seconds=math.inf),
    ],
)
def test_impossible_outcomes_are_refused_before_they_do_harm(outcome):
    search = Search(["a"], schedule=64, policy=KFoldCV(), n_folds=1)
    (task,) = search.ask()
    assert task == TASK
    with pytest.raises(InvalidParameterError):
        search.tell(outcome)

    assert search.tell(Observation(task, 0.1))
    assert search.best.loss == 0.1


def test_a_failure_needs_a_reason():
    with pytest.raises(InvalidParameterError, match="must be a Reason, got 'boom'"):
        Failure(Task("a", 64, 0), "boom")
