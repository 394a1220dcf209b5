"""Temporary files, all of them: where they lie, and who removes them.

What other processes only read has no name, so nobody has to remove it (`unnamed_file`), and they
get it to read (`read_only`). What needs a name lies in a folder that begins with `PREFIX`: one that
a block has for itself (`temporary_folder`), or one that several processes know of, the last of
which removes it (`name_folder`, `make_folder`, `remove_folder`). What a learner writes lies there
too (`keep_files_in`). A disk that is full is said to be (`explaining_the_disk`).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from curvewise._interrupts import interrupts_wait
from curvewise.errors import CurvewiseError

PREFIX = "curvewise-"
# Where tempfile, other programs and joblib look for the place of temporary files.
VARIABLES = ("TMPDIR", "JOBLIB_TEMP_FOLDER")


@contextlib.contextmanager
def explaining_the_disk() -> Iterator[None]:
    """Say in a sentence that temporary files cannot be made or written in this block."""
    try:
        yield
    except OSError as error:
        place = tempfile.tempdir or "any folder for them"
        raise CurvewiseError(
            f"Temporary files cannot be written to {place} ({error.strerror or error}): make room "
            "there, or name another folder in the environment variable TMPDIR."
        ) from error


def unnamed_file() -> IO[bytes]:
    """Give a file that is gone when nobody has it open, whoever is killed."""
    with explaining_the_disk():
        return tempfile.TemporaryFile(prefix=PREFIX)


def read_only(file: IO[bytes]) -> int:
    """Give a new descriptor of an unnamed file through which nobody can write to it.

    Not a copy of the old one: memory that is mapped from that could be made writable.
    """
    try:
        os.fchmod(file.fileno(), 0o400)
        return os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY)
    except (AttributeError, OSError):
        # Not Linux.
        return os.dup(file.fileno())


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that is removed afterwards, however often the user interrupts that.

    Wherever the program is by then, and whatever its environment says: the path is a full one.
    """
    with explaining_the_disk():
        folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    try:
        yield folder
    finally:
        with interrupts_wait(nth=None):
            remove_folder(folder)


def name_folder() -> Path:
    """Give the full path of a folder that nobody has made yet."""
    with explaining_the_disk():
        return Path(tempfile.gettempdir()).absolute() / f"{PREFIX}{secrets.token_hex(8)}"


def make_folder(folder: str | Path) -> None:
    """Make a folder, which may be there, for nobody else's eyes."""
    Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)


def remove_folder(folder: str | Path) -> None:
    """Remove a folder with all that is in it, if it is there."""
    shutil.rmtree(folder, ignore_errors=True)


def keep_files_in(folder: str | Path) -> None:
    """Let temporary files of this process, and of those below it, lie in a folder."""
    make_folder(folder)
    tempfile.tempdir = str(folder)
    for name in VARIABLES:
        os.environ[name] = str(folder)
