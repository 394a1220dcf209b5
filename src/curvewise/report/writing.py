"""Writing a report: all of it or nothing.

The page is made in memory, written beside its place under another name, and moved there in one
step: whoever looks sees the old file or the new one, never half of one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from curvewise.errors import InvalidParameter
from curvewise.executors.store import StoredRun
from curvewise.report.facts import facts_of
from curvewise.report.page import page_of

STORE_HEADER = b"SQLite format 3\x00"


def write_report(run: StoredRun, path: str | Path, *, title: str | None = None) -> Path:
    """Write a stored run as one HTML page that works offline.

    Parameters
    ----------
    run
        The run, finished or not: `RunStore.run` finds it.
    path
        The file to write; an older report there is replaced.
    title
        The headline; by default the data set's or the run's name.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    InvalidParameter
        If the file cannot be written; nothing was changed then.
    MissingExtra
        If plotly is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from curvewise.core.schedule import Schedule
    >>> from curvewise.executors.store import RunStore
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     run = store.begin({}, "150x4-9f86", schedule=Schedule((120,)), n_folds=5)
    ...     write_report(run, f"{folder}/report.html", title="Iris").name
    'report.html'
    """
    place = _checked(Path(path))
    _write(place, page_of(facts_of(run, title=title)))
    return Path(path)


def _checked(path: Path) -> Path:
    """Refuse early what cannot be written, or should not be; give the place behind any links."""
    try:
        place = path.resolve()
        if place.is_dir():
            raise InvalidParameter(f"{path} is a folder: name a file for the report.")
        if not place.parent.is_dir():
            raise InvalidParameter(f"There is no folder {path.parent}: create it first.")
        if place.exists():
            _check_replaceable(place, path)
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, InvalidParameter):
            raise
        raise InvalidParameter(_sentence(path, error)) from error
    return place


def _check_replaceable(place: Path, path: Path) -> None:
    if not place.is_file():
        raise InvalidParameter(f"{path} is no regular file: name another one for the report.")
    if not os.access(place, os.W_OK):
        raise InvalidParameter(f"{path} cannot be written: it is read-only.")
    with place.open("rb") as file:
        if file.read(len(STORE_HEADER)) == STORE_HEADER:
            raise InvalidParameter(f"{path} is a run store: name another file for the report.")


def _write(place: Path, page: str) -> None:
    draft = place.with_name(f".{secrets.token_hex(8)}.html")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(page)
        draft.replace(place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InvalidParameter(_sentence(place, error)) from error
        raise


def _sentence(path: Path, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"{path} cannot be written: {reason}."
