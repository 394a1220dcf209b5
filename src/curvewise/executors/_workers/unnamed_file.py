"""A file that has no name: what is in it can be handed to other processes, and nobody leaves it."""

from __future__ import annotations

import os
import weakref

from curvewise._temporary import explaining_the_disk, read_only, unnamed_file


class UnnamedFile:
    """Bytes on disk, as long as somebody holds this; it is closed when nobody does."""

    def __init__(self, content: bytes) -> None:
        with explaining_the_disk(), unnamed_file() as file:
            file.write(content)
            file.flush()
            self._descriptor = read_only(file)
        weakref.finalize(self, os.close, self._descriptor)

    def fileno(self) -> int:
        """Give its descriptor."""
        return self._descriptor

    def read(self) -> bytes:
        """Read all of it."""
        with open(os.dup(self._descriptor), "rb") as file:  # noqa: PTH123 - a descriptor
            file.seek(0)
            return file.read()
