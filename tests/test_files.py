import pytest

from curvewise._files import check_replaceable, is_file, is_folder, write_whole
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path):
    def fail(draft):
        draft.write_text("half")
        raise OSError(28, "No space left on device")

    path = tmp_path / "answer.json"
    write_whole(path, "{}")
    with pytest.raises(InvalidParameterError, match="No space left on device"):
        write_whole(path, fail)

    assert path.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_store_is_not_overwritten(tmp_path):
    path = tmp_path / "run.db"
    RunStore.create(path).close()

    assert check_replaceable(tmp_path / "report.html").name == "report.html"
    with pytest.raises(InvalidParameterError, match="is a run store: name another file"):
        check_replaceable(path)


@pytest.mark.parametrize("name", ["missing", "x" * 5_000, "a\0b"])
def test_a_name_that_no_file_can_have_is_no_file(tmp_path, name):
    assert not is_file(tmp_path / name)
    assert not is_folder(tmp_path / name)
    assert is_folder(tmp_path)
