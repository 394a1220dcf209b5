"""One cell of a comparison with peers: a tool's search in a process of its own, measured.

The table is made numbers once, before, and its rows are shuffled by the seed, the same for all
tools. There are no time limits within a search, because most tools have none: slow algorithms are
left out of the candidates instead.
"""

from __future__ import annotations

import sys
from time import perf_counter, process_time
from typing import Any

import numpy as np
import psutil
from sklearn.preprocessing import LabelEncoder

from curvewise._bench.experiments.cells import Cell
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.work.group import draw, measure
from curvewise._bench.peers.adapters import PEERS, Roster, load_package
from curvewise.automl._space.description import describe
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables.table import Table
from curvewise.executors._workers.memory import limited_memory


def peers_cell(ledger: Ledger, plan: Plan, cell: Cell, table: Table) -> dict[str, Any]:
    """Carry out a cell; give its result as plain values."""
    method, settings = plan.method(cell.method), plan.settings
    candidates = draw(settings, cell.seed)
    X, y = as_numbers(table, cell.seed)
    with limited_memory(settings.memory_bytes):
        choice, spent = run_peer(
            method.policy, Roster(candidates), X, y, cv=method.folds, random_state=cell.seed
        )
    quality = measure(ledger, table, candidates[choice], choice, settings, cell.seed)
    return {
        "choice": choice,
        "pipeline": describe(candidates[choice])["text"],
        "folds": method.folds,
        "seconds": spent["cpu_seconds"],
        **spent,
        "n_rows": table.n_rows,
        "n_columns": len(table.X.columns),
        **quality,
    }


def run_peer(
    name: str, roster: Roster, X: Any, y: Any, *, cv: int, random_state: int
) -> tuple[int, dict[str, Any]]:
    """Let a tool choose, and measure what that takes."""
    load_package(name)
    before = psutil.Process().memory_info().rss / 1e6
    cpu, wall = process_time(), perf_counter()
    choice = PEERS[name](roster, X, y, cv=cv, random_state=random_state)
    cpu, wall = process_time() - cpu, perf_counter() - wall
    peak = _peak_mb()
    return choice, {
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        "fits": roster.n_fits,
        "rows": roster.n_rows,
        "peak_mb": peak,
        "grown_mb": None if peak is None else max(0.0, peak - before),
    }


def as_numbers(table: Table, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a table numbers, once for all tools, in an order that the seed says."""
    order = np.random.default_rng(seed).permutation(table.n_rows)
    X = TablePreparation(sparse_output=False).fit_transform(table.X)
    y = LabelEncoder().fit_transform(np.asarray(table.y).astype(str))
    return X[order], y[order]


def _peak_mb() -> float | None:
    """The largest memory that this process has had, where the system tells."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
