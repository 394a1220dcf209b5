"""A table as its format gives it: before names, columns and target are looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What every reader of a format returns.

    ``frame`` has one column per name, whatever its labels are; ``names`` are as the source has
    them, possibly empty or repeated; ``target`` is the name of the target if the source says it.
    """

    frame: pd.DataFrame
    names: list[str]
    notes: list[str] = field(default_factory=list)
    target: str | None = None
