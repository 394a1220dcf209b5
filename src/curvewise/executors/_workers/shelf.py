"""Where large candidates are kept while their tasks are carried out: a few, and not too much.

A search goes back and forth between a few candidates at a time. What has not been used for longest
goes first; who still uses it keeps it alive.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

MOST_THINGS = 16
MOST_BYTES = 2**30

T = TypeVar("T")


class Shelf(Generic[T]):
    """Keeps what was used lately, within limits; the latest always."""

    def __init__(self) -> None:
        self._things: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Give what is kept under a name; None if it is not there."""
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key][0]

    def put(self, key: Hashable, thing: T, *, n_bytes: int) -> None:
        """Keep something, which takes so many bytes."""
        self._things[key] = (thing, n_bytes)
        self._things.move_to_end(key)
        while len(self._things) > 1 and (
            len(self._things) > MOST_THINGS
            or sum(size for _, size in self._things.values()) > MOST_BYTES
        ):
            self._things.popitem(last=False)

    def names(self) -> list[Any]:
        """Give the names of what is kept."""
        return list(self._things)

    def discard(self, key: Hashable) -> None:
        """Keep something no longer."""
        self._things.pop(key, None)

    def clear(self) -> None:
        """Keep nothing."""
        self._things.clear()
