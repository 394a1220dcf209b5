import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from curvewise import LCCV, Race, Search
from curvewise._bench.contestant import Contestant
from curvewise._bench.experiments.convexity_study import recorded_curves
from curvewise._bench.recorded_tables.journal import ENDING
from curvewise._bench.replays import Setting, Stage, portfolios, replay, resized
from curvewise.automl import SearchSpace
from curvewise.automl._space.component import Component
from curvewise.automl._space.search_space import Slot
from curvewise.core._outcome import Failure, Reason, Task
from curvewise.errors import InvalidParameterError, StoreError, UnreadableCurvesError
from curvewise.executors import InProcessExecutor, Limits, read_recordings, run
from curvewise.executors._recorded_file import KEY
from tests.bench.recorded_tables import samples

ROOT = Path(__file__).parents[3]
N_TASKS = 6 * 3 * samples.N_FOLDS
FAILING = Component(
    target="sklearn.tree.ExtraTreeClassifier", name="Failing", fixed={"max_depth": -1}
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "iris.parquet"
    return samples.record(path), path


def changed(path, place, *, mark=None, **columns):
    """Write a copy of a recording with other columns, or another mark."""
    table = parquet.read_table(path)
    for name, values in columns.items():
        at = table.column_names.index(name)
        new = pa.array(values(table.column(name).to_pylist()), table.schema.field(name).type)
        table = table.set_column(at, name, new)
    if mark is not None:
        table = table.replace_schema_metadata({KEY: mark})
    parquet.write_table(table, place)
    return place


def test_every_candidate_has_every_anchor_on_every_fold(recorded):
    plan, path = recorded
    rows = pd.read_parquet(path)

    assert len(rows) == N_TASKS
    assert set(rows["learner"]) == set(plan.estimators)
    assert sorted(set(rows["anchor"])) == [32, 50, 100]
    assert set(rows["status"]) == {"ok"}
    assert (rows["fit_time"] > 0).all()
    assert rows["row_losses"].map(len).max() <= 150 / samples.N_FOLDS / 8 + 1
    assert not path.with_name(path.name + ENDING).exists()


def test_rows_that_are_read_are_those_of_the_evaluation(recorded):
    plan, path = recorded
    (recording,) = read_recordings(path)
    evaluate = plan.experiment.evaluate

    for task in list(plan.tasks())[::5]:
        learner = recording.learners.index(task.candidate)
        anchor = recording.anchors.index(task.anchor)
        outcome = evaluate(task, plan.estimators[task.candidate])
        losses = recording.row_losses(learner, anchor, task.fold)
        assert np.array_equal(losses, outcome.row_losses)
        assert recording.loss[learner, anchor, task.fold] == outcome.loss


@pytest.mark.parametrize("policy", [Race(), LCCV()])
def test_a_replay_decides_as_the_search_itself_would(recorded, policy):
    plan, path = recorded
    (recording,) = read_recordings(path)
    n = len(recording.learners)
    stage = Stage(recording, list(range(n)), np.arange(samples.N_FOLDS), Setting(n_folds=3))

    replayed, _ = stage.search(Contestant("policy", policy))

    def evaluate(task, estimator):
        # Real losses; the seconds of a fit are never the same twice.
        named = task._replace(candidate=recording.learners[task.candidate])
        outcome = plan.experiment.evaluate(named, estimator)
        known = stage._look_up(task)
        assert known.row_losses is not None
        return replace(outcome, task=task, seconds=known.seconds)

    schedule = policy.schedule(recording.target).among(recording.anchors)
    search = Search(range(n), schedule=schedule, policy=policy, n_folds=samples.N_FOLDS)
    estimators = {i: plan.estimators[name] for i, name in enumerate(recording.learners)}
    run(search, InProcessExecutor(evaluate), candidates=estimators)
    assert search.best.candidate == replayed.best.candidate
    for i in range(n):
        assert search.results[i].decisions == replayed.results[i].decisions


def test_more_candidates_are_added_to_a_file(recorded, tmp_path):
    _, path = recorded
    copy = tmp_path / "iris.parquet"
    copy.write_bytes(path.read_bytes())
    done = []

    samples.record(copy, n_candidates=8, on_progress=done.append)

    before, after = pd.read_parquet(path), pd.read_parquet(copy)
    assert done[0].n_done == N_TASKS
    assert len(after) == N_TASKS * 8 // 6
    # What was there has not been made again: its seconds are the same.
    pd.testing.assert_frame_equal(after.iloc[:N_TASKS], before)


def test_a_killed_recording_goes_on_where_it_was(tmp_path):
    path = tmp_path / "iris.parquet"
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.bench.recorded_tables.samples import record\n"
        "def kill(progress):\n"
        "    if progress.n_done == 20:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "record(Path(sys.argv[1]), on_progress=kill)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script.read_text(), path], cwd=ROOT, check=False)
    progress = []

    samples.record(path, on_progress=progress.append)

    assert killed.returncode == -signal.SIGKILL
    assert progress[0].n_done == 20
    assert len(pd.read_parquet(path)) == N_TASKS
    assert [each.name for each in tmp_path.iterdir() if each != script] == ["iris.parquet"]


def test_an_interrupt_keeps_what_was_recorded(tmp_path):
    path = tmp_path / "iris.parquet"

    def interrupt(progress):
        if progress.n_done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        samples.record(path, on_progress=interrupt)
    progress = []
    samples.record(path, on_progress=progress.append)

    assert progress[0].n_done == 7
    assert progress[-1].n_done == progress[-1].n_all == N_TASKS


@pytest.mark.parametrize("settings", [{"random_state": 1}, {"divisors": (2, 1)}])
def test_another_recording_of_the_name_is_refused(recorded, tmp_path, settings):
    _, path = recorded
    copy = tmp_path / "iris.parquet"
    copy.write_bytes(path.read_bytes())

    with pytest.raises(UnreadableCurvesError, match=r"holds other curves \((seed|anchors) was"):
        samples.record(copy, **settings)
    assert [each.name for each in tmp_path.iterdir()] == ["iris.parquet"]


def test_candidates_of_another_space_are_refused(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path)
    other = SearchSpace([Slot("classifier", [samples.TREE])])

    with pytest.raises(StoreError, match=r"is another one now"):
        samples.record(path, space=other)
    assert [each.name for each in tmp_path.iterdir()] == ["iris.parquet"]


def failing_space():
    return SearchSpace([Slot("classifier", [*samples.QUICK.slots[0].components, FAILING])])


def test_failures_are_recorded_and_replayed(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path, n_candidates=12, space=failing_space())
    rows = pd.read_parquet(path)
    failed = rows[rows["status"] != "ok"]
    (recording,) = read_recordings(path)

    assert set(failed["status"]) == {"error"}
    assert failed["message"].str.contains("max_depth").all()
    assert failed["valid_err"].isna().all()
    assert recording.failures[~recording.finished].flatten().tolist().count(Reason.ERROR) == len(
        failed
    )
    assert len(recording.complete(3).learners) == recording.finished.sum()
    setting = Setting(n_folds=3, n_orders=2)
    (whole,) = portfolios([recording], setting, min_target=1)
    stage = Stage(whole, list(range(12)), np.arange(3), setting)
    lost = int(np.flatnonzero(~whole.finished)[0])
    assert isinstance(stage._look_up(Task(lost, 100, 0)), Failure)
    curves = [curve for _, learners in recorded_curves(path) for curve in learners.values()]
    assert len(curves) == whole.finished.sum()
    runs = replay([whole], [Contestant("race", Race())], setting)
    assert all(np.isfinite(each.gap) for each in runs)


def test_failures_can_be_tried_again(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path, n_candidates=12, space=failing_space())
    progress = []

    samples.record(
        path,
        n_candidates=12,
        space=failing_space(),
        on_progress=progress.append,
        run={"retry_failed": True},
    )

    assert progress[0].n_done < progress[-1].n_done == 12 * 9
    assert progress[0].n_failed == 0 < progress[-1].n_failed


def test_who_meets_a_limit_is_not_tried_at_larger_anchors(tmp_path):
    path = tmp_path / "iris.parquet"

    samples.record(path, n_candidates=2, run={"limits": Limits(timeout_per_fit=1e-4)})

    rows = pd.read_parquet(path)
    assert set(rows["status"]) == {"timeout"}
    assert rows["message"].str.contains("not run").sum() == 2 * 9 - 2
    with pytest.raises(UnreadableCurvesError, match="0 learners have every anchor"):
        portfolios(read_recordings(path), Setting(n_folds=3), min_target=1)


def test_fewer_candidates_are_a_choice_with_one_that_finishes(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path, n_candidates=12, space=failing_space())
    (recording,) = read_recordings(path)

    for seed in range(20):
        few = resized(recording, 2, np.random.default_rng(seed))
        assert len(few.learners) == 2
        assert few.finished.any()
        assert few.rows.packed.shape[0] == few.failures.shape[0] == 2


def test_copies_have_no_losses_by_row(recorded):
    (recording,) = read_recordings(recorded[1])

    large = resized(recording, 9, np.random.default_rng(0))
    assert large.row_losses(0, 0, 0) is not None
    assert large.row_losses(8, 0, 0) is None


def test_other_metrics_are_recorded_with_their_noise(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path, scoring="neg_log_loss")
    (recording,) = read_recordings(path)
    stage = Stage(recording, list(range(6)), np.arange(3), Setting())

    seen = stage._look_up(Task(0, 100, 1))
    assert recording.scoring == "neg_log_loss"
    assert seen.row_losses.mean() == pytest.approx(seen.loss, rel=2e-3, abs=1e-6)
    assert seen.noise == pytest.approx(seen.row_losses.var(ddof=1) / 50, rel=1e-2)
    assert stage._scale.unit is None
    with pytest.raises(InvalidParameterError, match="copies are made of error rates"):
        resized(recording, 9, np.random.default_rng(0))


def test_a_folder_of_recordings_is_read_together(recorded, tmp_path):
    _, path = recorded
    names = {name: lambda known, name=name: [name] * len(known) for name in ("a", "b")}
    for name, rename in names.items():
        changed(path, tmp_path / f"{name}.parquet", dataset=rename)

    assert [each.dataset for each in read_recordings(tmp_path)] == ["a", "b"]
    changed(path, tmp_path / "c.parquet", dataset=names["a"])
    with pytest.raises(UnreadableCurvesError, match=r"have the data set a, c\.parquet is"):
        read_recordings(tmp_path)


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(UnreadableCurvesError, match="has no file that ends with"):
        read_recordings(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mark": b"no json"}, "what it says of its own format"),
        ({"mark": b'{"version": 9}'}, "has version 9 of the format"),
        ({"mark": b'{"version": 2, "scoring": "r2", "row_losses": "bits"}'}, "its metric must be"),
        ({"status": lambda known: ["fine"] * len(known)}, "has the status 'fine'"),
        ({"valid_err": lambda known: [None, *known[1:]]}, "must have a value where the status"),
        ({"valid_err": lambda known: [float("inf"), *known[1:]]}, "must hold finite numbers"),
        ({"n_valid": lambda known: [10**12] * len(known)}, "losses of more test rows"),
        ({"n_valid": lambda known: [9] * len(known)}, "the losses by row of its row 1 are not"),
        ({"row_losses": lambda known: [b"", *known[1:]]}, "the losses by row of its row 1 are not"),
        ({"valid_err": lambda known: [0.77, *known[1:]]}, "the losses by row of its row 1 are not"),
        ({"fit_time": lambda known: [-1.0, *known[1:]]}, "must not be negative"),
    ],
)
def test_a_damaged_file_is_refused(recorded, tmp_path, change, message):
    damaged = changed(recorded[1], tmp_path / "damaged.parquet", **change)

    with pytest.raises(UnreadableCurvesError, match=message):
        read_recordings(damaged)


def test_half_a_file_is_refused(recorded, tmp_path):
    half = tmp_path / "half.parquet"
    half.write_bytes(recorded[1].read_bytes()[:-100])

    with pytest.raises(UnreadableCurvesError, match="is not a Parquet file"):
        read_recordings(half)
