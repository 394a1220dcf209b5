"""What a model predicted for the test rows of a fold, in a form that can be kept.

Predictions are numbers: probabilities or decision values with a column per class, numbers for
regression, and for classifiers that have neither the places of their classes. As bytes they are a
line of JSON that says what they are, and then the numbers: nothing in it is ever executed, and
every value is checked when it is read.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise.errors import StoreError

METHODS = ("predict_proba", "decision_function", "predict")
# The kinds of numbers that are kept, smallest byte first.
KINDS = ("<f4", "<f8", "<i4", "<i8")
LABELS = np.dtype("<i4")
MOST_DIMENSIONS = 2
LONGEST_HEAD = 200


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions for some rows.

    Parameters
    ----------
    method
        The estimator's method that gave them: ``"predict_proba"``, ``"decision_function"`` or
        ``"predict"``.
    values
        A number per row, or a row of them.
    labels
        The places of the predicted classes, where they are not those of the largest values; None
        where they are.

    Examples
    --------
    >>> kept = Predictions("predict_proba", np.array([[0.25, 0.75]])).to_bytes()
    >>> Predictions.from_bytes(kept).values
    array([[0.25, 0.75]])
    """

    method: str
    values: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any] | None = None

    @property
    def n_bytes(self) -> int:
        """How much they take."""
        return int(self.values.nbytes) + (0 if self.labels is None else int(self.labels.nbytes))

    def to_bytes(self) -> bytes:
        """Write them down."""
        values = np.ascontiguousarray(self.values)
        values = values.astype(values.dtype.newbyteorder("<"), copy=False)
        head: dict[str, Any] = {
            "method": self.method,
            "kind": values.dtype.str,
            "shape": values.shape,
        }
        labels = b""
        if self.labels is not None:
            head["labels"] = True
            labels = np.asarray(self.labels, dtype=LABELS).tobytes()
        return json.dumps(head).encode() + b"\n" + values.tobytes() + labels

    @classmethod
    def from_bytes(cls, data: bytes) -> Predictions:
        """Read what `to_bytes` wrote.

        Parameters
        ----------
        data
            The bytes.

        Raises
        ------
        StoreError
            If they are not whole, or something else.
        """
        try:
            line, _, _ = data[:LONGEST_HEAD].partition(b"\n")
            head = json.loads(line)
            method, kind, shape = head["method"], head["kind"], head["shape"]
            numbers = memoryview(data)[len(line) + 1 :]
            known = method in METHODS and kind in KINDS and 1 <= len(shape) <= MOST_DIMENSIONS
            sizes = known and all(type(size) is int and size >= 0 for size in shape)
            n_bytes = math.prod(shape) * np.dtype(kind).itemsize if sizes else 0
            n_labels = shape[0] if sizes and head.get("labels") is True else 0
            if not sizes or n_bytes + n_labels * LABELS.itemsize != len(numbers):
                raise ValueError
            values = np.frombuffer(numbers[:n_bytes], dtype=kind).reshape(shape)
        except (KeyError, TypeError, ValueError, RecursionError):
            raise StoreError("The store is damaged: predictions in it are not whole.") from None
        labels = np.frombuffer(numbers[n_bytes:], dtype=LABELS) if n_labels else None
        return cls(method, values, labels)
