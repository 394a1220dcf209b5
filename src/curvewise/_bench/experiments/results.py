"""What came of an experiment: from a ledger, or from the small files that a ledger was exported to.

Exported are two files: ``NAME.csv`` with a row per cell, failed and pending ones included, and
``NAME.json`` with the plan, the machine and the versions. For an experiment on curves the CSV has a
row per point instead.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.ledger import Cell, Ledger, State
from curvewise.errors import InvalidParameterError

KEYS = ("method", "dataset", "seed", "state", "cell_seconds", "failure")
POINT = ("learner", "anchor", "loss")


@dataclass(frozen=True, slots=True)
class Results:
    """An experiment and its cells."""

    plan: Plan
    background: Mapping[str, Any]
    cells: Sequence[Cell]

    @classmethod
    def of(cls, ledger: Ledger, name: str) -> Results:
        """Take an experiment out of a ledger."""
        return cls(ledger.plan(name), ledger.background(name), ledger.cells(name))

    def done(self, method: str, dataset: str | None = None) -> list[Cell]:
        """Give the cells of a method that have a result, perhaps on one data set only."""
        return [
            cell
            for cell in self.cells
            if cell.method == method
            and dataset in (None, cell.dataset)
            and cell.state is State.DONE
            and cell.result is not None
        ]

    def without_result(self, state: State) -> list[Cell]:
        """Give the cells in a state that has no result."""
        return [cell for cell in self.cells if cell.state is state]


def read_all(path: Path, names: Sequence[str] = ()) -> list[Results]:
    """Read the experiments of a ledger, or those that were exported to a folder."""
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        found = [_imported(file) for file in files if not names or file.stem in names]
        if not found:
            raise InvalidParameterError(f"There is no exported experiment in {path}.")
        return found
    with Ledger(path, must_exist=True) as ledger:
        known = list(names) or ledger.names()
        if not known:
            raise InvalidParameterError(f"{path} holds no experiment.")
        return [Results.of(ledger, name) for name in known]


def export(results: Results, folder: Path) -> list[Path]:
    """Write an experiment as small text files."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = results.plan.as_json()
    # Where the data stood is nobody else's business, and no use to them.
    plan["datasets"] = {
        name: source if source.startswith(("openml:", "sklearn:")) else Path(source).name
        for name, source in results.plan.datasets.items()
    }
    described = {"plan": plan, "background": dict(results.background)}
    facts, table = folder / f"{results.plan.name}.json", folder / f"{results.plan.name}.csv"
    facts.write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    rows = [row for cell in results.cells for row in _rows(cell)]
    columns = list(dict.fromkeys([*KEYS, *(key for row in rows for key in row)]))
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return [facts, table]


def _rows(cell: Cell) -> Iterator[dict[str, Any]]:
    """Give a cell as one row, or the points of its curves as several."""
    row: dict[str, Any] = {
        "method": cell.method,
        "dataset": cell.dataset,
        "seed": cell.seed,
        "state": cell.state.value,
        "cell_seconds": None if cell.seconds is None else _rounded(cell.seconds),
        "failure": cell.headline or None,
    }
    result = dict(cell.result or {})
    curves = result.pop("curves", None)
    ended = result.pop("ended", {})
    row |= {key: _rounded(value) for key, value in result.items()}
    row |= {f"n_{status}": n for status, n in ended.items()}
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
        with file.with_suffix(".csv").open(encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        return Results(plan, described["background"], _cells(plan, rows))
    except OSError as error:
        raise InvalidParameterError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidParameterError(f"{file} is no exported experiment ({error}).") from None


def _cells(plan: Plan, rows: list[dict[str, str]]) -> list[Cell]:
    cells: dict[tuple[str, str, str], Cell] = {}
    for row in rows:
        key = (row["method"], row["dataset"], row["seed"])
        values = {name: _value(text) for name, text in row.items() if name not in KEYS and text}
        point = [values.pop(name, None) for name in POINT]
        known = cells.get(key)
        if known is None:
            known = cells[key] = _cell(plan, row, len(cells), values)
        if point[0] is not None and known.result is not None:
            known.result["curves"].setdefault(point[0], []).append(point[1:])
    return list(cells.values())


def _cell(plan: Plan, row: dict[str, str], number: int, values: dict[str, Any]) -> Cell:
    state = State(row["state"])
    result: dict[str, Any] | None = None
    if state is State.DONE:
        ended = {
            name: values.pop(f"n_{name}")
            for name in ("completed", "pruned", "stopped", "failed")
            if f"n_{name}" in values
        }
        result = {**values, "ended": ended}
        if plan.kind == "curves":
            result["curves"] = {}
    return Cell(
        number,
        plan.name,
        row["method"],
        row["dataset"],
        int(row["seed"]),
        state,
        float(row["cell_seconds"]) if row["cell_seconds"] else None,
        result,
        row["failure"] or None,
    )


def _value(text: str) -> Any:
    """Read a cell of a CSV: a number, a truth value, or text."""
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
