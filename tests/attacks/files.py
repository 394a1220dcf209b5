"""Files that are made to do harm: tables, models, spaces and stores that are larger than they look.

Each has to be refused in a sentence, or read; in time, and before memory is gone.
"""

import bz2
import gzip
import json
import lzma
import os
import socket
import sqlite3
import zipfile
from contextlib import closing

import numpy as np

from curvewise.automl import load_model, load_space, read_table
from curvewise.executors import RunStore, read_recordings
from curvewise.executors._recorded_file import REQUIRED
from tests.attacks.attack import Attack
from tests.attacks.stores import make_store
from tests.executors.store.journals import write_journal

MEGABYTE = 2**20
READERS = {
    "table": (read_table, "csv"),
    "model": (load_model, "skops"),
    "space": (load_space, "toml"),
    "store": (RunStore.read, "db"),
    "curves": (read_recordings, "parquet"),
}


def _no_files(folder):
    """What is no regular file, for everything that reads one."""
    for what, (read, ending) in READERS.items():
        pipe = folder / f"pipe.{ending}"
        if not pipe.exists():
            os.mkfifo(pipe)
        yield f"{what}: a pipe", lambda read=read, path=pipe: read(path)
        device = folder / f"device.{ending}"
        if not device.exists():
            device.symlink_to("/dev/zero")
        yield f"{what}: a device without end", lambda read=read, path=device: read(path)
        loop = folder / f"loop.{ending}"
        if not loop.is_symlink():
            loop.symlink_to(loop)
        yield f"{what}: a link to itself", lambda read=read, path=loop: read(path)
        path = folder / f"socket.{ending}"
        with closing(socket.socket(socket.AF_UNIX)) as server:
            if not path.exists():
                server.bind(str(path))
        yield f"{what}: a socket", lambda read=read, path=path: read(path)
        path = folder / f"sparse.{ending}"
        with path.open("wb") as file:
            file.truncate(2**43)
        yield f"{what}: eight terabytes of nothing", lambda read=read, path=path: read(path)


def _many_columns(folder):
    """Tables of more columns than anyone reads."""
    n = 2_000_000
    path = folder / "wide.csv"
    line = ",".join(["1"] * n)
    path.write_text(f"{line}\n{line}\n{line}\n")
    yield "table: two million columns of text", lambda: read_table(path)
    arff = folder / "wide.arff"
    arff.write_text("@relation x\n" + n // 4 * "@attribute a numeric\n" + "@data\n1\n")
    yield "table: half a million attributes", lambda: read_table(arff)


def _wide_parquet(folder):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "wide.parquet"
    columns = [pa.array([1])] * 100_001
    pq.write_table(pa.table(columns, names=[str(i) for i in range(len(columns))]), path)
    yield "table: 100,001 columns of Parquet", lambda: read_table(path)
    yield "curves: 100,001 columns of Parquet", lambda: read_recordings(path)


def _bombs(folder):
    """Small files that unpack to terabytes; whoever unpacks them fills the memory."""
    zeros = bytes(64 * MEGABYTE)
    # Members may follow each other: all of them are one file.
    packed = {"gz": gzip.compress(zeros), "bz2": bz2.compress(zeros), "xz": lzma.compress(zeros)}
    for ending, part in packed.items():
        path = folder / f"bomb.csv.{ending}"
        path.write_bytes(b"".join([part] * 4_000))
        yield f"table: 250 GB in .{ending}", lambda path=path: read_table(path)


def _long_curves(folder):
    """Recorded curves that say the same again and again, in next to nothing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = 1_000_000
    texts, numbers = pa.array(["x"] * n), pa.array(np.ones(n, dtype=np.int64))
    kinds = {name: texts if name in ("dataset", "learner") else numbers for name in REQUIRED}
    rows = pa.table(kinds)
    path = folder / "long.parquet"
    with pq.ParquetWriter(path, rows.schema, compression="zstd") as writer:
        for _ in range(50):
            writer.write_table(rows)
    yield "curves: fifty million rows of Parquet", lambda: read_recordings(path)


def _packed_tables(folder):
    """Tables in formats that pack, with a gigabyte of nothing in them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = folder / "packed"
    folder.mkdir()
    rows = pa.table({name: pa.array(np.zeros(2_000_000)) for name in "ay"})
    path = folder / "nothing.parquet"
    with pq.ParquetWriter(path, rows.schema, compression="zstd", use_dictionary=False) as writer:
        for _ in range(40):
            writer.write_table(rows)
    yield "table: 1.3 GB of zeros in Parquet", lambda: read_table(path)
    yield "table: 1.3 GB of zeros in a folder of Parquet", lambda: read_table(folder)
    sheet = folder.with_name("nothing.xlsx")
    with zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(20):
            archive.writestr(f"xl/worksheets/sheet{i}.xml", bytes(64 * MEGABYTE))
    yield "table: 1.3 GB of zeros in Excel", lambda: read_table(sheet)


def _models(folder):
    """Models whose parts are larger than they say, or say that they are larger."""
    array = folder / "array.skops"
    header = np.lib.format.header_data_from_array_1_0(np.zeros(1)) | {"shape": (2**40,)}
    with zipfile.ZipFile(array, "w") as archive, archive.open("1.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, header)
    yield "model: an array of 8 TB in its header", lambda: load_model(array)
    deep = folder / "deep.skops"
    with zipfile.ZipFile(deep, "w") as archive:
        archive.writestr("curvewise.json", 100_000 * "[" + 100_000 * "]")
    yield "model: 100,000 lists in a list", lambda: load_model(deep)
    nested = folder / "nested.skops"
    with zipfile.ZipFile(nested, "w") as archive:
        with zipfile.ZipFile(folder / "inner.npz", "w", zipfile.ZIP_DEFLATED) as inner:
            for i in range(20):
                inner.writestr(f"{i}.npy", bytes(16 * MEGABYTE))
        archive.write(folder / "inner.npz", "1.npz")
    yield "model: an archive in the archive", lambda: load_model(nested)


def _spaces(folder):
    """Spaces that are nested more deeply than the stack, or have names that are."""
    for ending, text in {
        "json": 100_000 * "[" + 100_000 * "]",
        "toml": "a = " + 100_000 * "[" + 100_000 * "]",
    }.items():
        path = folder / f"deep.{ending}"
        path.write_text(text)
        yield f"space: 100,000 lists in .{ending}", lambda path=path: load_space(path)
    path = folder / "parts.toml"
    path.write_text(".".join(["a"] * 100_000) + " = 1")
    yield "space: a name of 100,000 parts", lambda: load_space(path)


def _stores(folder):
    """Stores that are programs."""
    for table in ("meta", "runs", "outcomes"):
        path = folder / f"endless-{table}.db"
        path.unlink(missing_ok=True)
        make_store(path)
        with closing(sqlite3.connect(path)) as connection:
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            columns = ", ".join(f"i AS {name}" for name in names)
            connection.executescript(
                f"ALTER TABLE {table} RENAME TO old; CREATE VIEW {table} AS "
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                f"SELECT {columns} FROM n"
            )
        yield f"store: {table} never ends", lambda path=path: _read_all(path)
    path = folder / "long.db"
    path.unlink(missing_ok=True)
    make_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Only failures have a message; gigabytes in other rows take many seconds to write.
        failed = "SELECT id FROM outcomes WHERE reason IS NOT NULL LIMIT 2"
        connection.execute(
            f"UPDATE outcomes SET message = ? WHERE id IN ({failed})", (50 * MEGABYTE * "x",)
        )
        deep = json.dumps({"a": 0}).replace("0", 100_000 * "[" + 100_000 * "]")
        connection.execute("UPDATE notes SET value = ?", (deep,))
    yield "store: messages of 50 MB, notes of 100,000 lists", lambda: _read_all(path)


def _journals(folder):
    """Stores beside which lies what SQLite would carry out: it would delete what is named there."""
    path, link, precious = folder / "journal.db", folder / "link.db", folder / "precious.txt"
    RunStore.create(path).close()
    link.symlink_to(path)
    precious.write_text("of the user")
    write_journal(path, precious)
    yield "store: a journal that names another file", lambda: _open(path, precious)
    yield "store: a link to one with such a journal", lambda: _open(link, precious)
    for ending in ("-journal", "-wal", "-shm"):
        place = path.with_name(f"{path.name}{ending}")
        place.unlink(missing_ok=True)
        place.symlink_to(precious)
        yield f"store: a link beside it, {ending}", lambda: _open(path, precious)
        place.unlink()


def _open(path, precious):
    try:
        RunStore.open(path).close()
    finally:
        if not precious.exists() or precious.read_text() != "of the user":
            raise AssertionError("another file was deleted or written")


def _read_all(path):
    with RunStore.read(path) as store:
        for summary in store.runs():
            run = store.run(summary.id)
            longest = max((len(getattr(one, "message", "")) for one in run.outcomes()), default=0)
            assert longest <= 10_000
            run.notes()


SHORT = (_no_files, _models, _spaces, _stores, _journals)
WHOLE = (*SHORT, _many_columns, _wide_parquet, _bombs, _packed_tables, _long_curves)


def attacks(folder, n_cases):
    """Give all of them; the large ones only where there are many cases."""
    for kind in WHOLE if n_cases > 1_000 else SHORT:
        for name, carry_out in kind(folder):
            yield Attack(name, carry_out)
