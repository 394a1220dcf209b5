import signal
import tempfile

import pytest

from curvewise._files import check_replaceable, temporary_folder, write_whole
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


def test_a_temporary_folder_is_removed_wherever_the_program_has_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    def go_elsewhere():
        with temporary_folder() as folder:
            (folder / "run.db").touch()
            monkeypatch.chdir("/")
            monkeypatch.setenv("TMPDIR", "/nowhere")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go_elsewhere()

    assert list(tmp_path.iterdir()) == []
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
