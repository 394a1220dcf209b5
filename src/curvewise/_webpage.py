"""A page that works offline: template, style, script, facts and plotly as one HTML text.

Rules:

1. Nothing is loaded from anywhere: styles, scripts, plotly and the facts are inside.
2. What users and their data say is in one JSON block, which a browser never runs, and the scripts
   put it into the page as text only. The title is the one exception, and is escaped here.
3. A content security policy names our scripts by their hashes and allows no connection, but for a
   page that follows a run: that may ask its own server. Should rule 2 ever be broken by a bug, an
   injected script or handler would still not run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from importlib import metadata, resources
from string import Template
from typing import Any

from curvewise._packages import require
from curvewise._sketch import escape
from curvewise._text import cut, valid_text

LONGEST_TITLE = 200
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="curvewise $version">
<link rel="icon" href="data:,">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
$body</body>
</html>
"""


def compose(
    package: str,
    *,
    title: str,
    facts: str,
    script: str,
    what: str = "Pages",
    connects: bool = False,
) -> str:
    """Put a page together: the body and the style are assets of the package.

    With ``connects`` its scripts may ask the server that it came from, and no other.
    """
    plotly = _with_plain_newlines(require("plotly.offline", what, extra="report").get_plotlyjs())
    shown = {
        "title": escape(valid_text(cut(title, LONGEST_TITLE))),
        "version": escape(metadata.version("curvewise")),
    }
    body = Template(asset(package, "body.html")).substitute(
        shown, facts=facts, script=script, plotly=plotly
    )
    return Template(PAGE).substitute(
        shown,
        policy=_policy(script, plotly, connects=connects),
        style=asset(package, "style.css"),
        body=body,
    )


def as_json(facts: Any) -> str:
    """Write facts as JSON that may stand in an HTML script element.

    ``<``, ``>`` and ``&`` and everything beyond ASCII are escaped: no text can end the element.
    """
    text = json.dumps(facts, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def plain(value: Any, *, not_finite: Callable[[float], str | None] = lambda _: None) -> Any:
    """Reduce a value to what JSON knows; what it does not know becomes text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else not_finite(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item, not_finite=not_finite) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, not_finite=not_finite) for item in value]
    return str(value)


def asset(package: str, name: str) -> str:
    """Read a file of a package's folder ``assets``."""
    file = resources.files(package) / "assets" / name
    return _with_plain_newlines(file.read_text(encoding="utf-8"))


def _with_plain_newlines(text: str) -> str:
    """Browsers read every end of a line as a line feed, and take hashes of what they read."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _policy(*scripts: str, connects: bool) -> str:
    """The content security policy of a page with these scripts.

    Plotly writes style attributes, and draws on images that it makes itself.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    connect = "connect-src 'self'; " if connects else ""
    return (
        f"default-src 'none'; script-src {hashes}; {connect}style-src 'unsafe-inline'; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
