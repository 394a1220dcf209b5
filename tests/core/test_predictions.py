"""Predictions as bytes, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from curvewise.core import Predictions
from curvewise.core._predictions import KINDS, METHODS
from curvewise.errors import StoreError

numbers = st.sampled_from(KINDS).flatmap(
    lambda kind: arrays(kind, array_shapes(min_dims=1, max_dims=2, max_side=5))
)


@given(st.sampled_from(METHODS), numbers, st.booleans())
def test_what_was_written_is_read(method, values, has_labels):
    labels = np.arange(len(values), dtype=np.int32) if has_labels else None
    kept = Predictions(method, values, labels)
    read = Predictions.from_bytes(kept.to_bytes())

    assert read.method == method
    assert read.values.dtype == values.dtype
    np.testing.assert_array_equal(read.values, values)
    assert (read.labels is None) == (labels is None)
    if has_labels:
        np.testing.assert_array_equal(read.labels, labels)
    assert kept.n_bytes <= len(kept.to_bytes())


def test_other_byte_orders_are_written_as_ours():
    values = np.array([1.5, -2.0], dtype=">f8")

    np.testing.assert_array_equal(
        Predictions.from_bytes(Predictions("predict", values).to_bytes()).values, values
    )


whole = Predictions("predict_proba", np.array([[0.25, 0.75]])).to_bytes()


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"[" * 5000,
        whole[:-1],
        whole + b"0",
        whole.replace(b"<f8", b"|O8"),
        whole.replace(b"<f8", b"<f2"),
        whole.replace(b"predict_proba", b"predict_other"),
        whole.replace(b"[1, 2]", b"[-1, -2]"),
        whole.replace(b"[1, 2]", b"[1, 2.0]"),
        whole.replace(b"[1, 2]", b"[1, true]"),
        whole.replace(b"[1, 2]", b"[2, 1, 1]"),
        whole.replace(b"[1, 2]", b"[99999999999, 99999999999]"),
        b'{"method": "predict", "kind": "<f8", "shape": [0, 9223372036854775807]}\n',
        b'{"method": "predict", "kind": "<f8", "shape": [9223372036854775808, 0]}\n',
    ],
)
def test_what_is_not_whole_is_refused(damaged):
    with pytest.raises(StoreError, match="damaged"):
        Predictions.from_bytes(damaged)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        Predictions.from_bytes(data)
    except StoreError:
        return
