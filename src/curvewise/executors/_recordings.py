"""Recorded learning curves: a Parquet file, read into one dense table per data set.

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
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise._packages import require
from curvewise.errors import UnreadableCurvesError

if TYPE_CHECKING:
    import pandas as pd

MOST_COLUMNS = 10_000
MOST_CELLS = 100_000_000
OPTIONAL = ("n_valid", "train_err")
REQUIRED = ("dataset", "learner", "anchor", "seed", "valid_err", "test_err", "fit_time")
ERROR_UNIT = 10_000
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
        """Each learner's mean test loss at the target."""
        truth: Floats = np.nanmean(self.test[:, -1, :], axis=1)
        return truth

    def without_target(self) -> tuple[str, ...]:
        """Name the learners that were never evaluated at the target."""
        missing = np.isnan(self.loss[:, -1, :]).all(axis=1)
        return tuple(np.array(self.learners)[missing].tolist())

    def complete(self, n_folds: int) -> Recording | None:
        """Keep learners and seeds that have every anchor; None if no two learners are left.

        Parameters
        ----------
        n_folds
            How many common seeds there have to be.
        """
        whole: NDArray[np.bool_] = np.asarray(~np.isnan(self.loss).any(axis=1))
        n_whole = whole.sum(axis=1)
        kept = [i for i in range(len(self.learners)) if n_whole[i] >= n_folds]
        while kept and whole[kept].all(axis=0).sum() < n_folds:
            fewest = min(n_whole[i] for i in kept)
            kept.remove(max(i for i in kept if n_whole[i] == fewest))
        if len(kept) < 2:
            return None
        seeds = np.flatnonzero(whole[kept].all(axis=0))
        return replace(
            self,
            learners=tuple(self.learners[i] for i in kept),
            loss=self.loss[kept][:, :, seeds],
            seconds=self.seconds[kept][:, :, seeds],
            test=self.test[kept][:, :, seeds],
            train=None if self.train is None else self.train[kept][:, :, seeds],
        )


def read_recordings(path: str | Path) -> list[Recording]:
    """Read a file of recorded curves: one recording for each data set, in the order of names.

    Parameters
    ----------
    path
        A Parquet file with one row per evaluation and the columns ``dataset``, ``learner``,
        ``anchor``, ``seed``, ``valid_err``, ``test_err``, ``fit_time`` and optionally ``n_valid``
        and ``train_err``.

    Raises
    ------
    UnreadableCurvesError
        If the file is missing, no Parquet file, empty, or lacks a column.
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
    pandas = require("pandas", "Reading recorded curves", extra="replay")
    rows = pandas.DataFrame(_read_columns(Path(path)))
    return [_dense(str(name), group) for name, group in rows.groupby("dataset")]


def _read_columns(path: Path) -> dict[str, NDArray[Any]]:
    pyarrow = require("pyarrow", "Reading recorded curves", extra="replay")
    parquet = require("pyarrow.parquet", "Reading recorded curves", extra="replay")
    if not path.is_file():
        raise UnreadableCurvesError(f"There is no file {path}.")
    try:
        n_columns = parquet.ParquetFile(path).metadata.num_columns
        if n_columns > MOST_COLUMNS:
            raise UnreadableCurvesError(
                f"{path} has {n_columns:,} columns; recorded curves have at most {MOST_COLUMNS:,}."
            )
        table = parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UnreadableCurvesError(f"{path} is not a Parquet file: {reason}") from None
    missing = [name for name in REQUIRED if name not in table.column_names]
    if missing:
        raise UnreadableCurvesError(
            f"{path} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"recorded curves need {', '.join(REQUIRED)}."
        )
    if not table.num_rows:
        raise UnreadableCurvesError(f"{path} has no rows.")
    wanted = [name for name in (*REQUIRED, *OPTIONAL) if name in table.column_names]
    columns = {name: _column(path, name, table.column(name)) for name in wanted}
    for name in ("valid_err", "test_err", "train_err"):
        if name in columns and columns[name].dtype.kind in "iu":
            columns[name] = columns[name] / ERROR_UNIT
    return columns


def _column(path: Path, name: str, column: Any) -> NDArray[Any]:
    """Turn one column into an array: text for names, numbers for the rest."""
    if column.null_count:
        raise UnreadableCurvesError(f"The column {name} of {path} has missing values.")
    values = np.asarray(column.to_numpy(zero_copy_only=False))
    if name == "learner":
        return values.astype(str)
    if name == "dataset":
        return values if values.dtype.kind in "iu" else values.astype(str)
    if values.dtype.kind not in "iuf":
        raise UnreadableCurvesError(f"The column {name} of {path} must hold numbers.")
    if not np.isfinite(values).all():
        raise UnreadableCurvesError(f"The column {name} of {path} must hold finite numbers.")
    if name in ("fit_time", "n_valid") and values.min() < 0:
        raise UnreadableCurvesError(f"The column {name} of {path} must not be negative.")
    if name == "anchor" and (values.min() < 1 or np.any(values % 1)):
        raise UnreadableCurvesError(
            f"The anchors of {path} must be whole numbers of at least 1 row."
        )
    return values


def _dense(dataset: str, rows: pd.DataFrame) -> Recording:
    """Spread the rows of one data set over learner, anchor and seed."""
    places = [np.unique(rows[name], return_inverse=True) for name in ("learner", "anchor", "seed")]
    (learners, anchors, seeds), place = zip(*places, strict=True)
    if rows.duplicated(["learner", "anchor", "seed"]).any():
        raise UnreadableCurvesError(
            f"Data set {dataset}: a learner has two rows for the same anchor and seed."
        )
    if not rows["fit_time"].any():
        raise UnreadableCurvesError(f"Data set {dataset}: every fit_time is 0.")
    wanted = ("valid_err", "test_err", "fit_time", "train_err")
    shape = (len(learners), len(anchors), len(seeds))
    if math.prod(shape) > MOST_CELLS:
        raise UnreadableCurvesError(
            f"Data set {dataset}: {shape[0]:,} learners at {shape[1]:,} anchors with {shape[2]:,} "
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
        dense["test_err"],
        max(1, n_test),
        dense.get("train_err"),
    )
