"""The page: facts, template, styles and scripts put together as one HTML text.

Rules:

1. Nothing is loaded from anywhere: styles, scripts, plotly and the facts are inside.
2. What users and their data say is in one JSON block, which a browser never runs, and the scripts
   put it into the page as text only. The title is the one exception, and is escaped here.
3. A content security policy names our scripts by their hashes and allows no connection. Should rule
   2 ever be broken by a bug, an injected script or handler would still not run.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import metadata, resources
from string import Template
from typing import Any

from curvewise.core.sketch import escape
from curvewise.errors import MissingExtra
from curvewise.report.budget import as_script

# In this order they become one script: each uses only what stands before it.
SCRIPTS = (
    "text.js",
    "details.js",
    "answer.js",
    "plots.js",
    "advice.js",
    "curves.js",
    "filters.js",
    "incumbent.js",
    "time.js",
    "table.js",
    "profile.js",
    "app.js",
)
LONGEST_TITLE = 200


def page_of(facts: dict[str, Any]) -> str:
    """Make the page.

    Parameters
    ----------
    facts
        What `curvewise.report.facts.facts_of` gathered.

    Raises
    ------
    MissingExtra
        If plotly is not installed.

    Examples
    --------
    >>> page_of({"title": "Iris"})[:15]
    '<!doctype html>'
    """
    plotly = _plotly()
    script = "\n".join(["(() => {", '"use strict";', *map(_asset, SCRIPTS), "})();"])
    return Template(_asset("page.html")).substitute(
        title=escape(facts["title"][:LONGEST_TITLE]),
        policy=_policy(script, plotly),
        style=_asset("style.css"),
        facts=as_script(facts),
        script=script,
        plotly=plotly,
        version=escape(metadata.version("curvewise")),
    )


def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingExtra("Reports", "report") from None
    return _with_plain_newlines(get_plotlyjs())


def _asset(name: str) -> str:
    file = resources.files("curvewise.report") / "assets" / name
    return _with_plain_newlines(file.read_text(encoding="utf-8"))


def _with_plain_newlines(text: str) -> str:
    """Browsers read every end of a line as a line feed, and take hashes of what they read."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _policy(*scripts: str) -> str:
    """The content security policy of a page with these scripts.

    Plotly writes style attributes, and draws on images that it makes itself.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
