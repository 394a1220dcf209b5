"""What is too large is refused in a sentence, before memory is gone."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_table
from curvewise.automl._tables import measure
from curvewise.errors import TableError
from curvewise.executors._workers import memory

ROWS = "a,b\n1,2\n3,4\n" + 20_000 * "5,6\n"


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(measure, "most_bytes", lambda: 50_000)


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_what_unpacks_to_more_than_memory_is_refused(tmp_path, little_memory, ending, pack):
    path = tmp_path / f"data.csv.{ending}"
    path.write_bytes(pack(ROWS.encode()))

    assert path.stat().st_size < 50_000
    with pytest.raises(TableError, match=r"unpacks to more than .* half of this machine's memory"):
        read_table(path)


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_few_bytes_do_not_unpack_until_memory_is_full(tmp_path, monkeypatch, ending, pack):
    monkeypatch.setattr(measure, "FREE_BYTES", 1_000_000)
    path, bomb = tmp_path / f"data.csv.{ending}", tmp_path / f"bomb.csv.{ending}"
    rows = pd.DataFrame(np.random.default_rng(0).random((5_000, 200)) < 0.001).astype(int)
    path.write_bytes(pack(rows.to_csv(index=False).encode()))
    bomb.write_bytes(pack(b"a,b\n" + bytes(80_000_000)))

    assert len(read_table(path).X) == 5_000
    with pytest.raises(TableError, match=r"unpacks to more than 900 times its size: unpack it"):
        read_table(bomb)


def test_half_of_the_memory_is_half_of_the_containers(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("0\n")
    (tmp_path / "memory.stat").write_text("")
    monkeypatch.setattr(memory, "_groups", lambda files: [tmp_path])

    assert measure.most_bytes() == 500_000


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_what_is_unpacked_is_held_once():
    program = (
        "from pathlib import Path\n"
        "from curvewise.automl._tables.measure import read_bounded\n"
        "class File:\n"
        "    left = 300\n"
        "    tell = lambda self: 2**30\n"
        "    def read(self, n):\n"
        "        self.left -= 16\n"
        "        return 2**20 * b'x' * 16 if self.left > 0 else b''\n"
        "def highest():\n"
        "    status = Path('/proc/self/status').read_text()\n"
        "    return int(status.partition('VmHWM:')[2].split()[0])\n"
        "before = highest()\n"
        "whole = read_bounded(File(), 'a file', packed=File())\n"
        "print(1024 * (highest() - before) / len(whole))\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert 0.9 < float(said.stdout) < 1.5


def test_an_archive_and_a_plain_file_that_are_too_large_are_refused(tmp_path, little_memory):
    packed, plain = tmp_path / "data.zip", tmp_path / "data.csv"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.csv", ROWS)
    plain.write_text(ROWS)

    with pytest.raises(TableError, match="unpacks to more than"):
        read_table(packed)
    with pytest.raises(TableError, match="has more than"):
        read_table(plain)


def test_parquet_says_itself_what_it_unpacks_to(tmp_path, little_memory):
    path = tmp_path / "data.parquet"
    rows = np.arange(50_000) // 1_000
    pd.DataFrame({"a": rows, "b": rows}).to_parquet(path, use_dictionary=False, compression="gzip")

    assert path.stat().st_size < 50_000
    with pytest.raises(TableError, match="unpacks to more than"):
        read_table(path)


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "arff"])
def test_more_columns_than_are_read_are_refused(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(measure, "MOST_COLUMNS", 20)
    path, frame = tmp_path / f"data.{ending}", pd.DataFrame(np.zeros((3, 21)))
    frame.columns = [f"c{i}" for i in range(21)]
    if ending == "arff":
        names = "".join(f"@attribute {name} numeric\n" for name in frame)
        path.write_text(f"@relation x\n{names}@data\n" + frame.to_csv(index=False, header=False))
    else:
        write = getattr(frame, f"to_{ending}")
        write(path, index=False) if ending == "csv" else write(path)

    with pytest.raises(TableError, match="has 21 columns, and at most 20 are read"):
        read_table(path)


def test_two_cells_at_the_ends_of_a_sheet_are_no_billions(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    monkeypatch.setattr(measure, "MOST_CELLS", 100_000)
    book = openpyxl.Workbook()
    sheet = book.active
    for i in range(1, 40):
        sheet.cell(i, 16_384, 1)
    book.save(tmp_path / "data.xlsx")

    with pytest.raises(TableError, match="a sheet of more than 100,000 cells"):
        read_table(tmp_path / "data.xlsx")


def test_a_row_of_any_number_is_no_billion_rows(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    monkeypatch.setattr(measure, "MOST_ROWS", 1_000)
    book = openpyxl.Workbook()
    book.active.cell(1, 1, "a")
    book.active.cell(2_000, 1, 1)
    book.save(tmp_path / "data.xlsx")

    with pytest.raises(TableError, match="a sheet of more than 1,000 rows"):
        read_table(tmp_path / "data.xlsx")


def test_a_pipe_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "data.csv")

    with pytest.raises(TableError, match="is not a regular file"):
        read_table(tmp_path / "data.csv")


@pytest.mark.parametrize("kind", ["file", "folder", "excel"])
def test_nothing_that_is_packed_unpacks_from_next_to_nothing(tmp_path, monkeypatch, kind):
    if kind == "excel":
        pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    rows = pd.DataFrame({"a": np.zeros(100_000), "y": np.zeros(100_000)})
    path = tmp_path / ("table" if kind == "folder" else "table.xlsx" if kind == "excel" else "a.pq")
    if kind == "excel":
        pd.DataFrame({"a": [1, 2], "y": [0, 1]}).to_excel(path, index=False)
    else:
        path.mkdir() if kind == "folder" else None
        place = path / "a.parquet" if kind == "folder" else path
        rows.to_parquet(place, compression="zstd", index=False)
    monkeypatch.setattr(measure, "FREE_BYTES", 100)
    monkeypatch.setattr(measure, "MOST_TIMES", 0.1)

    with pytest.raises(TableError, match="times its size: unpack it yourself"):
        read_table(path)


def test_a_folder_of_parquet_is_measured_by_what_it_unpacks_to(tmp_path, monkeypatch):
    folder = tmp_path / "table"
    folder.mkdir()
    rows = pd.DataFrame({"a": np.arange(100_000) % 7 / 3, "y": np.arange(100_000) % 2})
    rows.to_parquet(folder / "a.parquet", compression="zstd", index=False, use_dictionary=False)
    size = (folder / "a.parquet").stat().st_size
    monkeypatch.setattr(measure, "most_bytes", lambda: 10 * size)

    with pytest.raises(TableError, match=r"unpacks to more than .* half of this machine's memory"):
        read_table(folder)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_parquet_is_counted_while_it_is_read_whatever_it_says(tmp_path, monkeypatch, kind):
    path = tmp_path / "table.parquet"
    path.mkdir() if kind == "folder" else None
    rows = pd.DataFrame({"a": np.zeros(200_000), "y": np.zeros(200_000)})
    # A dictionary of one number: what it unpacks to is in no header.
    rows.to_parquet(path / "a.parquet" if kind == "folder" else path, index=False)
    monkeypatch.setattr(measure, "most_bytes", lambda: 1_000_000)

    with pytest.raises(TableError, match=r"unpacks to more than .* half of this machine's memory"):
        read_table(path)
