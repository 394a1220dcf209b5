"""What a model unpacks to is looked at before anything of it is unpacked."""

import io
import zipfile

import numpy as np
import pytest

from curvewise.automl import _model_measure, load_model
from curvewise.errors import UnsafeModelError

HALF = r"unpacks to more than .* half of this machine's memory"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A model on a machine with little memory."""
    monkeypatch.setattr(_model_measure, "most_bytes", lambda: 100_000)
    return tmp_path / "model.skops"


def packed(*sizes):
    """Give an archive of arrays that are next to nothing as long as they are packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for i, size in enumerate(sizes):
            with archive.open(f"{i}.npy", "w") as member:
                np.save(member, np.zeros(size, dtype=np.uint8))
    return file.getvalue()


def test_parts_that_are_too_large_together_are_refused(path):
    path.write_bytes(packed(60_000, 60_000))

    assert path.stat().st_size < 1_000
    with pytest.raises(UnsafeModelError, match=HALF):
        load_model(path)


def test_what_is_in_an_archive_inside_counts(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1.npz", packed(60_000, 60_000))

    with pytest.raises(UnsafeModelError, match=HALF):
        load_model(path)


@pytest.mark.parametrize("inside", [False, True])
def test_an_array_is_as_large_as_it_says(path, inside):
    header = np.lib.format.header_data_from_array_1_0(np.zeros(1)) | {"shape": (2**40,)}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, archive.open("1.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, header)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("2.npz", file.getvalue())
    if not inside:
        path.write_bytes(file.getvalue())

    with pytest.raises(UnsafeModelError, match="an array of another size than it says"):
        load_model(path)


def test_very_many_parts_are_refused(path, monkeypatch):
    monkeypatch.setattr(_model_measure, "MOST_MEMBERS", 3)
    path.write_bytes(packed(1, 1, 1, 1))

    with pytest.raises(UnsafeModelError, match="it has 4 parts"):
        load_model(path)
