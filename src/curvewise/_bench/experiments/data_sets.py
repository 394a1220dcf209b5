"""The data sets of an experiment: where they come from, and what they are called.

A source is ``sklearn:NAME``, ``openml:ID``, a Parquet file or a folder of them with the label in
the column ``target``, or ``paper``: the 67 data sets of the AutoML benchmark that the paper uses
(Gijsbers et al. 2019), by their OpenML ids. A fingerprint tells whether a name stands for the data
that it stood for before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b, file_digest
from pathlib import Path

from curvewise._packages import require
from curvewise.automl._tables.table import Table
from curvewise.automl._tables.table_reader import read_table
from curvewise.errors import InvalidParameterError

TARGET = "target"
PAPER = "paper"
PAPER_IDS = (
    3, 12, 23, 31, 54, 181, 188, 1049, 1067, 1111, 1457, 1461, 1464, 1468, 1475, 1485, 1486, 1487,
    1489, 1494, 1515, 1590, 4134, 4135, 4534, 4538, 4541, 23512, 23517, 40498, 40668, 40670, 40685,
    40701, 40900, 40975, 40978, 40981, 40982, 40983, 40984, 40996, 41027, 41138, 41142, 41143,
    41144, 41145, 41146, 41147, 41150, 41156, 41157, 41158, 41159, 41161, 41162, 41163, 41164,
    41165, 41166, 41167, 41168, 41169, 42732, 42733, 42734,
)  # fmt: skip


def find_datasets(
    sources: Iterable[str], *, folder: Path | None = None
) -> tuple[dict[str, str], list[str]]:
    """Give each data set a name, and say what was left out of folders."""
    if isinstance(sources, str) or not all(isinstance(source, str) for source in sources):
        raise InvalidParameterError(f"datasets must be a list of texts, got {sources!r}.")
    found: dict[str, str] = {}
    notes: list[str] = []
    for source in sources:
        for name, place in _expanded(source, folder or Path(), notes):
            if found.get(name, place) != place:
                raise InvalidParameterError(f"two data sets are called {name!r}.")
            found[name] = place
    return found, notes


def load(source: str) -> Table:
    """Read a data set."""
    named = source.startswith(("sklearn:", "openml:"))
    # Results have to stay comparable, so no column is left out.
    table = read_table(
        source,
        target=None if named else TARGET,
        task="classification" if named else None,
        keep=True,
    )
    if table.task != "classification":
        raise InvalidParameterError(
            f"{source} holds no classes: experiments are about classification."
        )
    return table


def _expanded(source: str, folder: Path, notes: list[str]) -> list[tuple[str, str]]:
    if source == PAPER:
        return [(f"openml-{number}", f"openml:{number}") for number in PAPER_IDS]
    kind, _, name = source.partition(":")
    if kind == "sklearn":
        return [(name, source)]
    if kind == "openml":
        return [(f"openml-{name}", source)]
    path = folder / source
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
        if not files:
            raise InvalidParameterError(f"there is no Parquet file in {path}.")
        return [(file.stem, str(file.resolve())) for file in files if _has_classes(file, notes)]
    if path.is_file():
        return [(path.stem, str(path.resolve()))]
    raise InvalidParameterError(
        f"there is no data set {source!r}: name a file, a folder, sklearn:NAME, openml:ID or paper."
    )


def _has_classes(file: Path, notes: list[str]) -> bool:
    """Look at the type of the label, without reading the table."""
    pyarrow = require("pyarrow", "Reading Parquet files")
    parquet = require("pyarrow.parquet", "Reading Parquet files")
    try:
        schema = parquet.read_schema(file)
    except (pyarrow.ArrowException, OSError):
        notes.append(f"{file.name} is left out: it is no Parquet file.")
        return False
    if TARGET not in schema.names:
        notes.append(f"{file.name} is left out: it has no column {TARGET!r}.")
        return False
    if pyarrow.types.is_floating(schema.field(TARGET).type):
        notes.append(f"{file.name} is left out: its target is a number, not a class.")
        return False
    return True


def fingerprints(datasets: Mapping[str, str]) -> dict[str, str]:
    """Take the fingerprint of each data set, by name; what cannot be read has none."""
    found = {name: fingerprint_of(source) for name, source in datasets.items()}
    return {name: text for name, text in found.items() if text is not None}


def fingerprint_of(source: str) -> str | None:
    """Take the fingerprint of a data set, without reading it as a table; None if it has none."""
    if source.startswith(("sklearn:", "openml:")):
        return source
    try:
        with Path(source).open("rb") as file:
            digest = file_digest(file, lambda: blake2b(digest_size=16))
            return f"{file.tell()}-{digest.hexdigest()}"
    except OSError:
        return None
