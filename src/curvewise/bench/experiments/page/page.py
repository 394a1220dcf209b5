"""The page of an experiment: facts, template, style and script as one HTML text.

The rules are those of a run's report (`curvewise.report.page`): nothing is loaded from anywhere;
what users and their data say stands in one JSON block and gets into the page as text only; a
content security policy allows our own scripts by their hashes, and no connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib import metadata, resources
from string import Template
from typing import Any

from curvewise.bench.experiments.page.facts import facts_of
from curvewise.bench.experiments.results import Results
from curvewise.core.sketch import escape
from curvewise.errors import MissingExtra

ASSETS = "curvewise.bench.experiments.page"


def page_of(experiments: Sequence[Results]) -> str:
    """Make the page.

    Parameters
    ----------
    experiments
        One or more, each a section of the page.

    Raises
    ------
    MissingExtra
        If plotly is not installed.
    """
    plotly, script = _plotly(), _asset("page.js")
    facts = [facts_of(results) for results in experiments]
    return Template(_asset("page.html")).substitute(
        title=escape(", ".join(each["name"] for each in facts)[:200]),
        policy=_policy(script, plotly),
        style=_asset("style.css"),
        facts=as_script(facts),
        script=script,
        plotly=plotly,
        version=escape(metadata.version("curvewise")),
    )


def as_script(facts: Any) -> str:
    r"""Write facts as JSON that no text in it can end.

    Examples
    --------
    >>> as_script(["</script>"])
    '["\\u003c/script\\u003e"]'
    """
    text = json.dumps(facts, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingExtra("Pages", "report") from None
    return _with_plain_newlines(get_plotlyjs())


def _asset(name: str) -> str:
    file = resources.files(ASSETS) / "assets" / name
    return _with_plain_newlines(file.read_text(encoding="utf-8"))


def _with_plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _policy(*scripts: str) -> str:
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
