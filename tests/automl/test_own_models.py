"""A model that its user has saved on the same machine needs no trust by name."""

import pytest
from sklearn.linear_model import LogisticRegression

from curvewise.automl import SavedModel, load_model, save_model
from curvewise.automl._own_models import MOST, is_own, remember
from curvewise.errors import UnsafeModelError

X, Y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]


class Foreign(LogisticRegression):
    """A class that is on no list."""


@pytest.fixture
def memory(monkeypatch, tmp_path):
    folder = tmp_path / "states"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "curvewise" / "saved-models"


def save(path, *, strength=1.0):
    model = SavedModel(Foreign(C=strength).fit(X, Y), {"x": "number"}, "y", "classification")
    return save_model(model, path)


def own(path):
    with path.open("rb") as file:
        return is_own(file)


def test_a_model_that_was_saved_here_is_loaded_without_trust(memory, tmp_path):
    path = tmp_path / "model.skops"
    foreign = save(path)

    assert foreign == [f"{__name__}.Foreign"]
    assert load_model(path).pipeline.predict([[3.0]]).tolist() == ["yes"]


def test_a_copy_under_another_name_is_as_good(memory, tmp_path):
    save(tmp_path / "model.skops")
    copy = tmp_path / "copy.skops"
    copy.write_bytes((tmp_path / "model.skops").read_bytes())

    assert load_model(copy).target == "y"


def test_another_file_in_its_place_is_refused(memory, tmp_path, monkeypatch):
    mine, others = tmp_path / "mine.skops", tmp_path / "others.skops"
    save(mine)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
        save(others, strength=2.0)
    mine.write_bytes(others.read_bytes())

    with pytest.raises(UnsafeModelError, match="Foreign, which is not trusted"):
        load_model(mine)


def test_where_nothing_can_be_remembered_trust_is_needed(monkeypatch, tmp_path):
    path = tmp_path / "model.skops"
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    save(path)

    assert not remember(path)
    assert not own(path)
    with pytest.raises(UnsafeModelError, match="not trusted"):
        load_model(path)


def test_models_of_our_spaces_leave_no_trace(memory, tmp_path):
    model = LogisticRegression().fit(X, Y)
    save_model(SavedModel(model, {"x": "number"}, "y", "classification"), tmp_path / "m.skops")

    assert not memory.exists()


def test_the_oldest_are_forgotten_and_nothing_stands_twice(memory, tmp_path):
    memory.parent.mkdir(parents=True)
    memory.write_text("".join(f"{number:064x}\n" for number in range(MOST)))
    path = tmp_path / "file"
    path.write_bytes(b"content")

    assert remember(path)
    assert remember(path)
    lines = memory.read_text().split()
    assert len(lines) == MOST == len(set(lines))
    assert lines[0] == f"{1:064x}"
    assert own(path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"no digest\n"])
def test_a_damaged_list_trusts_nothing(memory, tmp_path, content):
    path = tmp_path / "model.skops"
    save(path)
    memory.write_bytes(content)

    with pytest.raises(UnsafeModelError, match="not trusted"):
        load_model(path)
