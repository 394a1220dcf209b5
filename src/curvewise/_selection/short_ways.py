"""The short ways from a result to its report, to advice and to a table, in one line each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from curvewise._selection.remembered_run import RememberedRun
from curvewise._services import service
from curvewise.advice import Advice, advise
from curvewise.core._result import ValidationResult

if TYPE_CHECKING:
    from pandas import DataFrame


class ShortWays:
    """What a search, an AutoML estimator, a comparison and a validation can say of themselves."""

    __slots__ = ()

    @abstractmethod
    def _run_to_read(self) -> RememberedRun:
        """Give the run, to be reported on."""

    @abstractmethod
    def _results_to_read(self) -> Sequence[ValidationResult]:
        """Give the results, to be advised on."""

    @abstractmethod
    def leaderboard(self) -> DataFrame:
        """Give a row per candidate, the best first, as a pandas data frame."""

    def report(self, path: str | Path = "report.html", *, title: str | None = None) -> Path:
        """Write one HTML page about the results, which works without a network.

        Parameters
        ----------
        path
            The file; one that exists is replaced.
        title
            What stands at the top; by default the name of the data or of the run.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        MissingExtraError
            If plotly is not installed; ``pip install 'curvewise[report]'`` does it.
        """
        written: Path = service("report")(self._run_to_read(), path, title=title)
        return written

    def advise(
        self,
        *,
        n_rows: int | None = None,
        factor: float | None = None,
        min_gain: float = 0.005,
        method: Literal["curve", "ipl", "last"] = "curve",
        target_score: float | None = None,
        level: float = 0.9,
        sure: float = 0.8,
        rows_now: int | None = None,
    ) -> Advice:
        """Say whether more rows would improve the best score enough.

        Parameters
        ----------
        n_rows, factor
            How many rows the data would have, or how many times the present ones; twice as many by
            default.
        min_gain
            What more rows have to bring to be worth it, in the unit of the score.
        target_score
            A wished-for score: the advice then says how many rows it needs.
        method, level, sure, rows_now
            As for `curvewise.advise`.

        Returns
        -------
        Advice
            The answer and all that it rests on.
        """
        return advise(
            list(self._results_to_read()),
            n_rows=n_rows,
            factor=factor,
            min_gain=min_gain,
            method=method,
            target_score=target_score,
            level=level,
            sure=sure,
            rows_now=rows_now,
        )
