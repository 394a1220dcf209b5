"""The page of a run: its facts, and the scripts that show them; written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curvewise._files import check_replaceable, write_whole
from curvewise._report.page_size import as_script
from curvewise._report.report_facts import facts_of
from curvewise._webpage import asset, compose
from curvewise.executors import StoredRun

PACKAGE = "curvewise._report"
# In this order they become one script: each uses only what stands before it.
SCRIPTS = (
    "text.js",
    "details.js",
    "answer.js",
    "plots.js",
    "advice.js",
    "curves.js",
    "filters.js",
    "leader.js",
    "time.js",
    "table.js",
    "profile.js",
    "app.js",
)


def write_report(run: StoredRun, path: str | Path, *, title: str | None = None) -> Path:
    """Write a stored run as one HTML page that works offline."""
    check_replaceable(path)
    write_whole(path, page_of(facts_of(run, title=title)))
    return Path(path)


def page_of(facts: dict[str, Any]) -> str:
    """Make the page."""
    texts = (asset(PACKAGE, name) for name in SCRIPTS)
    script = "\n".join(["(() => {", '"use strict";', *texts, "})();"])
    return compose(
        PACKAGE, title=facts["title"], facts=as_script(facts), script=script, what="Reports"
    )
