"""How sure the choice is."""

from math import inf, nan

from curvewise import Interval, Observation, Status
from curvewise._report.loaded_run import CandidateRecord
from curvewise._report.verdict import closest, given_up, rival_of
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Prune
from curvewise.core._outcome import Task
from curvewise.executors import StoredResult

WINNER = [0.10, 0.20, 0.15, 0.12, 0.18]


def curve(losses, name="c"):
    return LearningCurve(Observation(Task(name, 900, i), loss) for i, loss in enumerate(losses))


def against(losses, last=None):
    unknown = Interval(-inf, inf)
    result = StoredResult("rival", "", None, Status.RUNNING, nan, unknown, len(losses), 0, 1.0)
    decisions = [] if last is None else [last]
    record = CandidateRecord(1, result, curve(losses), [], decisions)
    return rival_of(curve(WINNER), record, target=900)


def dropped(chance):
    return Prune(900, 0.2, 0.1, 900, "chance", 1, gain=0.001, min_gain=0.002, chance=chance)


def test_pairing_tells_apart_what_differs_by_less_than_the_folds_do():
    rival = against([loss + 0.01 + 0.001 * i for i, loss in enumerate(WINNER)])

    assert not rival.close
    assert 0 < rival.interval.low < rival.difference


def test_a_rival_whose_interval_includes_0_is_close():
    assert against([0.12, 0.19, 0.16, 0.10, 0.19]).close


def test_few_common_folds_say_nothing_by_themselves():
    assert not against([0.10]).close
    assert against([0.10]).interval.width == float("inf")


def test_the_chance_when_it_was_dropped_decides_if_there_is_one():
    assert against([0.11], dropped(0.2)).close
    assert not against([0.11], dropped(0.01)).close


def test_close_rivals_are_shown_first():
    far, near = against([0.12]), against([0.14], dropped(0.2))

    assert closest([far, near], n=5) == [near, far]


def test_what_was_given_up_is_the_sum_of_the_gains():
    assert given_up([dropped(0.1), None, dropped(0.2)]) == 0.002
    assert given_up([None]) is None
