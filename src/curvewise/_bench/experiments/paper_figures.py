"""The paper's own figures beside ours, on the data sets that both have (Mohr & van Rijn 2023).

Sec. V-A gives averages over 67 data sets, and the supplement's tables (``paper_tables.csv``) the
means of each. Averages over different data sets say little about each other: what is compared first
is the ratio of run times on the same ones, which are told by their OpenML number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from curvewise._bench.experiments.grid import MARK, Grid, figure, load_pandas
from curvewise._bench.experiments.method_comparison import MethodComparison, slow_datasets
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.table_list import INCOMPLETE

if TYPE_CHECKING:
    import pandas as pd

# Run time as a share of k-fold's: mean over 67 data sets, and over the 19 slow ones.
RATIOS = {"80lccv": 0.83, "90lccv": 0.65}
SLOW_RATIOS = {"80lccv": 0.76, "90lccv": 0.70}
WITHIN = {0.015: 0.90, 0.01: 0.83}
OPENML = re.compile(r"openml-(\d+)\b")


@cache
def paper_table() -> pd.DataFrame:
    """The paper's means of error and seconds, by OpenML number and method."""
    with (resources.files(__package__) / "paper_tables.csv").open() as file:
        return load_pandas().read_csv(file, index_col="openml")


def shared(datasets: Iterable[str]) -> dict[str, int]:
    """Give the data sets that the paper has as well, with their OpenML numbers."""
    found = {name: match for name in datasets if (match := OPENML.match(name))}
    numbers = {name: int(match[1]) for name, match in found.items()}
    return {name: number for name, number in numbers.items() if number in paper_table().index}


def paper_grids(results: Results, found: Sequence[MethodComparison]) -> list[Grid]:
    """Set the paper's figures beside ours, if it is one of its experiments and has a result."""
    compared = [each for each in found if len(each.pairs)]
    if not any(each.method in RATIOS for each in compared):
        return []
    own = next(each for each in compared if each.method in RATIOS)
    return [_averages(results, compared), *_by_dataset(results, own)]


def _averages(results: Results, compared: Sequence[MethodComparison]) -> Grid:
    slow = slow_datasets(results)
    both = shared(compared[0].datasets)
    n, n_slow = len(compared[0].datasets), len(slow)
    headings = ["", f"{len(both)} shared sets", "paper", f"all {n}", "paper: 67"]
    headings += [f"{n_slow} slow", "paper: 19", "within .015", "paper", "within .01", "paper"]
    rows = []
    for each in compared:
        printed = each.method in RATIOS
        mark = MARK if each.n_missing else ""
        row = [
            f"{each.method} against {each.reference}{mark}",
            figure(each.on(list(both)).mean_ratio, 2) if both else "",
            figure(_paper_ratio(each, both), 2) if printed and both else "",
            f"{each.mean_ratio:.2f}",
            figure(RATIOS.get(each.method), 2),
            figure(each.on(slow).mean_ratio, 2) if slow else "",
            figure(SLOW_RATIOS.get(each.method), 2),
        ]
        for tolerance, share in WITHIN.items():
            row += [f"{each.near(tolerance):.0%}", f"{share:.0%}" if printed else ""]
        rows.append(row)
    notes = [
        "Run time: mean over data sets of the ratio to the reference; on the data sets that the "
        "paper has as well, on all, and on the slow ones (by 80LCCV's run time). The paper gives "
        "its shares within .015 and .01 for 80LCCV and 90LCCV together; ours are of pairs of data "
        "set and seed, and count choices that are better by more as well."
    ]
    if any(each.n_missing for each in compared):
        notes.append(INCOMPLETE)
    name = f"{results.plan.name}-paper"
    return Grid(name, "Beside the paper's own figures", headings, rows, [], notes)


def _paper_ratio(each: MethodComparison, both: dict[str, int]) -> float:
    rows = paper_table().loc[list(both.values())]
    return float((rows[f"{each.method}_seconds"] / rows[f"{each.reference}_seconds"]).mean())


def _by_dataset(results: Results, each: MethodComparison) -> list[Grid]:
    """The shared data sets one by one; none if there are none."""
    ours, paper = each.by_dataset, paper_table()
    errors = each.pairs.groupby("dataset")[["error", "reference_error"]].mean()
    rows = []
    for name, number in shared(each.datasets).items():
        theirs = paper.loc[number]
        ratio = theirs[f"{each.method}_seconds"] / theirs[f"{each.reference}_seconds"]
        row = [name, figure(ours.ratio[name], 2), figure(ratio, 2)]
        for error, method in (("error", each.method), ("reference_error", each.reference)):
            row += [figure(errors[error][name], 3), figure(theirs[f"{method}_error"], 2)]
        rows.append(row)
    headings = ["data set", "run time", "paper", f"{each.method}: error", "paper"]
    headings += [f"{each.reference}: error", "paper"]
    title = f"{each.method} against {each.reference} on the data sets that the paper has as well"
    grid = Grid(f"{results.plan.name}-shared", title, headings, rows, [])
    return [grid] if rows else []
