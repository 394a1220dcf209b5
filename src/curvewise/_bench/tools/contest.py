"""Carrying out a comparison: every tool on every split of every table, with every budget.

Cells are run one after the other, because two at once would take each other's time: all tools on a
split, then the next table, then the next split, then the next budget, so that what is there after
an interruption can be compared. A cell has twice its budget and two minutes; then it is ended.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curvewise._bench.experiments.data_sets import fingerprint_of
from curvewise._bench.tools.environments import Environments
from curvewise._bench.tools.result_file import ResultFile, ToolCell
from curvewise._bench.tools.scores import METRICS, UnusableAnswerError, constant_score, score
from curvewise._bench.tools.split_table import Split, load_table, split_table
from curvewise._bench.tools.tool_list import Tool
from curvewise._bench.tools.watched_process import Watched, check_cores, watch
from curvewise._temporary import temporary_folder
from curvewise._text import cut, one_line
from curvewise.automl._tables.table import Table
from curvewise.errors import InvalidParameterError
from curvewise.executors._workers.process_tree import describe_exit

LIMIT_FACTOR = 2.0
LIMIT_SECONDS = 120.0
# Of what a tool wrote to standard error, the end says why it failed.
LONGEST_ERROR = 2_000


@dataclass(frozen=True, slots=True)
class ContestSettings:
    """What all cells of a comparison share."""

    budgets: Sequence[float]
    n_splits: int
    n_cores: int
    seed: int = 0
    limit_factor: float = LIMIT_FACTOR
    limit_seconds: float = LIMIT_SECONDS


class Contest:
    """A comparison of tools on tables."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        tables: Mapping[str, str],
        environments: Environments,
        file: ResultFile,
        settings: ContestSettings,
    ) -> None:
        self._tools, self._tables = tools, tables
        self._environments, self._file, self._settings = environments, file, settings
        self._fingerprints = {name: fingerprint_of(source) for name, source in tables.items()}
        self._loaded: tuple[str, Table] | None = None

    def check(self) -> None:
        """Say before the work what cannot work."""
        check_cores(self._settings.n_cores)
        self._environments.check(self._tools.values())
        self._file.check(
            n_cores=self._settings.n_cores,
            seed=self._settings.seed,
            definitions={name: tool.definition for name, tool in self._tools.items()},
            fingerprints=self._fingerprints,
        )

    def check_tables(self, cells: Iterable[ToolCell]) -> None:
        """Read and split every table that cells are about: one that cannot be is said at once."""
        for name in dict.fromkeys(cell.table for cell in cells):
            try:
                split_table(self._table(name), 0, seed=self._settings.seed)
            except InvalidParameterError as error:
                raise InvalidParameterError(f"{name}: {error}") from None

    def open_cells(self, *, retry_failed: bool = False) -> list[ToolCell]:
        """Which cells are to be run, in their order."""
        done = self._file.done(failed=not retry_failed)
        cells = [
            ToolCell(tool, table, split, budget)
            for budget in self._settings.budgets
            for split in range(self._settings.n_splits)
            for table in self._tables
            for tool in self._tools
        ]
        return [cell for cell in cells if cell not in done]

    def run(
        self,
        cells: Iterable[ToolCell],
        *,
        on_begin: Callable[[ToolCell], None] = lambda _: None,
        on_end: Callable[[dict[str, Any]], None] = lambda _: None,
    ) -> None:
        """Run cells and keep what they give."""
        with self._file.locked():
            versions: dict[str, str | None] = {}
            for cell in cells:
                if cell.tool not in versions:
                    tool = self._tools[cell.tool]
                    versions[cell.tool] = self._environments.version(tool)
                on_begin(cell)
                result = {**self._carry_out(cell), "version": versions[cell.tool]}
                self._file.append(result)
                on_end(result)

    def _carry_out(self, cell: ToolCell) -> dict[str, Any]:
        table = self._table(cell.table)
        split = split_table(table, cell.split, seed=self._settings.seed)
        started = datetime.now(UTC).isoformat(timespec="seconds")
        with temporary_folder() as folder:
            watched = self._ask(cell, split, folder)
            given = _answer_of(watched, folder, split)
        return {
            **asdict(cell),
            "task": split.task,
            "metric": METRICS[split.task],
            "n_rows": table.n_rows,
            "n_columns": len(table.X.columns),
            "n_test_rows": len(split.y_test),
            "constant_score": constant_score(split.y_train, split.y_test, task=split.task),
            **given,
            **{key: value for key, value in asdict(watched).items() if key != "exit_code"},
            "started": started,
            "n_cores": self._settings.n_cores,
            "seed": self._settings.seed,
            "fingerprint": self._fingerprints[cell.table],
            "definition": self._tools[cell.tool].definition,
        }

    def _table(self, name: str) -> Table:
        """Read a table; the last one is kept, because the next cell is mostly about it."""
        if self._loaded is None or self._loaded[0] != name:
            self._loaded = (name, load_table(self._tables[name]))
        return self._loaded[1]

    def _ask(self, cell: ToolCell, split: Split, folder: Path) -> Watched:
        """Run the tool's script on a split."""
        tool = self._tools[cell.tool]
        train, test = folder / "train.parquet", folder / "test.parquet"
        split.write(train, test)
        request = {
            "train": str(train),
            "test": str(test),
            "target": split.target,
            "task": split.task,
            "seconds": cell.budget,
            "n_cores": self._settings.n_cores,
            "seed": self._settings.seed + cell.split,
            "options": dict(tool.options),
            "answer": str(folder / "answer.json"),
            "begun": time.time(),
        }
        asked = folder / "request.json"
        asked.write_text(json.dumps(request), encoding="utf-8")
        return watch(
            [str(self._environments.interpreter(tool)), str(tool.script), str(asked)],
            folder=folder,
            variables=self._environments.variables(tool),
            n_cores=self._settings.n_cores,
            limit=self._settings.limit_factor * cell.budget + self._settings.limit_seconds,
        )


def _answer_of(watched: Watched, folder: Path, split: Split) -> dict[str, Any]:
    """Measure what a script wrote; if it wrote nothing of use, say why."""
    nothing = dict.fromkeys(("score", "choice", "model_seconds", "first_seconds", "busy_share"))
    if watched.exit_code is None:
        said = f"ended after {watched.seconds:.0f} s, because its time was up."
        return {**nothing, "error": said}
    if watched.exit_code != 0:
        said = describe_exit(watched.exit_code, "The tool's process")
        return {**nothing, "error": f"{said} {_last_words(folder)}".strip()}
    try:
        answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
        scores = score(answer, split.y_train, split.y_test, task=split.task)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        said = "The tool wrote no answer that can be read."
        return {**nothing, "error": f"{said} {_last_words(folder)}".strip()}
    except UnusableAnswerError as error:
        return {**nothing, "error": f"The tool's answer is of no use: {error}"}
    told = {name: answer.get(name) for name in ("model_seconds", "first_seconds", "busy_share")}
    return {
        **scores,
        "choice": cut(one_line(str(answer.get("choice", ""))), 500),
        **{name: value if isinstance(value, float) else None for name, value in told.items()},
        "error": None,
    }


def _last_words(folder: Path) -> str:
    """The end of what a process wrote to standard error."""
    text = (folder / "stderr.txt").read_text(encoding="utf-8", errors="replace")
    return text.strip()[-LONGEST_ERROR:]


def seconds_left(cells: Iterable[ToolCell], results: Iterable[Mapping[str, Any]]) -> float:
    """Foresee what cells will take: as long as their tool took with that budget, on average."""
    taken: dict[tuple[str, float], list[float]] = {}
    for result in results:
        taken.setdefault((result["tool"], result["budget"]), []).append(result["seconds"])
    total = 0.0
    for cell in cells:
        known = taken.get((cell.tool, cell.budget))
        total += sum(known) / len(known) if known else cell.budget
    return total
