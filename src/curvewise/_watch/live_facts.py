"""The facts of a run that is being written: those of its report, and how far it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curvewise._report.report_facts import facts_of
from curvewise._selection.run_notes import GIVEN, clock_seconds, is_under_way
from curvewise.core._checks import finite_or_none
from curvewise.core._portfolio import Status
from curvewise.errors import StoreError
from curvewise.executors import RunStatus, RunStore, StoredRun


def live_facts(store: Path, run: str | int | None) -> dict[str, Any] | None:
    """Read what there is to show of a run; None if it has not begun."""
    try:
        opened = RunStore.read(store)
    except StoreError:
        if store.exists() and store.stat().st_size:
            raise
        return None
    with opened:
        try:
            found = opened.run(run)
        except StoreError:
            return None
        # First whether it goes on: a run that ends while it is read is read once more.
        progress = progress_of(found, now=datetime.now(UTC))
        return {**facts_of(found), "live": progress}


def is_over(store: Path, run: str | int | None) -> bool:
    """Whether a run has ended, and what comes after its search; one that has not begun has not."""
    try:
        with RunStore.read(store) as opened:
            return not _goes_on(opened.run(run))
    except StoreError:
        return False


def _goes_on(run: StoredRun) -> bool:
    return run.summary().status is RunStatus.RUNNING or is_under_way(run.notes())


def progress_of(run: StoredRun, *, now: datetime) -> dict[str, Any]:
    """Say whether a run goes on, since when, for how long still, and who is under way.

    What is left follows from the budget, or from how many of the candidates that were asked for
    have ended. A run that was resumed has rested in between: then nothing is said of it. Of a run
    that is over nothing changes any more.
    """
    summary, notes = run.summary(), run.notes()
    goes_on = _goes_on(run)
    if not goes_on:
        now = summary.updated
    noted = notes.get(GIVEN)
    given = noted if isinstance(noted, dict) else {}
    seconds = max(0.0, (now - summary.created).total_seconds())
    results = run.results()
    n_ended = sum(result.status is not Status.RUNNING for result in results)
    guesses = []
    budget, n_asked = finite_or_none(given.get("budget")), finite_or_none(given.get("candidates"))
    if budget is not None:
        guesses.append(budget - seconds)
    if n_asked is not None and n_ended:
        guesses.append(seconds * (n_asked / n_ended - 1))
    told = goes_on and bool(guesses) and not clock_seconds(notes) > 0
    return {
        "running": goes_on,
        "seconds": round(seconds, 1),
        "left": round(max(0.0, min(guesses)), 1) if told else None,
        "under_way": len(results) - n_ended,
    }
