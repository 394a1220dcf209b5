"""A table as text: Markdown, LaTeX and CSV from the same rows.

Names of data sets and methods come from users: they are escaped for each format.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curvewise._bench.experiments.method_comparison import Mean

MARK = "†"
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "†": r"$^\dagger$", "≥": r"$\geq$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grid:
    r"""A table.

    Examples
    --------
    >>> grid = Grid("toy", "A toy.", ["data_set", "error"], [["iris|2", "0.1±0.0"]], [])
    >>> print(grid.markdown())
    **A toy.**
    <BLANKLINE>
    | data_set | error |
    |---|---|
    | iris\|2 | 0.1±0.0 |
    <BLANKLINE>
    """

    name: str
    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Write it as Markdown."""
        lines = [f"**{_markdown(self.title)}**", "", _row(self.headings)]
        lines += ["|" + "---|" * len(self.headings), *(_row(row) for row in self.rows), ""]
        lines += [f"{_markdown(note)}\n" for note in self.notes]
        return "\n".join(lines)

    def latex(self) -> str:
        """Write it as LaTeX, for the package booktabs."""
        columns = "l" + "r" * (len(self.headings) - 1)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex_row(self.headings)]
        lines += [r"\midrule", *(_latex_row(row) for row in self.rows), r"\bottomrule"]
        lines += [r"\end{tabular}", *(rf"\par {_latex(note)}" for note in self.notes), ""]
        return "\n".join(lines)

    def csv(self) -> str:
        """Write its numbers as CSV."""
        columns = list(dict.fromkeys(key for record in self.records for key in record))
        file = io.StringIO()
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records)
        return file.getvalue()

    def write(self, folder: Path) -> list[Path]:
        """Write all three into a folder."""
        texts = {".md": self.markdown(), ".tex": self.latex(), ".csv": self.csv()}
        files = []
        for suffix, text in texts.items():
            file = folder / f"{self.name}{suffix}"
            file.write_text(text, encoding="utf-8")
            files.append(file)
        return files


def shown(mean: Mean, digits: int) -> str:
    """Write a mean with its deviation; a mark says that cells are missing from it.

    Examples
    --------
    >>> shown(Mean(0.123, 0.004, 3, 3), 3), shown(Mean(0.123, None, 1, 3), 3)
    ('0.123±0.004', '0.123 (1 of 3)†')
    >>> shown(Mean(None, None, 0, 3), 3)
    'none (0 of 3)†'
    """
    text = "none" if mean.mean is None else f"{mean.mean:,.{digits}f}"
    if mean.spread is not None:
        text += f"±{mean.spread:,.{digits}f}"
    return text if mean.whole else f"{text} ({mean.n} of {mean.n_all}){MARK}"


def file_name(text: str) -> str:
    """Make a name that every file system takes.

    Examples
    --------
    >>> file_name("lccv max_width=0.05 / t")
    'lccv-max_width-0.05-t'
    """
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-.") or "unnamed"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_markdown, cells)) + " |"


def _markdown(text: str) -> str:
    for character, escaped in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), ("\n", " ")):
        text = text.replace(character, escaped)
    return text


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_latex, cells)) + r" \\"


def _latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in text.replace("\n", " "))
