"""A table that is ready for a search: features, target, task, and what was decided on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curvewise.automl._tables.kinds import kind_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What `read_table` returns.

    Parameters
    ----------
    name
        The file's name without its endings, or the data set's.
    X
        The features: numbers, booleans (pandas' nullable type if cells are missing), dates in UTC
        and text, possibly with missing cells. Rows are counted from 0.
    y
        The target without missing values: text, whole numbers or booleans for classes, floats for
        regression.
    target
        The name of the target's column.
    task
        ``"classification"`` or ``"regression"``.
    notes
        Sentences on what was found out, changed or left out.
    source
        What was given to read.

    Examples
    --------
    >>> from curvewise.automl import read_table
    >>> table = read_table("sklearn:iris")
    >>> table.name, table.X.shape, table.task, table.n_rows
    ('iris', (150, 4), 'classification', 150)
    >>> table.kinds["petal width (cm)"]
    'number'
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    target: str
    task: str
    notes: list[str] = field(default_factory=list)
    source: str = ""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each feature: ``number``, ``boolean``, ``date`` or ``text``.

        `read_rows` needs them to read new rows as these were read.
        """
        names = map(str, self.X.columns)
        return dict(zip(names, map(kind_of, self.X.dtypes), strict=True))
