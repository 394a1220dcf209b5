"""The recordings that are kept in the repository can be read and replayed."""

from pathlib import Path

import pytest

from curvewise import Race
from curvewise._bench.contestant import Contestant
from curvewise._bench.replays import Setting, portfolios, replay
from curvewise.executors import read_recordings

FOLDER = Path(__file__).parents[2] / "benchmarks" / "recordings"


@pytest.fixture(scope="module")
def recordings():
    return read_recordings(FOLDER)


def test_all_have_losses_by_row(recordings):
    assert len(recordings) == 11
    for recording in recordings:
        able = int(recording.finished.argmax())
        losses = recording.row_losses(able, len(recording.anchors) - 1, 0)
        assert len(recording.learners) == 60
        assert recording.n_seeds == (5 if recording.target > 10_000 else 10)
        assert losses.mean() == pytest.approx(recording.loss[able, -1, 0])


def test_all_know_what_candidates_are_worth_on_rows_set_aside(recordings):
    for recording in recordings:
        able = recording.finished

        assert (recording.truth[able] != recording.loss[able, -1].mean(axis=1)).any()


def test_comparing_by_rows_costs_less_than_assuming_chance(recordings):
    setting = Setting(n_folds=10, n_orders=1, n_learners=20)
    races = [Contestant("race", Race()), Contestant("rows", Race(by_rows=True))]
    chosen = [one for one in recordings if one.dataset in ("churn", "cmc")]

    runs = replay(portfolios(chosen, setting), races, setting)

    seconds = dict.fromkeys(("race", "rows", "k-fold"), 0.0)
    for run in runs:
        seconds[run.label] += run.cost.seconds
        seconds["k-fold"] += run.reference.seconds / len(races)
        assert run.gap < 0.01
    assert seconds["rows"] < seconds["race"] < seconds["k-fold"]
