"""Files that are written as a whole or not at all, and only where they may be; files that are read.

Whoever looks sees the old file or the new one, never half of one: a draft is written beside its
place and moved there in one step. What cannot work is said before hours of work, not after them.

What is read is a regular file: a pipe or a device may give bytes for ever, or none at all.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from curvewise.errors import InvalidParameterError

NOT_REGULAR = "it is no regular file, but a pipe, a device or a folder"
STORE_HEADER = b"SQLite format 3\x00"


def open_regular(path: str | Path) -> BinaryIO:
    """Open a file to read its bytes; what is no regular file is an `OSError` that says so."""
    # Without waiting: a pipe that nobody writes to would never open.
    descriptor = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, NOT_REGULAR)
    return os.fdopen(descriptor, "rb")


def is_file(path: str | Path) -> bool:
    """Whether a regular file is there; a name that none can have is none."""
    return stat.S_ISREG(_mode_of(path))


def is_folder(path: str | Path) -> bool:
    """Whether a folder is there; a name that none can have is none."""
    return stat.S_ISDIR(_mode_of(path))


def _mode_of(path: str | Path) -> int:
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):  # Too long, for one; or there is nothing.
        return 0


def check_place(path: str | Path) -> Path:
    """Refuse early what could not be written; give the place behind any links."""
    path = Path(path)
    try:
        place = path.resolve()
        if place.is_dir():
            raise InvalidParameterError(f"{path} is a folder, not a file.")
        if not place.parent.is_dir():
            raise InvalidParameterError(
                f"There is no folder {place.parent} to write {place.name}: create it first."
            )
        if place.exists() and not place.is_file():
            raise InvalidParameterError(f"{path} is no regular file: name another one.")
        if place.exists() and not os.access(place, os.W_OK):
            raise InvalidParameterError(f"{path} cannot be written: it is read-only.")
        # Rights may come from anywhere: only an attempt tells.
        draft = _draft_of(place)
        draft.touch(exist_ok=False)
        draft.unlink()
    except InvalidParameterError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidParameterError(_sentence(path, error)) from error
    return place


def check_replaceable(path: str | Path) -> Path:
    """Refuse early what could not be written, or is a run store, which takes hours to make."""
    place = check_place(path)
    if place.exists() and holds_store(place):
        raise InvalidParameterError(f"{path} is a run store: name another file.")
    return place


def check_outputs(
    outputs: Mapping[str, Path | None], *, source: str | Path, store: Path | None = None
) -> None:
    """Refuse files that could not be written, that are the input, or that are the same."""
    taken = {Path(source).resolve(): ""}
    for option, path in {"--store": store, **outputs}.items():
        if path is None:
            continue
        place = check_place(path) if option == "--store" else check_replaceable(path)
        other = taken.setdefault(place, option)
        if not other:
            raise InvalidParameterError(
                f"{option} would write over the table that is read, {path}."
            )
        if other != option:
            raise InvalidParameterError(
                f"{other} and {option} are the same file, {path}: name two."
            )


def holds_store(path: Path) -> bool:
    """Say whether a file is a run store, by its first bytes."""
    with path.open("rb") as file:
        return file.read(len(STORE_HEADER)) == STORE_HEADER


def write_whole(path: str | Path, content: str | Callable[[Path], None]) -> None:
    """Write a file; if that fails, what was there before is there still."""
    place = check_replaceable(path)
    draft = _draft_of(place)
    try:
        if isinstance(content, str):
            with draft.open("x", encoding="utf-8", newline="\n") as file:
                file.write(content)
        else:
            content(draft)
        draft.replace(place)
    except OSError as error:
        raise InvalidParameterError(_sentence(Path(path), error)) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _draft_of(place: Path) -> Path:
    return place.with_name(f".{secrets.token_hex(8)}{place.suffix[:16]}")


def _sentence(path: Path, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"{path} cannot be written: {reason}."
