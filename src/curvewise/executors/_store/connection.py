"""Opening the file, and saying in one sentence what is wrong with it.

A store is written by one process per run, and read by any number while it is being written: the
write-ahead log (WAL) keeps readers and writers out of each other's way. While a store is open, or
after its process was killed, the newest rows are in the file's ``-wal`` neighbour: whoever copies
the file copies that too. The last one to close a store merges it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curvewise.errors import StoreError
from curvewise.executors._store.run_schema import check_version, create_tables, is_blank

BUSY_SECONDS = 10.0
RETRY_SECONDS = 0.005
# No SQLite file is smaller, but for an empty one.
SMALLEST_BYTES = 512


def connect_to_write(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open a store for writing; an empty or missing file becomes a store."""
    if not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent}: create it first.")
    _check_file(path)
    with explained(path):
        connection = _connect(path, "mode=rwc", busy_seconds)
        try:
            _prepare(connection, path, busy_seconds)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_to_read(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open a store for reading only; it may be written by another process meanwhile."""
    if not path.exists():
        raise StoreError(f"There is no file {path}.")
    _check_file(path)
    with explained(path):
        connection = _connect(path, "mode=ro", busy_seconds)
        try:
            try:
                blank = is_blank(connection)
            except sqlite3.OperationalError:
                # Readers need two small files beside a store and may not create them in a folder
                # that is read-only. Where no log is left to merge, nobody writes: read it as it is.
                if _log_of(path).exists():
                    raise
                connection.close()
                connection = _connect(path, "mode=ro&immutable=1", busy_seconds)
                blank = is_blank(connection)
            if blank:
                raise StoreError(f"{path} is empty: no run was stored in it yet.")
            check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a file into a sentence that helps.

    Examples
    --------
    >>> with explained(Path("run.db")):
    ...     raise sqlite3.DatabaseError("a bug of our own is not touched")
    Traceback (most recent call last):
    ...
    sqlite3.DatabaseError: a bug of our own is not touched
    """
    try:
        yield
    except sqlite3.Error as error:
        sentence = _sentence(path, error)
        if sentence is None:
            raise
        raise StoreError(sentence) from error


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Write all of it or nothing."""
    with explained(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            # A full disk makes SQLite roll back by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def snapshot(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Read everything as of one moment, whatever is being written meanwhile."""
    with explained(path):
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


def _connect(path: Path, options: str, busy_seconds: float) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(address, uri=True, timeout=busy_seconds, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    # A stranger's file may hold views and triggers: they get no functions beyond the harmless.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, busy_seconds: float) -> None:
    """Make sure that the file is a store, and choose how it is written."""
    if not is_blank(connection):
        check_version(connection, path)
    if _switch_to_log(connection, busy_seconds) != "wal":
        raise StoreError(
            f"{path} cannot be written safely: its file system knows no shared memory, as network "
            f"drives often do not; put the store on a local disk."
        )
    # Every commit reaches the operating system before it returns: killing the process, even with
    # SIGKILL, loses nothing. It is flushed to the disk itself only when the log is merged (about
    # every 1,000 pages, or some 200 outcomes): a power cut or a crash of the operating system can
    # lose the outcomes since then, which are evaluated again on resume, but never damages the file.
    # FULL would flush on every outcome, which costs milliseconds each.
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection, path):
        if is_blank(connection):
            create_tables(connection)
        # SQLite opens a read-only file without a word: find out now, not with the first outcome.
        connection.execute("UPDATE meta SET value = value")


def _switch_to_log(connection: sqlite3.Connection, busy_seconds: float) -> str:
    """Turn the write-ahead log on; two who create a file at once get in each other's way here."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            return str(mode)
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself when it changes the mode.
            if _kind(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)


def _check_file(path: Path) -> None:
    """Look at the size: SQLite takes any tiny file for an empty database of its own.

    To read the file here would be a mistake: when it is closed, the system drops all locks that
    this process has on it, those of another connection included (SQLite's "How To Corrupt",
    Sec. 2.2).
    """
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a run store.")
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}.") from error
    if 0 < size < SMALLEST_BYTES:
        raise StoreError(f"{path} is not a run store: it is not an SQLite file.")


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _kind(error: sqlite3.Error) -> int:
    """The kind of an error: the lowest byte of SQLite's code; 0 for a bug of our own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _sentence(path: Path, error: sqlite3.Error) -> str | None:
    match _kind(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{path} is locked: another process is writing and did not finish in time."
        case sqlite3.SQLITE_FULL:
            return f"The disk is full: {path} cannot grow; what was recorded before is safe."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return (
                f"{path} cannot be written: it is read-only, or so is its folder, or was opened so."
            )
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            return f"{path} cannot be opened: check the rights on the file and on its folder."
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not a run store: it is not an SQLite file."
        case sqlite3.SQLITE_CORRUPT:
            return f"{path} is damaged ({error}): restore it from a copy or begin a new one."
        case sqlite3.SQLITE_IOERR:
            return f"{path} cannot be read or written ({error}): check its disk."
        case _:
            return None
