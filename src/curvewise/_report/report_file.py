"""Writing a report: the page is made in memory, and written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from curvewise._files import check_replaceable, write_whole
from curvewise._report.report_facts import facts_of
from curvewise._report.report_page import page_of
from curvewise.executors._store import StoredRun


def write_report(run: StoredRun, path: str | Path, *, title: str | None = None) -> Path:
    """Write a stored run as one HTML page that works offline.

    Examples
    --------
    >>> import tempfile
    >>> from curvewise.core._schedule import Schedule
    >>> from curvewise.executors._store import RunStore
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     run = store.begin({}, "150x4-9f86", schedule=Schedule((120,)), n_folds=5)
    ...     write_report(run, f"{folder}/report.html", title="Iris").name
    'report.html'
    """
    check_replaceable(path)
    write_whole(path, page_of(facts_of(run, title=title)))
    return Path(path)
