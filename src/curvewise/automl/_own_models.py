"""The models that this user has saved on this machine: they need no trust by name.

A file that names a class which is not on our list is refused, unless the user trusts that class.
Who has just saved a model knows who made it. So its digest (SHA-256 of the whole file) is written
into a list in the user's folder of states, and a file with a digest from that list is trusted as it
is. Nobody can make another file with the same digest, and who can write that list has the user's
rights already.

Rules:

1. What counts is what is in the file, not its name or place: a copy is as good, and a file in the
   place of another is not.
2. The list has an end: the oldest digests go.
3. Where there is no such folder, or it cannot be written, nothing is remembered, and the models
   need trust by name, as on any other machine.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

from curvewise._files import write_whole
from curvewise.errors import CurvewiseError

# At 65 bytes each.
MOST = 10_000


def remember(path: str | Path) -> bool:
    """Remember a model that was just saved; False if that is not possible."""
    try:
        with Path(path).open("rb") as file:
            digest = _digest_of(file)
        known = [each for each in _remembered() if each != digest]
        text = "".join(f"{each}\n" for each in [*known[1 - MOST :], digest])
        place = _place()
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, text)
    except (OSError, RuntimeError, CurvewiseError):
        return False
    return True


def is_own(file: BinaryIO) -> bool:
    """Whether this user has saved just this model on this machine."""
    try:
        known = _remembered()
    except (OSError, RuntimeError):
        return False
    file.seek(0)
    digest = _digest_of(file)
    file.seek(0)
    return digest in known


def _place() -> Path:
    """Give the file with the list, in the folder that the XDG specification names for states."""
    given = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(given) if given else Path.home() / ".local" / "state"
    return folder / "curvewise" / "saved-models"


def _remembered() -> list[str]:
    try:
        return _place().read_text(encoding="ascii", errors="replace").split()
    except FileNotFoundError:
        return []


def _digest_of(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := file.read(2**20):
        digest.update(block)
    return digest.hexdigest()
