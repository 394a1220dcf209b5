import numpy as np
import pytest

from curvewise._bench.contestant import parse_contestants
from curvewise._bench.replay_summary import summarise
from curvewise._bench.replays import Setting, enlarge, portfolios, replay
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._recordings import read_recordings
from tests.recording import rows, write

SETTING = Setting(n_folds=5, n_orders=3)
ALL = "kfold,lccv,adaptive,race,race-stream,wilcoxon,halving,hyperband"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    path = write(tmp_path_factory.mktemp("curves") / "curves.parquet", rows())
    return portfolios(read_recordings(path), SETTING)


def test_k_fold_costs_what_its_folds_cost(recordings):
    for run in replay(recordings, parse_contestants("kfold"), SETTING):
        recording = next(r for r in recordings if r.dataset == run.dataset)

        assert run.cost == run.reference
        assert run.cost.seconds == pytest.approx(5 * recording.seconds[:, -1, 0].sum())
        assert run.cost.rows == 6 * 5 * 600
        assert run.gap == 0


def test_every_policy_meets_the_same_runs_and_ends_with_a_winner(recordings):
    runs = replay(recordings, parse_contestants(ALL), SETTING)

    assert len(runs) == 8 * 2 * 3
    by_run = {}
    for run in runs:
        by_run.setdefault((run.dataset, run.order), set()).add(run.reference)
        assert run.n_folds_winner >= 3
    assert all(len(references) == 1 for references in by_run.values())


def test_any_number_of_jobs_gives_the_same_runs(recordings):
    contestants = parse_contestants("lccv,race")
    done = []

    alone = replay(recordings, contestants, SETTING)
    shared = replay(recordings, contestants, SETTING, n_jobs=2, on_progress=lambda: done.append(1))

    assert shared == alone
    assert len(done) == 2


def test_more_simulated_workers_take_less_simulated_time(recordings):
    contestants = parse_contestants("kfold,lccv,race")
    alone = replay(recordings, contestants, SETTING)
    four = replay(recordings, contestants, Setting(n_folds=5, n_orders=3, n_workers=4))

    for one, several in zip(alone, four, strict=True):
        assert several.cost.clock < one.cost.clock


def test_summary_has_the_documented_keys(recordings):
    runs = replay(recordings, parse_contestants("kfold,race"), SETTING)

    kfold, race = summarise(runs, n_folds=5)
    documented = (
        "policy folds cost_mean cost_total rows_mean rows_total within_001 within_005 within_01 "
        "within_015 gap_mean gap_worst costs_more n_runs large"
    )
    assert set(documented.split()) <= set(kfold)
    assert kfold["cost_mean"] == kfold["cost_total"] == kfold["within_001"] == 1
    assert kfold["large"] is None
    assert race["n_runs"] == 6
    assert race["cost_mean"] < 1
    assert race["costs_more"] == 0


def test_summary_of_large_targets_stands_apart(tmp_path):
    records = rows(datasets=("small",)) + rows(datasets=("large",), anchors=(64, 512, 5000))
    path = write(tmp_path / "curves.parquet", records)
    runs = replay(portfolios(read_recordings(path), SETTING), parse_contestants("kfold"), SETTING)

    (summary,) = summarise(runs, n_folds=5)
    assert summary["n_datasets"] == 2
    assert summary["large"]["n_datasets"] == 1


def test_a_recording_without_enough_complete_curves_is_refused(tmp_path):
    few = write(tmp_path / "few.parquet", rows(n_learners=3))
    small = write(tmp_path / "small.parquet", rows(anchors=(32, 64)))
    truncated = [row for row in rows() if row["anchor"] < 600 or row["learner"] == "learner0"]
    no_target = write(tmp_path / "no_target.parquet", truncated)

    messages = {
        few: "data set one: 3 learners have every anchor up to 600 on 5 common seeds, 5 are needed",
        small: "data set one: its target anchor 64 is below 512 rows",
        no_target: "learner1, learner2, learner3 lacks the target anchor",
    }
    for path, message in messages.items():
        with pytest.raises(UnreadableCurvesError, match=message):
            portfolios(read_recordings(path), SETTING)


def test_enlarged_portfolios_keep_the_recorded_learners(recordings):
    recording = recordings[0]

    large = enlarge(recording, 60, np.random.default_rng(1))

    assert len(large.learners) == len(set(large.learners)) == 60
    assert np.array_equal(large.loss[:6], recording.loss)
    assert large.loss.min() >= 0
    assert large.loss.max() <= 1
    assert large.truth.shape == (60,)
    assert enlarge(recording, 3, np.random.default_rng(1)) is recording


def test_enlarged_portfolios_can_be_replayed(recordings):
    setting = Setting(n_folds=5, n_orders=1, n_learners=40)

    runs = replay(recordings, parse_contestants("race"), setting)

    assert all(run.reference.tasks == 40 * 5 for run in runs)


def test_who_is_worse_on_its_training_rows_is_pruned_in_a_replay(tmp_path):
    path = write(tmp_path / "curves.parquet", rows(datasets=("one",)), train_err=[9_000])
    setting = Setting(n_folds=5, n_orders=1)
    recordings = portfolios(read_recordings(path), setting)

    (run,) = replay(recordings, parse_contestants("lccv:prune_by_training=True"), setting)

    assert sum(run.prunes.values()) == len(recordings[0].learners) - 1


def test_losses_of_unknown_scale_can_be_replayed(recordings):
    setting = Setting(n_folds=5, n_orders=1, unknown_scale=True)

    (summary,) = summarise(replay(recordings, parse_contestants("race"), setting), n_folds=5)

    assert summary["within_001"] == 1
    assert summary["cost_mean"] < 1


def test_several_winners_are_compared_with_as_many_of_k_fold(recordings):
    contestants = parse_contestants("kfold,race,race:winners=3,race:winners=99")
    runs = replay(recordings, contestants, SETTING)
    summaries = {each["policy"]: each for each in summarise(runs, n_folds=5)}

    assert all(run.last_gap >= 0 for run in runs)
    assert summaries["kfold"]["same_winners"] == 1
    assert summaries["race:winners=99"]["same_winners"] == 1
    assert summaries["race"]["cost_mean"] < summaries["race:winners=3"]["cost_mean"]
    for each in summaries.values():
        assert (each["same_winners"] == 1) == (each["last_gap_worst"] < 1e-9)
