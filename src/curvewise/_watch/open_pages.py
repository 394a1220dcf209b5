"""Which pages about a run are open, and whether they have yet to see its end.

A server that ended with its run would leave a page without the final report: on a busy machine a
page takes long to be drawn before it asks, and others may have seen the end earlier. Rules:

1. A page says its name when it asks for facts. Before it has asked for the first time it is being
   drawn, and may be so for a minute.
2. It is waited for as long as it may be silent: the grace that is given, or three times as long as
   between the last two times that it asked. One that is silent for longer was closed.
3. Nobody is waited for longer than `LONGEST_WAIT` seconds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

DRAWING_SECONDS = 60.0
TIMES_SILENT = 3.0
LONGEST_WAIT = 20.0
# Names are forgotten beyond so many, the oldest first.
MOST = 100


@dataclass(slots=True)
class _Page:
    """When a page asked last, how long after the time before, and whether it has seen the end."""

    asked: float
    gap: float = 0.0
    seen_end: bool = False


class OpenPages:
    """Knows who asks; see the rules above."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._drawn: list[float] = []
        self._pages: dict[str, _Page] = {}

    def served(self) -> None:
        """Note that a page was sent, and is being drawn."""
        with self._changed:
            self._drawn = [*self._drawn, self._clock()][-MOST:]

    def asked(self, name: str) -> None:
        """Note that a page asks for facts."""
        now = self._clock()
        with self._changed:
            page = self._pages.pop(name, None)
            if page is None:
                page = _Page(now)
                del self._drawn[:1]
            page.asked, page.gap = now, now - page.asked
            self._pages[name] = page
            if len(self._pages) > MOST:
                del self._pages[next(iter(self._pages))]

    def has_seen_end(self, name: str) -> None:
        """Note that a page was sent the end of the run."""
        with self._changed:
            if name in self._pages:
                self._pages[name].seen_end = True
            self._changed.notify_all()

    def wait(self, grace: float) -> None:
        """Wait until every open page has seen the end, as long as that may take."""
        begun = self._clock()
        with self._changed:
            while (left := self.seconds_left(grace, begun)) > 0:
                self._changed.wait(left)

    def seconds_left(self, grace: float, begun: float) -> float:
        """Say how long to wait still, of a wait that has begun then."""
        ends = [drawn + DRAWING_SECONDS for drawn in self._drawn]
        ends += [
            page.asked + max(grace, TIMES_SILENT * page.gap)
            for page in self._pages.values()
            if not page.seen_end
        ]
        longest = begun + max(grace, LONGEST_WAIT)
        return min(max(ends, default=begun), longest) - self._clock()
