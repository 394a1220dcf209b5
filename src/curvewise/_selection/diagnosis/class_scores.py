"""Which classes are taken for which, and how well each is found.

Of many classes the most frequent are shown by themselves, and all others as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._selection.diagnosis.predicted_rows import Array, PredictedRows
from curvewise.errors import InvalidParameterError

# So many classes are shown by themselves.
MOST_CLASSES = 20


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many rows of each true class were predicted as which class.

    Parameters
    ----------
    labels
        The classes as text; the last may stand for several.
    counts
        A row for each true class, a column for each predicted one.
    n_merged
        How many classes the last label stands for; 0 if all stand for themselves.
    """

    labels: tuple[str, ...]
    counts: Array
    n_merged: int = 0

    @property
    def shares(self) -> Array:
        """The counts as shares of each true class; 0 for a class without rows."""
        support = self.counts.sum(axis=1, keepdims=True)
        return self.counts / np.maximum(support, 1)


@dataclass(frozen=True, slots=True)
class ClassScore:
    """How well one class is found.

    Parameters
    ----------
    label
        The class.
    precision
        The share of rows predicted as it that belong to it; NaN if none was predicted.
    recall
        The share of its rows that were predicted as it; NaN if it has none.
    f1
        The harmonic mean of both.
    n_rows
        How many rows it has.
    """

    label: str
    precision: float
    recall: float
    f1: float
    n_rows: int


def confusion(rows: PredictedRows, *, most: int = MOST_CLASSES) -> Confusion:
    """Count which classes are taken for which."""
    counts, labels = _counts(rows)
    if len(labels) <= most:
        return Confusion(tuple(labels), counts)
    # The most frequent stand for themselves, in their own order.
    frequent = np.sort(np.argsort(-counts.sum(axis=1), kind="stable")[: most - 1])
    group = np.full(len(labels), most - 1)
    group[frequent] = np.arange(most - 1)
    merged = np.zeros((most, most), dtype=np.int64)
    np.add.at(merged, (group[:, None], group[None, :]), counts)
    n_merged = len(labels) - len(frequent)
    return Confusion((*(labels[i] for i in frequent), f"{n_merged} others"), merged, n_merged)


def class_scores(rows: PredictedRows) -> list[ClassScore]:
    """Say how well each class is found, in the order of the classes."""
    counts, labels = _counts(rows)
    hits, support, predicted = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = hits / predicted, hits / support
        f1 = 2 * hits / (support + predicted)
    columns = (precision.tolist(), recall.tolist(), f1.tolist(), support.tolist())
    return [ClassScore(*one) for one in zip(labels, *columns, strict=True)]


def _counts(rows: PredictedRows) -> tuple[Array, list[str]]:
    classes, truth, places = of_classes(rows)
    n = len(classes)
    counts = np.bincount(truth * n + places, minlength=n * n).reshape(n, n)
    return counts, [str(label) for label in classes]


def of_classes(rows: PredictedRows) -> tuple[Array, Any, Any]:
    """Give the classes, and the true and predicted place of each row; an error for numbers."""
    if rows.classes is None:
        raise InvalidParameterError("The model predicts numbers, and this is about classes.")
    return rows.classes, rows.truth, rows.places
