"""Results as JSON lines: one object per cell, appended as soon as it is measured.

Rules:

1. A cell that is there is not run again; the last line of a cell counts.
2. A line that was cut off by a crash counts as not there.
3. Results that cannot be compared are refused: the same tool with another definition, the same
   table with other content, other cores, another seed.
4. One command writes at a time: two on the same cores would measure each other.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curvewise._files import check_replaceable, open_regular
from curvewise._text import cut, one_line
from curvewise.errors import InvalidParameterError

# What a cell is told apart by; and what results of the same tool or table have in common.
KEYS = ("tool", "table", "split", "budget")
COMMON = ("n_cores", "seed")
# The last line of a traceback, also where more is printed after it.
RAISED = re.compile(r"^[\w.]*(Error|Exception|Interrupt|Exit)\b")
LONGEST_REASON = 160


@dataclass(frozen=True, slots=True)
class ToolCell:
    """A tool on a split of a table, with so many seconds."""

    tool: str
    table: str
    split: int
    budget: float

    def __str__(self) -> str:
        return f"{self.tool} on {self.table}, split {self.split}, {self.budget:g} s"


def cell_of(result: Mapping[str, Any]) -> ToolCell:
    """Say which cell a result is of."""
    return ToolCell(*(result[key] for key in KEYS))


def reason_of(error: str) -> str:
    """Give the line of an error text that says most: what was raised last, else the last line."""
    lines = [line for line in error.splitlines() if line.strip()]
    raised = [line for line in lines if RAISED.match(line)]
    return cut(one_line([*lines, *raised[-1:]][-1]), LONGEST_REASON) if lines else ""


class ResultFile:
    """A file of results."""

    def __init__(self, path: Path) -> None:
        self.path = path
        check_replaceable(path)
        self._results = {cell_of(result): result for result in _lines(path)}

    @property
    def results(self) -> list[dict[str, Any]]:
        """All results, in the order in which their cells were first written."""
        return list(self._results.values())

    def done(self, *, failed: bool = True) -> set[ToolCell]:
        """Which cells have a result; those that failed count or not."""
        return {cell for cell, each in self._results.items() if failed or not each["error"]}

    def check(
        self,
        *,
        n_cores: int,
        seed: int,
        definitions: Mapping[str, Any],
        fingerprints: Mapping[str, str | None],
    ) -> None:
        """Refuse to add results that could not be compared with those that are there."""
        for result in self._results.values():
            tool, table = result["tool"], result["table"]
            wanted: dict[str, Any] = {"n_cores": n_cores, "seed": seed}
            if tool in definitions:
                wanted["definition"] = definitions[tool]
            if table in fingerprints:
                wanted["fingerprint"] = fingerprints[table]
            for key, value in wanted.items():
                if result[key] != value:
                    what = {"definition": f"tool {tool}", "fingerprint": f"table {table}"}
                    raise InvalidParameterError(
                        f"{self.path} has results with another {what.get(key, key)} "
                        f"({_brief(result[key])}, now {_brief(value)}): name another file."
                    )

    def append(self, result: Mapping[str, Any]) -> None:
        """Add a result; it is on the disk when this returns."""
        text = json.dumps({key: _plain(value) for key, value in result.items()})
        with self.path.open("a+b") as file:
            end = file.seek(0, 2)
            file.seek(max(0, end - 1))
            cut_off = end > 0 and file.read(1) != b"\n"
            file.write(("\n" if cut_off else "").encode() + text.encode() + b"\n")
        self._results[cell_of(result)] = dict(result)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from writing meanwhile."""
        import fcntl

        with self.path.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InvalidParameterError(
                    f"Another command is writing {self.path}; wait for its end."
                ) from None
            yield


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    if not path.exists():
        return
    try:
        with open_regular(path) as file:
            text = file.read().decode("utf-8")
    except (OSError, ValueError) as error:
        raise InvalidParameterError(f"{path} cannot be read: {error}.") from None
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            result = json.loads(line)
        except (ValueError, RecursionError):
            if line.startswith("{"):
                continue
            result = None
        if not isinstance(result, dict) or not {*KEYS, *COMMON, "error"} <= set(result):
            raise InvalidParameterError(f"{path}, line {number} is no result of a comparison.")
        yield result


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
