"""Losses by test row as bytes, and back: what a recording and a run store keep of them.

Error rates are a bit per row (the first row is the highest bit of the first byte, and what is left
of the last byte is 0), other losses 16- or 32-bit floats, little endian. 16 bits have three digits:
enough for losses that are logarithms, whose noise is far larger, and too few for squares of prices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import StoreError

Array = np.ndarray[Any, Any]

BITS = "bits"
# In the place of a number of bits, what stands in front of floats.
IS_FLOATS = 8
FLOATS: dict[str, np.dtype[Any]] = {"float16": np.dtype("<f2"), "float32": np.dtype("<f4")}
PACKINGS = (BITS, *FLOATS)
# How losses of a metric are packed, by the name of scikit-learn's scorer.
PACKING_OF = {
    "accuracy": BITS,
    "neg_log_loss": "float16",
    "neg_mean_squared_error": "float32",
    "neg_mean_absolute_error": "float32",
}
# How far the mean of what was packed may be from that of what was measured: as a share of it, and
# where it is next to nothing.
ROUNDING = {BITS: (1e-9, 1e-12), "float16": (2e-3, 1e-7), "float32": (2e-4, 1e-30)}


def pack(losses: Array | None, packing: str) -> bytes | None:
    """Write losses as bytes; None if there are none, or they do not fit."""
    if losses is None or losses.ndim != 1:
        return None
    if packing == BITS:
        return np.packbits(losses).tobytes() if losses.dtype == np.bool_ else None
    if losses.dtype.kind != "f":
        return None
    with np.errstate(over="ignore"):
        packed = losses.astype(FLOATS[packing])
    return packed.tobytes() if np.isfinite(packed).all() else None


def n_bytes(n_rows: int, packing: str) -> int:
    """Say how many bytes the losses of so many rows are."""
    return (n_rows + 7) // 8 if packing == BITS else n_rows * FLOATS[packing].itemsize


def unpack(packed: bytes, n_rows: int, packing: str) -> Array:
    """Read what `pack` wrote."""
    if packing == BITS:
        return np.unpackbits(np.frombuffer(packed, np.uint8), count=n_rows).view(np.bool_)
    return np.frombuffer(packed, FLOATS[packing]).astype(np.float32)


def is_whole(packed: bytes, n_rows: int, packing: str, mean: float) -> bool:
    """Whether bytes are losses of so many rows, with this mean up to rounding."""
    if len(packed) != n_bytes(n_rows, packing):
        return False
    losses = unpack(packed, n_rows, packing)
    if packing == BITS and np.packbits(losses).tobytes() != packed:
        return False
    found = float(losses.mean(dtype=np.float64))
    share, least = ROUNDING[packing]
    return abs(found - mean) <= share * abs(mean) + least


def to_bytes(losses: Array) -> bytes:
    """Write the losses of one evaluation: a byte that says how, then bits or 32-bit floats."""
    if losses.dtype == np.bool_:
        return bytes([len(losses) % 8]) + np.packbits(losses).tobytes()
    return bytes([IS_FLOATS]) + losses.astype(FLOATS["float32"]).tobytes()


def from_bytes(stored: bytes) -> Array:
    """Read what `to_bytes` wrote; an error if it has not."""
    kind, packed = stored[:1], stored[1:]
    if kind == bytes([IS_FLOATS]) and len(packed) % 4 == 0:
        return unpack(packed, len(packed) // 4, "float32")
    # Of the last byte as many bits count, or all of them.
    n_last = kind[0] if kind else 8
    if n_last >= 8 or (n_last and not packed):
        raise StoreError("The store is damaged: losses of test rows in it are not whole.")
    return unpack(packed, 8 * len(packed) - (8 - n_last) % 8, BITS)


@dataclass(frozen=True, slots=True, eq=False)
class RowLosses:
    """The packed losses of a recording, by learner, anchor and seed; None where there are none."""

    packing: str
    packed: NDArray[np.object_]
    n_rows: NDArray[np.int64]

    def at(self, learner: int, anchor: int, seed: int) -> Array | None:
        """Give the losses of one evaluation, by its places; None if they were not recorded."""
        where = learner, anchor, seed
        packed = self.packed[where]
        return None if packed is None else unpack(packed, int(self.n_rows[where]), self.packing)

    def take(self, learners: Any, seeds: Any = slice(None)) -> RowLosses:
        """Give those of some learners and seeds, by their places."""
        packed, n_rows = self.packed[learners][:, :, seeds], self.n_rows[learners][:, :, seeds]
        return RowLosses(self.packing, packed, n_rows)

    def with_unknown(self, n: int) -> RowLosses:
        """Add learners of which no losses by row are known."""
        shape = (n, *self.packed.shape[1:])
        packed = np.concatenate([self.packed, np.full(shape, None)])
        n_rows = np.concatenate([self.n_rows, np.zeros(shape, np.int64)])
        return RowLosses(self.packing, packed, n_rows)
