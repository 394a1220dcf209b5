"""The page of a run: its facts, and the scripts that show them; written whole or not at all.

A report is a file to be sent around. The names, reprs, messages and decisions of some thousand
candidates fit as they are. Where they do not, long texts are cut at the end and long lists in the
middle, more and more, and the cut says what is missing; the store still has it. In the end only the
best candidates keep their details (`curvewise._report.packed_facts`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curvewise._files import check_replaceable, write_whole
from curvewise._report.loaded_run import ReadableRun
from curvewise._report.packed_facts import packed, without_details
from curvewise._report.report_facts import facts_of
from curvewise._webpage import as_json, asset, compose

PACKAGE = "curvewise._report"
# In this order they become one script: each uses only what stands before it.
SCRIPTS = (
    "text.js",
    "details.js",
    "fitted.js",
    "honest.js",
    "answer.js",
    "plots.js",
    "advice.js",
    "model_tables.js",
    "confusion.js",
    "class_curves.js",
    "residuals.js",
    "importance.js",
    "model.js",
    "curves.js",
    "filters.js",
    "leader.js",
    "time.js",
    "table.js",
    "profile.js",
    "app.js",
)
# The largest script of facts, in characters. With plotly's 5 MB the page stays below 15 MB.
MOST = 8_000_000
# Characters of a text, items of a list, and candidates with their details, from mild to harsh.
# Curves are not cut.
ALL = 10**9
STEPS = (
    (20_000, 2_000, ALL),
    (4_000, 200, ALL),
    (1_000, 60, ALL),
    (300, 24, ALL),
    (120, 8, ALL),
    (120, 8, 5_000),
    (120, 8, 500),
)
# Our own dictionaries have fewer entries: only the users' are ever cut.
FEWEST_ENTRIES = 50
WHOLE = frozenset({"candidates", "points", "folds", "leaders", "anchors", "members", "rivals"})
# What is bounded where it is read, and never cut.
BOUNDED = ("model",)


def write_report(run: ReadableRun, path: str | Path, *, title: str | None = None) -> Path:
    """Write a stored run as one HTML page that works offline."""
    check_replaceable(path)
    write_whole(path, page_of(facts_of(run, title=title)))
    return Path(path)


def page_of(facts: dict[str, Any], *, live: str | None = None) -> str:
    """Make the page; with a script that follows a run, it may ask its own server."""
    texts = [*(asset(PACKAGE, name) for name in SCRIPTS), *filter(None, [live])]
    script = "\n".join(["(() => {", '"use strict";', *texts, "})();"])
    return compose(
        PACKAGE,
        title=facts["title"],
        facts=as_script(facts),
        script=script,
        what="Writing a report",
        connects=live is not None,
    )


def as_script(facts: dict[str, Any], *, most: int = MOST) -> str:
    """Write facts as JSON that may stand in an HTML script element, and fits."""
    text = ""
    bounded = {key: facts[key] for key in BOUNDED if key in facts}
    rest = {key: value for key, value in facts.items() if key not in bounded}
    for longest, most_items, n_whole in STEPS:
        cut = {**shortened(rest, longest, most_items), **bounded}
        text = as_json(packed(without_details(cut, n_whole)))
        if len(text) <= most:
            break
    return text


def shortened(value: Any, longest: int, most_items: int) -> Any:
    """Cut long texts and long lists, at every depth."""
    if isinstance(value, str):
        if len(value) <= longest:
            return value
        return f"{value[:longest]}… ({len(value):,} characters in the store)"
    if isinstance(value, dict):
        return _shortened_entries(value, longest, most_items)
    if isinstance(value, list):
        kept, n_left_out = value, len(value) - most_items
        if n_left_out > 0:
            half = most_items // 2
            kept = [*value[:half], _gap(value, n_left_out), *value[half - most_items :]]
        return [shortened(item, longest, most_items) for item in kept]
    return value


def _shortened_entries(entries: dict[str, Any], longest: int, most_items: int) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    limit = max(most_items, FEWEST_ENTRIES)
    for key, item in list(entries.items())[:limit]:
        name = shortened(key, longest, most_items)
        # Two long names may begin in the same way.
        while name in kept:
            name += "…"
        if key in WHOLE and isinstance(item, list):
            kept[name] = [shortened(each, longest, most_items) for each in item]
        else:
            kept[name] = shortened(item, longest, most_items)
    if len(entries) > limit:
        kept["…"] = f"({len(entries) - limit:,} more in the store)"
    return kept


def _gap(items: list[Any], n_left_out: int) -> Any:
    """What stands for the items that were left out: of the same kind as the others."""
    text = f"… ({n_left_out:,} more in the store)"
    kind = items[0]
    if isinstance(kind, list):
        return [text, *("" for _ in kind[1:])]
    if isinstance(kind, dict):
        return {key: text if i == 0 else "" for i, key in enumerate(kind)}
    return text
