"""`watch`: a run while it is being written, in a browser or in a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from curvewise._packages import require
from curvewise._sketch import escape
from curvewise._watch.run_server import RunServer
from curvewise.executors import RunStore

HEIGHT = 640


class Watch:
    """A page about a run that follows it while it is being written; made by `watch`.

    In a notebook it shows itself. It serves this machine only, and ends with `close`, at the end of
    a ``with`` statement, or with the process.

    Parameters
    ----------
    server
        Who serves the page.

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> with tempfile.TemporaryDirectory() as folder, cw.watch(f"{folder}/run.db") as page:
    ...     page.address.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, server: RunServer) -> None:
        self._server = server

    @property
    def address(self) -> str:
        """Where the page is; whoever knows it can read it."""
        return self._server.address

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._server.over

    def close(self, *, grace: float = 0.0) -> None:
        """End the server.

        Parameters
        ----------
        grace
            Seconds in which an open page may still see how the run ended.
        """
        self._server.close(grace=grace)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Watch({self.address!r})"

    def _repr_html_(self) -> str:
        address = escape(self.address)
        return (
            f'<iframe src="{address}" title="A run that is being watched" width="100%" '
            f'height="{HEIGHT}" style="border: 1px solid #8886"></iframe>'
            f'<p><a href="{address}" target="_blank" rel="noopener">Open it in a tab of its own</a>'
            "</p>"
        )


def watch(store: str | Path, *, run: str | int | None = None) -> Watch:
    """Serve the report of a run on this machine while the run is being written.

    The page refreshes by itself: curves grow, candidates fall out, and it says how much time is
    left. It can be opened before the run begins.

    Parameters
    ----------
    store
        The file in which the run is kept, as given to a search as ``store``; it need not exist yet.
    run
        The run's name or number; by default the one that was begun last.

    Returns
    -------
    Watch
        With the ``address`` of the page; the last expression of a notebook's cell shows it.

    Raises
    ------
    StoreError
        If the file is something else than a run store.
    MissingExtraError
        If plotly is not installed; ``pip install 'curvewise[report]'`` does it.

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> with tempfile.TemporaryDirectory() as folder, cw.watch(f"{folder}/run.db") as page:
    ...     page.over
    False
    """
    require("plotly", "Watching a run", extra="report")
    path = Path(store)
    if path.exists() and path.stat().st_size:
        RunStore.read(path).close()
    return Watch(RunServer(path, run))
