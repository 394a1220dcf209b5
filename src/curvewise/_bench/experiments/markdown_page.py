"""The documentation's page of results, made from exported experiments.

It says what was run on what, what was reduced, and sets the paper's own figures beside ours. What
people have to say about it stands in a text of its own, and comes first; the rest is not written by
hand, so that the page can be made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from curvewise._bench.experiments.convexity_study import Shape
from curvewise._bench.experiments.grid import MARK
from curvewise._bench.experiments.method_comparison import (
    MethodComparison,
    comparisons,
    slow_datasets,
)
from curvewise._bench.experiments.paper_figures import paper_grids
from curvewise._bench.experiments.plan_file import reductions, suite_names
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.table_list import (
    bent_grid,
    comparison_grid,
    learner_grid,
    tables_of,
)
from curvewise._text import counted

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
# A choice that is at most this much worse on average counts as good as exhaustive k-fold's.
AS_GOOD = 0.002


def results_page(
    experiments: Sequence[Results],
    *,
    studies: Sequence[Mapping[str, Any]] = (),
    notes: str = "",
    pictures: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Write the page as Markdown: experiments, and studies of recorded curves."""
    parts = [HEAD, notes.strip() + "\n"] if notes.strip() else [HEAD]
    shown = pictures or {}
    parts += [_section(results, shown.get(results.plan.name, ())) for results in experiments]
    parts += [_study(study, shown.get(study["name"], ())) for study in studies]
    return "\n".join(parts)


def _section(results: Results, pictures: Sequence[str]) -> str:
    plan = results.plan
    command = plan.name if plan.name in suite_names() else "run FILE"
    lines = [f"## {plan.title}", "", f"`curvewise bench {command}`: {_setting(results)}", ""]
    lines += [COST[plan.kind], ""] if plan.kind in COST else []
    reduced = reductions(plan)
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
    return "\n".join([*lines, *_shown(plan.name, pictures)])


def _shown(name: str, pictures: Sequence[str]) -> list[str]:
    lines = []
    for address in pictures:
        about = PurePosixPath(address).stem.removeprefix(f"{name}-").replace("-", " ")
        lines += [f"![{name}: {about}]({address})", ""]
    return lines


def _study(study: Mapping[str, Any], pictures: Sequence[str]) -> str:
    """Write about the shapes of recorded curves."""
    source, name, least = study["source"], study["name"], study["min_anchor"]
    some = f" --min-anchor {least}" if least > 1 else ""
    bent = [Shape(**one) for one in study["bent"]]
    title = "Curves that are not convex by more than .01 and end within .01 of the best"
    title_of_all = f"## Convexity of recorded curves: {source}"
    lines = [title_of_all + (f", from {least} rows on" if some else ""), ""]
    lines += [f"`curvewise bench convexity --curves {source}.parquet{some} --output FOLDER`: "
              f"{study['by_learner'][-1]['n_curves']:,} curves on {study['n_datasets']} data sets.",
              ""]  # fmt: skip
    lines += [learner_grid(study["by_learner"], name).markdown()]
    lines += [bent_grid(bent, name, title).markdown()] if bent else []
    return "\n".join([*lines, *_shown(name, pictures)])


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
