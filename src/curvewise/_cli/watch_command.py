"""``curvewise watch``: the page about a run while it is being written."""

from __future__ import annotations

import time
from typing import Any

from curvewise._cli import options
from curvewise._cli.terminal import say
from curvewise._watch import Watch, watch
from curvewise._watch.live_facts import is_over
from curvewise.core._search import Search
from curvewise.executors import Listener, RunStore

EPILOG = """
**Examples**

    curvewise watch run.db

    curvewise select data.csv --watch

The page is served on this machine only, under an address that nobody can guess, and is read-only.
It is there until the run ends, or until Ctrl-C.
"""
# How often it is looked whether the run has ended, and how long an open page may see the end.
EVERY_SECONDS = 1.0
GRACE_SECONDS = 5.0


def watch_command(store: options.StoreFile, run: options.Run = None) -> None:
    """Show a run in a browser while it is being written."""
    with RunStore.read(store) as opened:
        found = opened.run(run)
    if is_over(store, found.id):
        say(f"Run {found.id} has ended: curvewise report {store} writes its report.")
        return
    page = watch(store, run=found.id)
    say(f"Watch it at {page.address} (Ctrl-C closes the page; the run goes on)")
    try:
        while not page.over:
            time.sleep(EVERY_SECONDS)
        say("The run has ended.")
        page.close(grace=GRACE_SECONDS)
    except KeyboardInterrupt:
        page.close()


class WatchedSearch(Listener):
    """Opens the page about a search as soon as its run has begun, and says where it is."""

    def __init__(self, store: Any, run: str | None, say: Any) -> None:
        self._store, self._run, self._say = store, run, say
        self._page: Watch | None = None

    def started(self, search: Search) -> None:
        """Open the page."""
        if self._page is None:
            self._page = watch(self._store, run=self._run)
            self._say(f"Watch it at {self._page.address}")

    def close(self) -> None:
        """Let an open page see how the run ended, and end it."""
        if self._page is not None:
            self._page.close(grace=GRACE_SECONDS)
