"""What an AutoML estimator may be told besides its parameters: who listens, notes, rows.

None of it is a parameter, and a clone has none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from curvewise._evaluation.given_types import RowNumbers
from curvewise._evaluation.rows import n_rows
from curvewise._selection.diagnosis.picture_note import RowNames
from curvewise._text import LONGEST_VALUE, cut
from curvewise.errors import InvalidParameterError
from curvewise.executors._listener import Listener


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What is known of rows besides their features: their names, and the levels to score by."""

    names: RowNames
    by: Any = None

    def column(self, X: Any) -> tuple[str, Any] | None:
        """Give the name and the values of the column to score by; None if there is none."""
        if self.by is None:
            return None
        if not isinstance(self.by, str):
            return str(getattr(self.by, "name", None) or "column"), self.by
        names = [str(name) for name in getattr(X, "columns", ())]
        if self.by not in names:
            raise InvalidParameterError(
                f"by names the column {cut(self.by, LONGEST_VALUE)!r}, which X does not have; give "
                "a value for each row instead."
            )
        place = names.index(self.by)
        return self.by, X.iloc[:, place] if hasattr(X, "iloc") else X.to_series(place)

    def check(self, X: Any) -> None:
        """Refuse what has not a value for each row."""
        found = self.column(X)
        given = {
            "by": None if found is None else found[1],
            "ids": self.names.ids,
            "numbers": self.names.numbers,
        }
        for name, values in given.items():
            if values is not None and len(values) != n_rows(X):
                raise InvalidParameterError(
                    f"{name} must have a value for each of the {n_rows(X)} rows, got {len(values)}."
                )


class BesideSearch:
    """What the classifier and the regressor may be told besides their parameters."""

    _rows = RowFacts(RowNames())

    def add_listener(self, listener: Listener) -> Self:
        """Add a listener, which is called while the search runs.

        Parameters
        ----------
        listener
            Hears of every decision and every outcome, and may stop the search.
        """
        self._listeners = [*getattr(self, "_listeners", ()), listener]
        return self

    def note_for_readers(self, notes: Mapping[str, Any]) -> Self:
        """Write something down for readers of the store.

        Parameters
        ----------
        notes
            Values that JSON can express, by key.
        """
        self._notes = dict(notes)
        return self

    def count_time_from(self, begun: float, *, afterwards: float = 0.0) -> Self:
        """Let the budget count from an earlier moment, and leave some of it.

        Parameters
        ----------
        begun
            When the budget began, by `time.monotonic`.
        afterwards
            Seconds that are to be left when the pipeline is fitted.
        """
        self._clock = (begun, afterwards)
        return self

    def describe_rows(
        self,
        *,
        by: str | Sequence[Any] | None = None,
        ids: Sequence[Any] | None = None,
        id_column: str = "",
        numbers: RowNumbers | None = None,
    ) -> Self:
        """Say what is known of rows besides their features, for scores by level and for reports.

        Parameters
        ----------
        by
            A column by whose levels the best is scored after the search, in ``scores_by_`` and in
            the report: its name in X, or a value for each row, also of a column that is no feature.
        ids
            What each row is called: the rows that were hardest are then named so in the report.
        id_column
            What the column of these names is called.
        numbers
            The number of each row where the table comes from, the first is 1; by default rows are
            counted.
        """
        named = None if ids is None else np.asarray(ids)
        self._rows = RowFacts(RowNames(numbers, named, id_column), by)
        return self
