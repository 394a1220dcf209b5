"""The page of a run: its facts, and the scripts that show them."""

from __future__ import annotations

from typing import Any

from curvewise._report.page_size import as_script
from curvewise._webpage import asset, compose

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


def page_of(facts: dict[str, Any]) -> str:
    """Make the page.

    Examples
    --------
    >>> page_of({"title": "Iris"})[:15]
    '<!doctype html>'
    """
    texts = (asset(PACKAGE, name) for name in SCRIPTS)
    script = "\n".join(["(() => {", '"use strict";', *texts, "})();"])
    return compose(
        PACKAGE, title=facts["title"], facts=as_script(facts), script=script, what="Reports"
    )
