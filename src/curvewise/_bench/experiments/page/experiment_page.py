"""The page of an experiment: its facts, and the script that shows them."""

from __future__ import annotations

from collections.abc import Sequence

from curvewise._bench.experiments.page.page_facts import facts_of
from curvewise._bench.experiments.results import Results
from curvewise._webpage import as_json, asset, compose

PACKAGE = "curvewise._bench.experiments.page"


def page_of(experiments: Sequence[Results]) -> str:
    """Make the page."""
    facts = [facts_of(results) for results in experiments]
    title = ", ".join(each["name"] for each in facts)
    return compose(PACKAGE, title=title, facts=as_json(facts), script=asset(PACKAGE, "page.js"))
