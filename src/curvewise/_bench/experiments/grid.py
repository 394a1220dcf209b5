"""A table as text: Markdown, LaTeX and CSV from the same records.

Names of data sets and methods come from users: they are escaped for each format.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._packages import require
from curvewise.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd

MARK = "†"
# For each heading, how a record is shown below it.
Columns = Mapping[str, Callable[[Any], str]]
MARKDOWN = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "\n": " "})
LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "†": r"$^\dagger$", "≥": r"$\geq$", "\n": " ",
})  # fmt: skip


def load_pandas() -> Any:
    """Import what results and their tables are made with."""
    return require("pandas", "Tables of experiments", extra="bench")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: what it shows, as texts, and its numbers, as records."""

    name: str
    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Columns,
        records: Sequence[Mapping[str, Any]],
        notes: Sequence[str] = (),
    ) -> Grid:
        """Make a table with a row per record."""
        rows = [[show(record) for show in columns.values()] for record in records]
        return cls(name, title, list(columns), rows, records, notes)

    def markdown(self) -> str:
        """Write it as Markdown."""
        frame = self._frame(MARKDOWN)
        try:
            table = frame.to_markdown(index=False, tablefmt="github", disable_numparse=True)
        except ImportError:
            raise MissingExtraError("Writing tables as Markdown", "bench") from None
        notes = [f"{note.translate(MARKDOWN)}\n" for note in self.notes]
        return "\n".join([f"**{self.title.translate(MARKDOWN)}**", "", table, "", *notes])

    def latex(self) -> str:
        """Write it as LaTeX, for the package booktabs."""
        frame = self._frame(LATEX)
        sides = "l" + "r" * (len(self.headings) - 1)
        try:
            table = frame.to_latex(index=False, escape=False, column_format=sides)
        except ImportError:
            raise MissingExtraError("Writing tables as LaTeX", "bench") from None
        return table + "".join(rf"\par {note.translate(LATEX)}" + "\n" for note in self.notes)

    def csv(self) -> str:
        """Write its numbers as CSV."""
        # As objects, or whole numbers would become floats where one is missing.
        return str(load_pandas().DataFrame(self.records, dtype=object).to_csv(index=False))

    def write(self, folder: Path) -> list[Path]:
        """Write all three into a folder."""
        texts = {".md": self.markdown(), ".tex": self.latex(), ".csv": self.csv()}
        files = [folder / f"{self.name}{suffix}" for suffix in texts]
        for file, text in zip(files, texts.values(), strict=True):
            file.write_text(text, encoding="utf-8")
        return files

    def _frame(self, escapes: dict[int, str]) -> pd.DataFrame:
        rows = [[text.translate(escapes) for text in row] for row in self.rows]
        headings = [text.translate(escapes) for text in self.headings]
        return load_pandas().DataFrame(rows, columns=headings)


def figure(value: float | None, digits: int, *, sign: bool = False) -> str:
    """Write a number; nothing if there is none."""
    if value is None or math.isnan(value):
        return ""
    return f"{value:{'+' if sign else ''},.{digits}f}"


def percent(share: float | None) -> str:
    """Write a share as a percentage; nothing if there is none."""
    return figure(None if share is None else 100 * share, 1)


def figure_in(key: str, digits: int, *, sign: bool = False) -> Callable[[Any], str]:
    """Show a number of a record."""
    return lambda record: figure(record[key], digits, sign=sign)


def percent_in(key: str) -> Callable[[Any], str]:
    """Show a share of a record as a percentage."""
    return lambda record: percent(record[key])


def n_of(n: int, n_all: int) -> str:
    """Say how many are there, and of how many if some are missing."""
    return f"{n}" if n == n_all else f"{n} of {n_all}{MARK}"


def file_name(text: str) -> str:
    """Make a name that every file system takes."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-.") or "unnamed"
