"""How a SQLite file of curvewise is opened, checked and written, and what is said if that fails.

A file is written by several processes at once, and read by any number while it is being written:
the write-ahead log (WAL) keeps readers and writers out of each other's way. While a file is open,
or after its process was killed, the newest rows are in its ``-wal`` neighbour: whoever copies the
file copies that too. The last one to close it merges them.

A column that a file of an earlier curvewise lacks is added when the file is opened to write, which
the earlier curvewise does not mind; to read, it is there and empty.

A file may come from a stranger. Rules:

1. It is a regular file, and has the tables that its kind has, as tables: views, triggers, virtual
   tables and computed columns are refused before anything is read through them.
2. Its neighbours are regular files. A rollback journal that names another journal is refused: to
   roll it back, SQLite would delete what is named.
3. A query that takes more steps than the size of the file explains is given up: pages that point
   back to themselves would be read for ever.
"""

from __future__ import annotations

import re
import sqlite3
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from curvewise._text import LONGEST_VALUE, cut, visible
from curvewise.errors import StoreError

# How long to wait for another process that is writing: its transactions take milliseconds.
BUSY_SECONDS = 10.0
RETRY_SECONDS = 0.005
# No SQLite file is smaller, but for an empty one.
SMALLEST_BYTES = 512

# A query takes some 50 steps per row. So many steps take a second or two, and as many again for
# each megabyte: far more than any query of ours needs (rule 3).
STEPS_ALWAYS = 100_000_000
STEPS_PER_BYTE = 100
STEPS_PER_LOOK = 1_000_000
# Python's own words for text that is none.
NOT_TEXT = re.compile(r"Could not decode to UTF-8 column '([^']*)'")

# What SQLite writes beside a file, and how a journal ends that names another one.
NEIGHBOURS = ("-journal", "-wal", "-shm")
MAGIC = bytes.fromhex("d9d505f920a163d7")

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file holds, and by what it is recognised."""

    # In messages: "run.db is not a run store", "run.db is empty: no run was stored in it yet".
    name: str
    when_empty: str
    # Marks the file as ours in SQLite's header.
    application_id: int
    schema_version: int
    # The statements that make an empty file one of this kind, besides the table ``meta``.
    tables: tuple[str, ...]
    # By table: the names and types of columns that came later than the schema version.
    later_columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class Connection(sqlite3.Connection):
    """A connection that gives up on a query which its file cannot explain (rule 3)."""

    def watch(self, path: Path) -> None:
        """Begin to count steps."""
        self._path = path
        self.have_patience()
        self.set_progress_handler(self._count, STEPS_PER_LOOK)

    def have_patience(self) -> None:
        """Count anew, for the next look at the file."""
        n_bytes = 0
        for name in (self._path.name, f"{self._path.name}-wal"):
            try:
                n_bytes += self._path.with_name(name).stat().st_size
            except OSError:
                continue
        self._n_left = STEPS_ALWAYS + STEPS_PER_BYTE * n_bytes

    def _count(self) -> bool:
        """Take note of some steps; true ends the query."""
        self._n_left -= STEPS_PER_LOOK
        return self._n_left < 0


def open_to_write(
    path: Path, kind: FileKind, *, must_exist: bool = False, busy_seconds: float = BUSY_SECONDS
) -> Connection:
    """Open a file for writing; an empty or missing one is created unless it must exist."""
    _check_file(path, kind, must_exist=must_exist)
    if not path.absolute().parent.is_dir():
        raise StoreError(f"There is no folder {path.parent}: create it first.")
    _check_neighbours(path)
    with explained(path, kind.name), ExitStack() as on_error:
        connection = on_error.enter_context(closing(_connect(path, "mode=rwc", busy_seconds)))
        if must_exist or not _is_blank(connection):
            _check_kind(connection, path, kind)
        _prepare(connection, path, kind, busy_seconds)
        on_error.pop_all()
    return connection


def open_to_read(path: Path, kind: FileKind, *, busy_seconds: float = BUSY_SECONDS) -> Connection:
    """Open a file for reading only; it may be written by another process meanwhile."""
    _check_file(path, kind, must_exist=True)
    with explained(path, kind.name), ExitStack() as on_error:
        connection = on_error.enter_context(closing(_connect(path, "mode=ro", busy_seconds)))
        try:
            _is_blank(connection)
        except sqlite3.OperationalError:
            # Readers need two small files beside a database and may not create them in a folder
            # that is read-only. Where no log is left to merge, nobody writes: read it as it is.
            if path.with_name(f"{path.name}-wal").exists():
                raise
            on_error.close()
            connection = _connect(path, "mode=ro&immutable=1", busy_seconds)
            on_error.enter_context(closing(connection))
        _check_kind(connection, path, kind)
        for table, columns in _missing_columns(connection, kind).items():
            empty = ", ".join(f"NULL AS {column}" for column in columns)
            # The view takes the table's place for this connection.
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT *, {empty} FROM main.{table}")
        on_error.pop_all()
    return connection


@contextmanager
def explained(path: Path, name: str = "a file of curvewise") -> Iterator[None]:
    """Turn what SQLite says about a file into a sentence that helps; our own bugs stay bugs."""
    try:
        yield
    except sqlite3.Error as error:
        sentence = _sentence(path, name, error)
        if sentence is None:
            raise
        raise StoreError(sentence) from error
    except UnicodeDecodeError as error:  # In what SQLite says of names in a damaged file.
        raise StoreError(f"{path} is damaged: it holds text that is not UTF-8.") from error


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Write all of it or nothing."""
    # The connection commits; after an error it rolls back, unless a full disk made it do so before.
    with explained(path), connection:
        _have_patience(connection)
        connection.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def snapshot(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Read everything as of one moment, whatever is being written meanwhile."""
    with explained(path), nullcontext() if connection.in_transaction else connection:
        if not connection.in_transaction:
            _have_patience(connection)
            connection.execute("BEGIN")
        yield


def _have_patience(connection: sqlite3.Connection) -> None:
    if isinstance(connection, Connection):
        connection.have_patience()


def program_version() -> str:
    """Tell which curvewise this is."""
    try:
        return version("curvewise")
    except PackageNotFoundError:  # Run from a source tree that was never installed.
        return "0 (not installed)"


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether a database has no tables yet."""
    (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(n_tables == 0)


def _create_tables(connection: sqlite3.Connection, kind: FileKind) -> None:
    """Turn an empty database into one of a kind."""
    connection.execute(f"PRAGMA application_id = {kind.application_id}")
    for table in (META, *kind.tables):
        connection.execute(table)
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(kind.schema_version),))
    connection.execute("INSERT INTO meta VALUES ('created_by', ?)", (program_version(),))


def _check_kind(connection: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    """Refuse an empty database, one of another kind, or one of another version."""
    if _is_blank(connection):
        raise StoreError(f"{path} is empty: {kind.when_empty}.")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != kind.application_id:
        raise StoreError(
            f"{path} is not {kind.name} of curvewise but an SQLite file of something else."
        )
    _check_no_code(connection, path)
    query = "SELECT key, value FROM meta WHERE key IN ('schema', 'created_by')"
    try:
        meta = dict(connection.execute(query).fetchall())
    except sqlite3.OperationalError:
        meta = {}
    found, creator = meta.get("schema"), meta.get("created_by", "an unknown version")
    if found is None:
        raise StoreError(f"{path} is damaged: it does not say which schema version it has.")
    if found != str(kind.schema_version):
        raise StoreError(
            f"{path} has schema version {_value(found)}, and this curvewise "
            f"({program_version()}) knows version {kind.schema_version} only: open it with the "
            f"curvewise that created it ({_value(creator)}), or name another file."
        )
    _check_columns(connection, path, kind)


def _value(found: object) -> str:
    """Show a value of a file that anyone may have written."""
    return visible(cut(str(found), LONGEST_VALUE))


def _check_no_code(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what would be carried out when a table is read or written (rule 1)."""
    # What is no table and no index has no page of its own.
    query = """
        SELECT type, name FROM sqlite_master
        WHERE type NOT IN ('table', 'index') OR rootpage = 0 OR rootpage IS NULL LIMIT 1
    """
    found = connection.execute(query).fetchone()
    if found is None:
        # What SQLite itself takes it for, whatever the file says of it.
        listed = connection.execute("PRAGMA main.table_list").fetchall()
        found = next(((kind, name) for _, name, kind, *_ in listed if kind != "table"), None)
    if found is not None:
        what, name = (cut(str(each), LONGEST_VALUE) for each in found)
        what = "virtual table" if what == "table" else what
        raise StoreError(
            f"{path} is damaged, or made to do harm: it has the {what} {name!r}, which curvewise "
            "never makes."
        )


def _check_columns(connection: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    """Refuse a file whose tables lack columns or keys, or compute them (rule 1)."""
    with closing(sqlite3.connect(":memory:")) as example:
        for statement in (META, *kind.tables):
            example.execute(statement)
        names = example.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        wanted = {name: _columns(example, name) for (name,) in names}
    for table, columns in wanted.items():
        found = _columns(connection, table)
        later = kind.later_columns.get(table, {})
        lacking = [name for name in columns if name not in found and name not in later]
        if not found or lacking:
            what = (
                f"its table {table} lacks the column {lacking[0]}" if found else f"it lacks {table}"
            )
            raise StoreError(f"{path} is damaged: {what}.")
        for name, (key, hidden) in found.items():
            if hidden or (name in columns and key != columns[name][0]):
                raise StoreError(
                    f"{path} is damaged: the column {name} of its table {table} is none that "
                    "curvewise makes."
                )


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[int, int]]:
    """Give the columns of a table: their places in its key, and whether they are computed."""
    rows = connection.execute(f"PRAGMA main.table_xinfo({table})").fetchall()
    return {name: (key, hidden) for _, name, _, _, _, key, hidden in rows}


def _connect(path: Path, options: str, busy_seconds: float) -> Connection:
    address = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(
        address, uri=True, timeout=busy_seconds, isolation_level=None, factory=Connection
    )
    connection.watch(path)
    connection.execute("PRAGMA foreign_keys = ON")
    # A stranger's file may hold views and triggers: they get no functions beyond the harmless.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _prepare(
    connection: sqlite3.Connection, path: Path, kind: FileKind, busy_seconds: float
) -> None:
    """Choose how the file is written, and make sure that it has all tables and columns."""
    if _switch_to_log(connection, busy_seconds) != "wal":
        raise StoreError(
            f"{path} cannot be written safely: its file system knows no shared memory, as network "
            f"drives often do not; put the file on a local disk."
        )
    # Every commit reaches the operating system before it returns: killing the process, even with
    # SIGKILL, loses nothing. It is flushed to the disk itself only when the log is merged (about
    # every 1,000 pages, or some 200 outcomes): a power cut or a crash of the operating system can
    # lose the outcomes since then, which are evaluated again on resume, but never damages the file.
    # FULL would flush on every outcome, which costs milliseconds each.
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection, path):
        if _is_blank(connection):
            _create_tables(connection, kind)
        for table, columns in _missing_columns(connection, kind).items():
            for column in columns:
                declared = kind.later_columns[table][column]
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {declared}")
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
            if _error_kind(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)


def _missing_columns(connection: sqlite3.Connection, kind: FileKind) -> dict[str, list[str]]:
    """Name the columns that came later than the file, by table."""
    missing = {}
    for table, columns in kind.later_columns.items():
        known = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        missing[table] = [column for column in columns if column not in known]
    return {table: columns for table, columns in missing.items() if columns}


def _check_file(path: Path, kind: FileKind, *, must_exist: bool) -> None:
    """Look at the size: SQLite takes any tiny file for an empty database of its own.

    To read the file here would be a mistake: when it is closed, the system drops all locks that
    this process has on it, those of another connection included (SQLite's "How To Corrupt",
    Sec. 2.2).
    """
    if "\0" in str(path):
        raise StoreError(f"{str(path)!r} is no name of a file.")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not {kind.name}.")
    try:
        found = path.stat()
    except FileNotFoundError:
        if must_exist:
            raise StoreError(f"There is no file {path}.") from None
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}.") from error
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not {kind.name}: it is no regular file.")
    if 0 < found.st_size < SMALLEST_BYTES:
        raise StoreError(f"{path} is not {kind.name}: it is not an SQLite file.")


def _check_neighbours(path: Path) -> None:
    """Refuse what SQLite would carry out when it opens a file to write (rule 2).

    Where a path is a link, they lie beside the file that it leads to.
    """
    real = path.resolve()
    for ending in NEIGHBOURS:
        place = real.with_name(f"{real.name}{ending}")
        try:
            if not stat.S_ISREG(place.lstat().st_mode):
                raise StoreError(f"{place} is no regular file, as what SQLite writes is.")
            if ending == "-journal" and _ends_with(place, MAGIC):
                raise StoreError(
                    f"{path} is damaged, or made to do harm: its journal names another file."
                )
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(f"{place} cannot be opened: {error.strerror}.") from error


def _ends_with(path: Path, ending: bytes) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - len(ending)))
        return file.read() == ending


def _error_kind(error: sqlite3.Error) -> int:
    """The kind of an error: the lowest byte of SQLite's code; 0 for a bug of our own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _sentence(path: Path, name: str, error: sqlite3.Error) -> str | None:
    not_text = NOT_TEXT.match(str(error))
    if not_text is not None:
        return f"{path} is damaged: a text in its column {not_text[1]} is not UTF-8."
    # SQLite repeats what stands in the file.
    what = visible(str(error))
    match _error_kind(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{path} is locked: another process is writing and did not finish in time."
        case sqlite3.SQLITE_FULL:
            return f"The disk is full: {path} cannot grow; what was recorded before is safe."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            why = "it is read-only, or so is its folder, or was opened so"
            return f"{path} cannot be written: {why}."
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            return f"{path} cannot be opened: check the rights on the file and on its folder."
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not {name}: it is not an SQLite file."
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_FORMAT:
            return f"{path} is damaged ({what}): restore it from a copy or begin a new one."
        case sqlite3.SQLITE_ERROR if "unsupported file format" in str(error):
            return f"{path} is damaged ({what}): restore it from a copy or begin a new one."
        case sqlite3.SQLITE_CONSTRAINT:
            return f"{path} is damaged: its rows contradict each other ({what})."
        case sqlite3.SQLITE_INTERRUPT:
            return f"{path} is damaged: to read it takes far longer than its size explains."
        case sqlite3.SQLITE_TOOBIG:
            return f"{path} cannot hold it: a text or a row is larger than SQLite allows."
        case sqlite3.SQLITE_IOERR:
            return f"{path} cannot be read or written ({error}): check its disk."
        case _:
            return None
