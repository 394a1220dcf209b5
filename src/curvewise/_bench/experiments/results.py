"""What came of an experiment: from a ledger, or from the small files that a ledger was exported to.

Exported are two files: ``NAME.csv`` with a row per cell, failed and pending ones included, and
``NAME.json`` with the plan, the machine and the versions. For an experiment on curves the CSV has a
row per point instead.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.experiments.cells import Cell, State
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.grid import load_pandas
from curvewise._bench.experiments.ledger import Ledger
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    import pandas as pd

KEYS = ("method", "dataset", "seed", "state", "cell_seconds", "failure")
TEXTS = ("method", "dataset", "state", "failure", "pipeline", "learner")
POINT = ("learner", "anchor", "loss")
STATUSES = ("completed", "pruned", "stopped", "failed")
# What tables average or add up; a result that lacks one has no number there.
MEASURES = (
    "error", "seconds", "cpu_seconds", "wall_seconds", "fits", "rows", "peak_mb",
    "stopped_seconds", "quality_n_failed", "n_rows", "partial",
)  # fmt: skip


@dataclass(frozen=True)
class Results:
    """An experiment and its cells."""

    plan: Plan
    background: Mapping[str, Any]
    cells: Sequence[Cell]
    # The experiments of the same file or folder: two of the paper's tables are about the same sets.
    beside: Sequence[Results] = ()

    @classmethod
    def of(cls, ledger: Ledger, name: str) -> Results:
        """Take an experiment out of a ledger."""
        return next(each for each in _all_of(ledger, [name]))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row per cell: method, data set, seed, whether it is done, and its measures."""
        rows = [
            {
                "method": cell.method,
                "dataset": cell.dataset,
                "seed": cell.seed,
                "done": cell.result is not None,
                **{key: (cell.result or {}).get(key) for key in MEASURES},
                **{f"n_{key}": n for key, n in (cell.result or {}).get("ended", {}).items()},
            }
            for cell in self.cells
        ]
        names = ["method", "dataset", "seed", "done", *MEASURES, *(f"n_{key}" for key in STATUSES)]
        frame = load_pandas().DataFrame(rows, columns=names)
        return frame.astype(dict.fromkeys(names[4:], float))

    def done(self, method: str) -> list[Cell]:
        """Give the cells of a method that have a result."""
        return [c for c in self.cells if c.method == method and c.result is not None]

    def in_state(self, state: State) -> list[Cell]:
        """Give the cells in a state."""
        return [cell for cell in self.cells if cell.state is state]


def read_all(path: Path, names: Sequence[str] = ()) -> list[Results]:
    """Read the experiments of a ledger, or those that were exported to a folder."""
    if path.is_dir():
        files = sorted(file for file in path.glob("*.json") if file.with_suffix(".csv").exists())
        everything = [_imported(file) for file in files]
        found = [each for each in everything if not names or each.plan.name in names]
        if not found:
            raise InvalidParameterError(f"There is no exported experiment in {path}.")
        return [replace(each, beside=everything) for each in found]
    with Ledger(path, must_exist=True) as ledger:
        known = list(names) or ledger.names()
        if not known:
            raise InvalidParameterError(f"{path} holds no experiment.")
        return _all_of(ledger, known)


def read_studies(folder: Path) -> list[dict[str, Any]]:
    """Read the studies of recorded curves that stand beside exported experiments."""
    if not folder.is_dir():
        return []
    texts = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("convexity-*.json"))]
    return [each for each in map(json.loads, texts) if each.get("study") == "convexity"]


def _all_of(ledger: Ledger, names: Sequence[str]) -> list[Results]:
    """Take experiments out of a ledger, and what stands beside them."""
    everything = {
        name: Results(ledger.plan(name), ledger.background(name), ledger.cells(name))
        for name in dict.fromkeys([*names, *ledger.names()])
    }
    return [replace(everything[name], beside=list(everything.values())) for name in names]


def export(results: Results, folder: Path) -> list[Path]:
    """Write an experiment as small text files."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = results.plan.as_json()
    # Where data and sequences stood is nobody else's business, and no use to them.
    plan["settings"]["sequences"] = [Path(one).name for one in results.plan.settings.sequences]
    plan["datasets"] = {
        name: source if source.startswith(("openml:", "sklearn:")) else Path(source).name
        for name, source in results.plan.datasets.items()
    }
    described = {"plan": plan, "background": dict(results.background)}
    facts, table = folder / f"{results.plan.name}.json", folder / f"{results.plan.name}.csv"
    facts.write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    rows = [row for cell in results.cells for row in _rows(cell)]
    # As objects, or whole numbers would become floats where one is missing.
    frame = load_pandas().DataFrame(rows, dtype=object)
    frame.to_csv(table, index=False, lineterminator="\n")
    return [facts, table]


def _rows(cell: Cell) -> Iterator[dict[str, Any]]:
    """Give a cell as one row, or the points of its curves as several."""
    result = dict(cell.result or {})
    curves = result.pop("curves", None)
    ended = result.pop("ended", {})
    values = {
        "method": cell.method,
        "dataset": cell.dataset,
        "seed": cell.seed,
        "state": cell.state.value,
        "cell_seconds": cell.seconds,
        "failure": cell.headline or None,
        **result,
        **{f"n_{status}": n for status, n in ended.items()},
    }
    row = {key: _rounded(value) for key, value in values.items()}
    if not curves:
        yield row
        return
    for learner, points in curves.items():
        for anchor, loss in points:
            yield {**row, "learner": learner, "anchor": anchor, "loss": _rounded(loss)}


def _rounded(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) and math.isfinite(value) else value


def _imported(file: Path) -> Results:
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        plan = Plan.from_json(described["plan"])
        rows = load_pandas().read_csv(
            file.with_suffix(".csv"),
            dtype=dict.fromkeys(TEXTS, "str"),
            dtype_backend="numpy_nullable",
            keep_default_na=False,
            na_values=[""],
        )
        results = Results(plan, described["background"], _cells(plan, rows))
        # A measure that is no number is found out here.
        _ = results.frame
    except OSError as error:
        raise InvalidParameterError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidParameterError(f"{file} is no exported experiment ({error}).") from None
    return results


def _cells(plan: Plan, rows: pd.DataFrame) -> list[Cell]:
    is_missing = load_pandas().isna
    cells: dict[tuple[str, str, int], Cell] = {}
    for row in rows.to_dict("records"):
        known = {str(key): value for key, value in row.items() if not is_missing(value)}
        place = (known["method"], known["dataset"], known["seed"])
        point = [known.pop(name, None) for name in POINT]
        cell = cells.setdefault(place, _cell(plan, known, len(cells)))
        if point[0] is not None and cell.result is not None:
            cell.result["curves"].setdefault(point[0], []).append(point[1:])
    return list(cells.values())


def _cell(plan: Plan, known: dict[str, Any], number: int) -> Cell:
    state = State(known["state"])
    counts = {f"n_{status}": status for status in STATUSES}
    result: dict[str, Any] | None = None
    if state is State.DONE:
        result = {key: value for key, value in known.items() if key not in (*KEYS, *counts)}
        result["ended"] = {counts[key]: n for key, n in known.items() if key in counts}
        if plan.kind == "curves":
            result["curves"] = {}
    return Cell(
        number,
        plan.name,
        known["method"],
        known["dataset"],
        known["seed"],
        state,
        known.get("cell_seconds"),
        result,
        known.get("failure"),
    )
