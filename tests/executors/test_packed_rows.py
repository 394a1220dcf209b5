import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.executors._packed_rows import is_whole, n_bytes, pack, unpack


@given(st.lists(st.booleans(), min_size=1))
def test_bits_come_back_as_they_were(errors):
    losses = np.array(errors)
    packed = pack(losses, "bits")

    assert len(packed) == n_bytes(len(losses), "bits") <= len(losses) / 8 + 1
    assert np.array_equal(unpack(packed, len(losses), "bits"), losses)
    assert is_whole(packed, len(losses), "bits", losses.mean())


@given(
    st.lists(st.floats(1e-4, 36.0), min_size=1),
    st.sampled_from(["float16", "float32"]),
)
def test_floats_come_back_rounded(values, packing):
    losses = np.array(values)
    packed = pack(losses, packing)

    assert len(packed) == n_bytes(len(losses), packing)
    assert unpack(packed, len(losses), packing) == pytest.approx(losses, rel=2e-3)
    assert is_whole(packed, len(losses), packing, losses.mean())


def test_what_does_not_fit_is_left_out():
    assert pack(np.array([1e39]), "float32") is None
    assert pack(np.array([np.nan]), "float16") is None
    assert pack(np.array([0.5]), "bits") is None
    assert pack(np.array([True]), "float16") is None
    assert pack(np.zeros((2, 2)), "float16") is None
    assert pack(None, "bits") is None


@pytest.mark.parametrize(
    ("packed", "n_rows", "mean"),
    [
        (b"\x80", 9, 1 / 9),  # too short
        (b"\x80\x00", 8, 1 / 8),  # too long
        (b"\x81", 7, 1 / 7),  # a bit beyond the last row
        (b"\x80", 8, 2 / 8),  # another mean
        (b"\x80", 8, float("nan")),  # no mean
    ],
)
def test_bytes_that_are_not_these_losses_are_noticed(packed, n_rows, mean):
    assert not is_whole(packed, n_rows, "bits", mean)
