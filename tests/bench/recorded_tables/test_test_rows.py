import json

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold

from curvewise._bench.recorded_tables import test_rows
from curvewise._bench.recorded_tables.journal import RecordedCell
from curvewise._bench.recorded_tables.recording_plan import plan_recording
from curvewise._evaluation.rows import take
from curvewise.automl import read_table
from curvewise.core._outcome import Observation, Task
from curvewise.errors import InvalidParameterError, UnreadableCurvesError
from curvewise.executors import read_recordings
from tests.bench.recorded_tables import samples

N_ASIDE = 30
FEW = {"n_candidates": 2, "space": samples.QUICK, "divisors": (1,)}


def aside_of(plan):
    """Give the rows that a plan sets aside, by fold."""
    folds = plan.experiment.folds
    return [folds.test(fold)[plan.n_test(fold) :] for fold in range(plan.n_folds)]


def numbers(n_rows=200, **columns):
    """Make a table of numbers, with a label of two classes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"one": rng.normal(size=n_rows), **columns})
    return frame.assign(label=np.where(rng.random(n_rows) < 0.3, "yes", "no"))


def read(tmp_path, frame, **roles):
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    return read_table(path, target="label", **roles)


def test_a_fifth_of_the_rows_is_set_aside_and_no_fold_trains_on_them():
    plan = samples.plan(test_rows=None)
    folds, aside = plan.experiment.folds, aside_of(plan)

    assert plan.n_test_rows == N_ASIDE
    assert all(np.array_equal(each, aside[0]) for each in aside)
    for fold in range(plan.n_folds):
        own = folds.test(fold)[: plan.n_test(fold)]
        assert len(own) == 40
        assert not set(aside[0]) & {*folds.train(fold, folds.target), *own}
    classes = read_table("sklearn:iris").y[aside[0]]
    assert np.unique(classes, return_counts=True)[1].tolist() == [10, 10, 10]


def test_what_is_seen_and_what_is_true_are_told_apart(tmp_path):
    path = tmp_path / "iris.parquet"
    plan = samples.record(path, test_rows=N_ASIDE)
    experiment, aside = plan.experiment, aside_of(plan)[0]
    (recording,) = read_recordings(path)
    X, y, folds = experiment.X, np.asarray(experiment.y), experiment.folds

    for task in list(plan.tasks())[::7]:
        fold = task.fold
        train, own = folds.train(fold, task.anchor), folds.test(fold)[: plan.n_test(fold)]
        model = clone(plan.estimators[task.candidate]).fit(take(X, train), y[train])
        errors = [np.mean(model.predict(take(X, rows)) != y[rows]) for rows in (own, aside)]
        at = (
            recording.learners.index(task.candidate),
            recording.anchors.index(task.anchor),
            fold,
        )
        assert recording.loss[at] == pytest.approx(errors[0])
        assert recording.test[at] == pytest.approx(errors[1])
        assert len(recording.row_losses(*at)) == len(own)
    assert recording.n_test == 40
    assert np.allclose(recording.truth, recording.test[:, -1].mean(axis=1))
    mark = json.loads(parquet.read_schema(path).metadata[b"curvewise.recording"])
    assert mark["test_rows"] == N_ASIDE


def test_without_test_rows_what_is_seen_is_the_truth(tmp_path):
    path = tmp_path / "iris.parquet"
    samples.record(path)
    (recording,) = read_recordings(path)

    assert "test_err" not in parquet.read_schema(path).names
    assert np.array_equal(recording.test, recording.loss)
    with pytest.raises(UnreadableCurvesError, match="holds other curves"):
        samples.record(path, test_rows=N_ASIDE)


def test_groups_stay_whole(tmp_path):
    table = read(tmp_path, numbers(group=np.repeat(np.arange(20), 10)), groups="group")
    plan = plan_recording(table, GroupKFold(3), **FEW, test_rows=40)
    aside = aside_of(plan)[0]

    assert len(aside) == 40
    assert len(set(table.groups[aside])) == 4


def test_rows_in_the_order_of_time_are_not_set_aside(tmp_path):
    days = pd.date_range("2020-01-01", periods=200)
    table = read(tmp_path, numbers(day=days), time="day")

    assert test_rows.default_test_rows(table) == 0
    with pytest.raises(InvalidParameterError, match="order of time cannot be set aside"):
        test_rows.choose_test_rows(table, 10, random_state=0)


def test_most_rows_are_for_the_folds():
    with pytest.raises(InvalidParameterError, match="At most half of the 150 rows"):
        samples.plan(test_rows=76)


def test_a_class_with_one_row_is_no_obstacle(tmp_path):
    frame = numbers()
    frame.loc[0, "label"] = "rare"
    plan = plan_recording(read(tmp_path, frame), KFold(3), **FEW, test_rows=50)

    assert [len(each) for each in aside_of(plan)] == [50, 50, 50]


def test_predicting_rows_that_are_set_aside_takes_no_recorded_seconds():
    losses = np.array([True] * 10 + [False] * 20)
    outcome = Observation(
        Task("tree", 100, 0),
        losses.mean(),
        seconds=5.0,
        fit_seconds=2.0,
        score_seconds=3.0,
        n_test=30,
        row_losses=losses,
    )
    cell = RecordedCell.of(outcome, n_test=10, packing="bits")

    assert (cell.loss, cell.test_loss, cell.n_valid) == (1.0, 0.0, 10)
    assert (cell.seconds, cell.fit_seconds, cell.score_seconds) == pytest.approx((3.0, 2.0, 1.0))


def test_an_evaluation_without_losses_by_row_is_a_failure():
    outcome = Observation(Task("tree", 100, 0), 0.5, seconds=1.0, n_test=30)

    assert RecordedCell.of(outcome, n_test=10, packing="bits").status == "error"


def test_seconds_are_the_processors():
    plan = samples.plan(2)
    ticks = iter(range(1000))
    plan.experiment.evaluate.measure_by(lambda: float(next(ticks)))
    task = next(plan.tasks())

    outcome = plan.experiment.evaluate(task, plan.estimators[task.candidate])

    assert outcome.fit_seconds == outcome.score_seconds == 1.0
    assert plan.notes()["seconds"] == "processor"
