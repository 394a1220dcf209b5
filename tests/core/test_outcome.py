import math

import pytest

from curvewise import Failure, Observation, Reason, Task
from curvewise.core.outcome import as_outcome

TASK = Task("a", 64, 0)


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
def test_a_loss_that_is_no_finite_number_is_a_failure(loss):
    outcome = as_outcome(Observation(TASK, loss, seconds=2.0))

    assert isinstance(outcome, Failure)
    assert outcome.reason is Reason.ERROR
    assert outcome.seconds == 2.0
    assert str(loss) in outcome.message


def test_other_outcomes_stay_as_they_are():
    for outcome in (Observation(TASK, 0.5), Failure(TASK, Reason.TIMEOUT)):
        assert as_outcome(outcome) is outcome
