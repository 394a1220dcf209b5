"""Recorded learning curves: Parquet files, read into one dense table per data set.

One row per evaluation. Columns:

======================  ========================================================================
``dataset``             which data set (whole number or text)
``learner``             which learner (text)
``anchor``              training rows
``seed``                which split; the same seed is the same split for every learner
``valid_err``           the loss that methods may see
``test_err``            the loss on rows that no method sees: their mean at the target is the truth
``fit_time``            seconds
``n_valid``             optional: rows behind ``valid_err``
``train_err``           optional: the loss on the training rows
======================  ========================================================================

Whole-numbered errors are error rates times 10,000; decimal ones are taken as they are. The largest
anchor of a data set is its target. Without ``n_valid`` a ninth of the target, at most 5,000 rows,
is assumed: the split of the Learning Curve Database (LCDB 1.0; Mohr et al. 2022).

A learner takes part with the seeds for which it has every anchor of its data set. Learners with
fewer than the wanted number of seeds are left out, and then those with the fewest until the rest
have enough seeds in common (`Recording.complete`).

A file that ``curvewise bench record`` wrote has more (`curvewise.executors._recorded_file`): the
``status`` of each evaluation, which may have failed; what each test row lost (``row_losses``); the
``noise`` of the loss. There folds are seeds, and without ``test_err`` the mean over all of them is
the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise._files import is_folder
from curvewise._packages import require
from curvewise._text import LONGEST_NAME, cut, visible
from curvewise.core._outcome import Reason
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._packed_rows import RowLosses
from curvewise.executors._recorded_file import OK, RecordedFile, read_file

if TYPE_CHECKING:
    import pandas as pd

MOST_CELLS = 100_000_000
ASSUMED_SHARE = 1 / 9
ASSUMED_MOST = 5_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """The recorded curves of one data set; arrays are indexed by learner, anchor and seed.

    Parameters
    ----------
    dataset
        Which data set.
    learners
        Names of the learners, along the first axis of the arrays.
    anchors
        Training rows, ascending, along the second axis; the last is the target.
    loss
        The losses that methods may see; NaN where nothing was recorded.
    seconds
        What fitting took; NaN where nothing was recorded.
    test
        The losses on rows that no method sees; NaN where nothing was recorded.
    n_test
        Rows behind each value of ``loss``.
    train
        The losses on the training rows, which few policies look at; None if there are none.
    failures
        Why an evaluation gave nothing, a `Reason`, and None where it gave something; None if
        failures were not recorded.
    noise
        The squared standard errors of the losses, NaN where they are not known; None if they were
        not recorded.
    scoring
        The name of the metric; None if it was not recorded: then losses are error rates.
    rows
        The losses by test row; see `row_losses`. None if they were not recorded.

    Examples
    --------
    >>> import numpy as np
    >>> from curvewise.executors import Recording
    >>> loss = np.array([[[0.4, 0.5], [0.2, 0.3]], [[0.5, 0.5], [0.4, np.nan]]])
    >>> recording = Recording("iris", ("svc", "tree"), (64, 128), loss, loss * 0 + 1, loss, 50)
    >>> recording.target, recording.n_seeds, recording.truth.tolist()
    (128, 2, [0.25, 0.4])
    """

    dataset: str
    learners: tuple[str, ...]
    anchors: tuple[int, ...]
    loss: Floats
    seconds: Floats
    test: Floats
    n_test: int
    train: Floats | None = None
    failures: NDArray[np.object_] | None = None
    noise: Floats | None = None
    scoring: str | None = None
    rows: RowLosses | None = None

    @property
    def target(self) -> int:
        """The largest anchor."""
        return self.anchors[-1]

    @property
    def n_seeds(self) -> int:
        """How many splits there are."""
        return int(self.loss.shape[2])

    @property
    def truth(self) -> Floats:
        """Each learner's mean test loss at the target; NaN if it was never evaluated there."""
        losses = self.test[:, -1, :]
        n_known = (~np.isnan(losses)).sum(axis=1)
        truth: Floats = np.full(len(losses), np.nan)
        np.divide(np.nansum(losses, axis=1), n_known, out=truth, where=n_known > 0)
        return truth

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Whether each learner has a loss for every seed at the target."""
        missing: NDArray[np.bool_] = np.asarray(np.isnan(self.loss[:, -1, :]).any(axis=1))
        return ~missing

    def row_losses(self, learner: int, anchor: int, seed: int) -> NDArray[Any] | None:
        """Give what each test row lost in one evaluation; None if that was not recorded.

        Parameters
        ----------
        learner, anchor, seed
            The places of the evaluation along the axes of the arrays.
        """
        return None if self.rows is None else self.rows.at(learner, anchor, seed)

    def without_target(self) -> tuple[str, ...]:
        """Name the learners that were never evaluated at the target."""
        missing = ~self._known(failures=True)[:, -1, :].any(axis=1)
        return tuple(np.array(self.learners)[missing].tolist())

    def complete(self, n_folds: int, *, failures: bool = False) -> Recording | None:
        """Keep learners and seeds that have every anchor; None if no two learners are left.

        Parameters
        ----------
        n_folds
            How many common seeds there have to be.
        failures
            Whether a recorded failure counts as something that a learner has; by default learners
            that failed are left out.
        """
        whole: NDArray[np.bool_] = np.asarray(self._known(failures=failures).all(axis=1))
        n_whole = whole.sum(axis=1)
        kept = [i for i in range(len(self.learners)) if n_whole[i] >= n_folds]
        while kept and whole[kept].all(axis=0).sum() < n_folds:
            fewest = min(n_whole[i] for i in kept)
            kept.remove(max(i for i in kept if n_whole[i] == fewest))
        if len(kept) < 2:
            return None
        return self.take(kept, np.flatnonzero(whole[kept].all(axis=0)))

    def take(self, learners: Sequence[int], seeds: NDArray[np.intp] | None = None) -> Recording:
        """Keep some learners, and some seeds.

        Parameters
        ----------
        learners, seeds
            Their places along the axes of the arrays; all seeds by default.
        """
        chosen: Any = slice(None) if seeds is None else seeds
        several = ("loss", "seconds", "test", "train", "failures", "noise")
        arrays = {name: getattr(self, name) for name in several}
        return replace(
            self,
            learners=tuple(self.learners[i] for i in learners),
            rows=None if self.rows is None else self.rows.take(learners, chosen),
            **{
                name: values[learners][:, :, chosen]
                for name, values in arrays.items()
                if values is not None
            },
        )

    def _known(self, *, failures: bool) -> NDArray[np.bool_]:
        known: NDArray[np.bool_] = np.asarray(~np.isnan(self.loss))
        if failures and self.failures is not None:
            known = known | np.asarray(self.failures != None, dtype=bool)  # noqa: E711
        return known


def read_recordings(path: str | Path) -> list[Recording]:
    """Read a file of recorded curves: one recording for each data set, in the order of names.

    Parameters
    ----------
    path
        A Parquet file with one row per evaluation and the columns ``dataset``, ``learner``,
        ``anchor``, ``seed``, ``valid_err``, ``test_err``, ``fit_time`` and optionally ``n_valid``
        and ``train_err``; or what ``curvewise bench record`` wrote; or a folder of such files.

    Raises
    ------
    UnreadableCurvesError
        If the file is missing, no Parquet file, empty, damaged, or lacks a column, or if two files
        of a folder have the same data set.
    MissingExtraError
        If pandas or pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from curvewise.executors import read_recordings
    >>> curve = pd.DataFrame({"anchor": [64, 128], "valid_err": [0.4, 0.3], "test_err": [0.4, 0.3]})
    >>> curve = curve.assign(dataset="iris", learner="svc", seed=0, fit_time=[0.1, 0.2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     curve.to_parquet(f"{folder}/curves.parquet")
    ...     [recording] = read_recordings(f"{folder}/curves.parquet")
    >>> recording.learners, recording.anchors
    (('svc',), (64, 128))
    """
    path = Path(path)
    if not is_folder(path):
        return _recordings_of(read_file(path))
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise UnreadableCurvesError(f"The folder {path} has no file that ends with .parquet.")
    found: dict[str, Recording] = {}
    for file in files:
        for recording in _recordings_of(read_file(file)):
            if recording.dataset in found:
                raise UnreadableCurvesError(
                    f"Two files of {path} have the data set "
                    f"{visible(cut(recording.dataset, LONGEST_NAME))}, {file.name} is "
                    "the second: keep one of them there."
                )
            found[recording.dataset] = recording
    return list(found.values())


def _recordings_of(file: RecordedFile) -> list[Recording]:
    pandas = require("pandas", "Reading recorded curves", extra="replay")
    rows = pandas.DataFrame(file.columns)
    return [_dense(str(name), group, file) for name, group in rows.groupby("dataset")]


def _dense(dataset: str, rows: pd.DataFrame, file: RecordedFile) -> Recording:
    """Spread the rows of one data set over learner, anchor and seed."""
    places = [np.unique(rows[name], return_inverse=True) for name in ("learner", "anchor", "seed")]
    (learners, anchors, seeds), place = zip(*places, strict=True)
    named = f"Data set {visible(cut(dataset, LONGEST_NAME))}"
    if rows.duplicated(["learner", "anchor", "seed"]).any():
        raise UnreadableCurvesError(
            f"{named}: a learner has two rows for the same anchor and seed."
        )
    if not rows["fit_time"].any():
        raise UnreadableCurvesError(f"{named}: every fit_time is 0.")
    wanted = ("valid_err", "test_err", "fit_time", "train_err", "noise")
    shape = (len(learners), len(anchors), len(seeds))
    if math.prod(shape) > MOST_CELLS:
        raise UnreadableCurvesError(
            f"{named}: {shape[0]:,} learners at {shape[1]:,} anchors with {shape[2]:,} "
            f"seeds are too many; at most {MOST_CELLS:,} evaluations are read."
        )
    dense = {name: np.full(shape, np.nan) for name in wanted if name in rows}
    for name, table in dense.items():
        table[place] = rows[name]
    if "n_valid" in rows:
        n_test = int(rows["n_valid"].max())
    else:
        n_test = min(round(int(anchors[-1]) * ASSUMED_SHARE), ASSUMED_MOST)
    return Recording(
        dataset,
        tuple(map(str, learners)),
        tuple(map(int, anchors)),
        dense["valid_err"],
        dense["fit_time"],
        dense.get("test_err", dense["valid_err"]),
        max(1, n_test),
        dense.get("train_err"),
        _failures(rows, place, shape),
        dense.get("noise"),
        file.scoring,
        _row_losses(rows, place, shape, file),
    )


def _failures(rows: pd.DataFrame, place: Any, shape: Any) -> NDArray[np.object_] | None:
    """Spread the reasons of failures; None if there are none."""
    if "status" not in rows or (rows["status"] == OK).all():
        return None
    failures = np.full(shape, None)
    failures[place] = [None if word == OK else Reason(word) for word in rows["status"]]
    return failures


def _row_losses(rows: pd.DataFrame, place: Any, shape: Any, file: RecordedFile) -> RowLosses | None:
    """Spread the losses by row; None if there are none."""
    if file.row_losses is None or file.packing is None:
        return None
    packed, n_rows = np.full(shape, None), np.zeros(shape, np.int64)
    packed[place] = file.row_losses[rows.index]
    n_rows[place] = rows["n_valid"]
    return RowLosses(file.packing, packed, n_rows)
