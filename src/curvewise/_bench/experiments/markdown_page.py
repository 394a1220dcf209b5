"""The documentation's page of results, made from exported experiments.

It says what was run on what, what was reduced, and sets the paper's own figures beside ours. What
people have to say about it stands in a text of its own, and comes first; the rest is not written by
hand, so that the page can be made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import PurePosixPath
from typing import Any

from curvewise._bench.experiments.experiment_plan import Settings
from curvewise._bench.experiments.grid import MARK, Grid, figure
from curvewise._bench.experiments.method_comparison import (
    MethodComparison,
    comparisons,
    slow_datasets,
)
from curvewise._bench.experiments.plan_file import read_suite, suite_names
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.table_list import INCOMPLETE, comparison_grid, tables_of
from curvewise._text import counted

# Mohr & van Rijn 2023, Sec. V-A: run time as a share of k-fold's, mean over 67 data sets.
PAPER_RATIOS = {"80lccv": 0.83, "90lccv": 0.65}
PAPER_SLOW_RATIOS = {"80lccv": 0.76, "90lccv": 0.70}
PAPERS = ("paper-80", "paper-90")
PAPER_WITHIN = {0.015: 0.90, 0.01: 0.83}
HEAD = """# Results of the experiments

This page is made by `curvewise bench results` from the experiments' exported cells; [how to run
them](../how-to/experiments.md) says how to make it again, and what exactly is measured.
"""
COST = {
    "search": "Run time of a method: the recorded seconds of all fits that it asked for, and its "
    "own deciding. A fit that several methods ask for was made once and charged to each.",
    "peers": "Run time of a tool: the CPU seconds of its search, in a process of its own with one "
    "thread; nothing is shared.",
}
UNITS = {"timeout": " s"}
# A choice that is at most this much worse on average counts as good as exhaustive k-fold's.
AS_GOOD = 0.002


def results_page(
    experiments: Sequence[Results],
    *,
    notes: str = "",
    pictures: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Write the page as Markdown."""
    parts = [HEAD, notes.strip() + "\n"] if notes.strip() else [HEAD]
    shown = pictures or {}
    parts += [_section(results, shown.get(results.plan.name, ())) for results in experiments]
    return "\n".join(parts)


def _section(results: Results, pictures: Sequence[str]) -> str:
    plan = results.plan
    command = plan.name if plan.name in suite_names() else "run FILE"
    lines = [f"## {plan.title}", "", f"`curvewise bench {command}`: {_setting(results)}", ""]
    lines += [COST[plan.kind], ""] if plan.kind in COST else []
    reduced = reductions(results)
    if reduced:
        lines += ["Not as in the whole suite: " + "; ".join(reduced) + ".", ""]
    lines += [_machine(results), ""]
    found = comparisons(results)
    lines += [grid.markdown() for grid in paper_grids(results, found)]
    if plan.kind == "peers":
        lines += verdicts(found)
    lines += [grid.markdown() for grid in tables_of(results) if grid.rows]
    slow = slow_datasets(results)
    if found and slow and len(slow) < len(plan.datasets):
        lines += [f"On the slow data sets only ({', '.join(slow)}):", ""]
        lines += [comparison_grid(results, [each.on(slow) for each in found]).markdown()]
    for address in pictures:
        about = PurePosixPath(address).stem.removeprefix(f"{plan.name}-").replace("-", " ")
        lines += [f"![{plan.name}: {about}]({address})", ""]
    return "\n".join(lines)


def paper_grids(results: Results, found: Sequence[MethodComparison]) -> list[Grid]:
    """Set the paper's figures beside ours, if it is one of its experiments and has a result."""
    compared = [each for each in found if len(each.pairs)]
    if results.plan.name not in PAPERS or not compared:
        return []
    slow = slow_datasets(results)
    rows = [_beside_paper(each, slow) for each in compared]
    headings = ["", "run time", "paper", "on slow sets", "paper"]
    headings += ["within .015", "paper", "within .01", "paper"]
    note = (
        "Run time: mean over data sets of the ratio to the reference. The paper gives its shares "
        "for 80LCCV and 90LCCV together; ours are of pairs of data set and seed, and count choices "
        "that are better by more as well. Its searches accept partial results of candidates that "
        "ran out of time; ours prefer complete ones."
    )
    notes = [note, INCOMPLETE] if any(each.n_missing for each in found) else [note]
    name = f"{results.plan.name}-paper"
    return [Grid(name, "Beside the paper's own figures", headings, rows, [], notes)]


def _beside_paper(each: MethodComparison, slow: Sequence[str]) -> list[str]:
    printed = each.method in PAPER_RATIOS
    row = [
        f"{each.method} against {each.reference}" + (MARK if each.n_missing else ""),
        f"{each.mean_ratio:.2f}",
        figure(PAPER_RATIOS.get(each.method), 2),
        f"{each.on(slow).mean_ratio:.2f}" if slow else "",
        figure(PAPER_SLOW_RATIOS.get(each.method), 2),
    ]
    for tolerance, share in PAPER_WITHIN.items():
        row += [f"{each.near(tolerance):.0%}", f"{share:.0%}" if printed else ""]
    return row


def verdicts(found: Sequence[MethodComparison]) -> list[str]:
    """Say which tool is the cheapest of those that choose as well as their reference."""
    lines = []
    for reference in dict.fromkeys(each.reference for each in found if len(each.pairs)):
        rivals = [each for each in found if each.reference == reference and len(each.pairs)]
        good = sorted(
            (each for each in rivals if each.mean_gap <= AS_GOOD), key=lambda each: each.mean_ratio
        )
        others = [each for each in rivals if each not in good]
        text = (
            f"Against {reference}, as good on average (at most {AS_GOOD:g} worse), cheapest first: "
        )
        text += ", ".join(map(_stands, good)) if good else "none"
        if others:
            text += ". Worse: " + ", ".join(map(_stands, others))
        lines += [f"{text}.", ""]
    return lines


def _stands(each: MethodComparison) -> str:
    mark = MARK if each.n_missing else ""
    return f"{each.method} {each.mean_ratio:.2f} ({each.mean_gap:+.4f}){mark}"


def reductions(results: Results) -> list[str]:
    """Say which settings differ from those of the suite at the paper's scale."""
    plan = results.plan
    if plan.name not in suite_names():
        return []
    whole = read_suite(plan.name)
    found = []
    if len(plan.datasets) != len(whole.datasets):
        found.append(f"{counted(len(plan.datasets), 'data set')}, not {len(whole.datasets)}")
    for one in fields(Settings):
        ours, theirs = getattr(plan.settings, one.name), getattr(whole.settings, one.name)
        if ours != theirs and one.name not in ("cell_timeout", "slow_seconds"):
            unit = UNITS.get(one.name, "")
            name = one.name.replace("_", " ")
            found.append(f"{name} {_said(ours)}{unit}, not {_said(theirs)}{unit}")
    return found


def _said(value: Any) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else f"{value}"


def _setting(results: Results) -> str:
    settings = results.plan.settings
    n_done = sum(cell.result is not None for cell in results.cells)
    words = [
        counted(len(results.plan.datasets), "data set"),
        counted(settings.seeds, "seed"),
        f"{n_done} of {len(results.cells)} cells done",
    ]
    if results.plan.kind != "curves":
        words[2:2] = [f"{settings.candidates} candidates"]
        words.append(f"quality by {settings.quality_repeats} random splits")
    if settings.timeout is not None:
        words.append(f"{settings.timeout:g} s per validation")
    return ", ".join(words) + "."


def _machine(results: Results) -> str:
    facts = results.background
    text = f"Begun {str(facts.get('begun', ''))[:10]} on {hardware(facts)}; {versions(facts)}."
    return text + "".join(f" Continued on {hardware(one)}." for one in facts.get("later", ()))


def versions(facts: Mapping[str, Any]) -> str:
    """Say which versions of Python and its packages a machine had."""
    known = facts.get("versions", {})
    return ", ".join(f"{name} {said}" for name, said in known.items() if name != "system")


def hardware(facts: Mapping[str, Any]) -> str:
    """Say what a machine was."""
    return (
        f"{facts.get('cores', '?')} cores of {facts.get('processor') or 'unknown processors'}, "
        f"{facts.get('memory_gb', '?')} GB"
    )
