import pytest

from curvewise.executors import read_recordings
from tests.cli.runner import curvewise, invoke


def test_candidates_of_the_default_space_are_recorded_and_replayed(tmp_path):
    path = tmp_path / "iris.parquet"
    answer = curvewise(
        *("bench", "record", "sklearn:iris", "-o", path, "--candidates", 5, "--folds", 2),
        *("--anchors", "2,1", "--timeout-per-fit", 60, "--jobs", 2),
    )
    (recording,) = read_recordings(path)
    replayed = curvewise("replay", path, "--folds", 2, "--min-target", 1, "--orders", 1)

    assert answer.returncode == 0, answer.stderr
    assert "5 candidates on 2 folds of 32, 60 training rows; 30 test rows besides" in answer.stderr
    assert "Wrote 20 evaluations" in answer.stderr
    assert recording.loss.shape == (5, 2, 2)
    assert recording.row_losses(0, 0, 0).shape == (60,)
    assert replayed.returncode == 0, replayed.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scoring", "roc_auc"), "roc_auc has no losses by row"),
        (("--anchors", "64,x"), "--anchors needs numbers of at least 1"),
        (("--anchors", "0.5"), "--anchors needs numbers of at least 1"),
        (("--timeout-per-fit", "0"), "timeout_per_fit must be above 0"),
    ],
)
def test_bad_input_is_refused_before_anything_is_read(tmp_path, options, message):
    answer = invoke("bench", "record", "none.csv", "-o", tmp_path / "out.parquet", *options)

    assert message in str(answer.exception)


def test_test_rows_are_counted_from_zero(tmp_path):
    path = tmp_path / "out.parquet"
    answer = invoke("bench", "record", "sklearn:iris", "-o", path, "--test-rows", -1)

    assert answer.exit_code == 2
    assert "Invalid value for '--test-rows'" in answer.output
