"""How sure the choice is, as a report says it."""

from itertools import product
from math import inf, nan

import pytest

from curvewise import Interval, Observation, Status
from curvewise._report.loaded_run import CandidateRecord, read
from curvewise._report.report_facts import facts_of
from curvewise._report.verdict import Rival, answer_of, closest, given_up
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Prune
from curvewise.core._difference import difference_of
from curvewise.core._outcome import Task
from curvewise.core._scale import Scale
from curvewise.executors import RunStatus, StoredResult
from tests.report.samples import search_on, stored

WINNER = [0.10, 0.20, 0.15, 0.12, 0.18]


def curve(losses, name="c"):
    return LearningCurve(
        Observation(Task(name, 900, i), loss, n_test=500) for i, loss in enumerate(losses)
    )


def against(losses, place=1):
    compared = difference_of(curve(losses), curve(WINNER), target=900, scale=Scale())
    return Rival(place, compared)


def dropped(chance):
    return Prune(900, 0.2, 0.1, 900, "chance", 1, gain=0.001, min_gain=0.002, chance=chance)


def record(place, losses, status):
    result = StoredResult(
        f"c{place}",
        "",
        None,
        status,
        sum(losses) / len(losses) if status is Status.COMPLETED else nan,
        Interval(-inf, inf),
        len(losses),
        0,
        1.0,
    )
    return CandidateRecord(place, result, curve(losses, f"c{place}"), [], [])


@pytest.fixture
def reading(tmp_path):
    """A reading of a run to be filled with candidates of one's own."""
    from dataclasses import replace

    with stored(tmp_path / "run.db", target=900) as run:
        empty = read(run)

    def fill(winner, rival, *, status=RunStatus.FINISHED):
        records = [
            record(0, winner, Status.COMPLETED),
            record(1, rival, Status.COMPLETED if len(rival) == len(winner) else Status.PRUNED),
        ]
        outcomes = [cell for each in records for cell in each.curve]
        summary = replace(empty.summary, status=status, best="c0", n_candidates=2)
        return replace(empty, records=records, outcomes=outcomes, summary=summary)

    return fill


@pytest.mark.parametrize("n_winner", [1, 2, 3, 5, 10])
def test_words_and_numbers_never_contradict(reading, n_winner):
    for n_rival, difference, spread in product(
        range(1, n_winner + 1), (0.0, 0.0005, 0.005, 0.05, 0.3), (0.0, 0.001, 0.02)
    ):
        winner = [0.15 + spread * (-1) ** i for i in range(n_winner)]
        rival = [0.15 + difference + spread * (-1) ** (i // 2) for i in range(n_rival)]
        if sum(rival) / n_rival < sum(winner) / n_winner:
            continue
        answer = answer_of(reading(winner, rival), [])
        words, (shown,) = answer["certainty"], answer["rivals"]
        case = (n_rival, difference, spread, words, shown)

        assert shown["low"] < shown["difference"] < shown["high"], case
        assert ("is clear" in words) <= (n_winner > 1), case
        assert ("is clear" in words) <= (shown["high"] < 0), case
        assert ("is clear" in words) <= (shown["chance"] <= 0.025), case
        if n_winner > 1:
            assert ("close call" in words) == shown["close"], case
        if shown["difference"] == 0:
            assert shown["close"], case
            assert shown["chance"] == pytest.approx(0.5), case


def test_a_run_that_its_budget_ended_says_so(reading):
    ended = answer_of(reading(WINNER, WINNER, status=RunStatus.OUT_OF_TIME), [])

    assert ended["certainty"].startswith("The budget of time ended the search.")


def test_the_answer_of_a_race_is_what_the_certainty_says(tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(60))
        answer = facts_of(run)["answer"]

    chances = [each["chance"] for each in answer["rivals"]]
    assert chances == sorted(chances, reverse=True)
    assert answer["n_close"] == sum(each["close"] for each in answer["rivals"]) or (
        answer["n_close"] > 6
    )


def test_close_rivals_are_shown_first():
    far, near = against([0.3]), against([0.101], 2)

    assert closest([far, near, Rival(3, None)], n=5) == [near, far]


def test_what_was_given_up_is_the_sum_of_the_gains():
    assert given_up([dropped(0.1), None, dropped(0.2)]) == 0.002
    assert given_up([None]) is None
