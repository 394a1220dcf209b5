import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Race, Schedule
from curvewise.core._portfolio import Status
from curvewise.errors import StoreError
from curvewise.executors._store.json_values import (
    decode_key,
    encode_key,
    from_column,
    from_json,
    named,
    to_column,
    to_json,
)
from tests.executors.store.strategies import keys

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(values)
def test_values_survive(value):
    text = to_json(value)

    assert to_json(from_json(text)) == text
    assert repr(from_json(to_json([value]))) == repr(from_json(f"[{text}]"))


@given(st.floats())
def test_floats_survive_bit_by_bit_in_json_and_in_columns(value):
    assert repr(from_json(to_json(value))) == repr(value)
    assert repr(from_column(to_column(value))) == repr(value)


@given(values)
def test_what_is_written_is_strict_json(value):
    def refuse(constant):
        raise AssertionError(constant)

    json.loads(to_json(value), parse_constant=refuse)


@given(keys)
def test_keys_survive(key):
    assert repr(decode_key(encode_key(key))) == repr(key)


@given(keys, keys)
def test_different_keys_have_different_texts(one, other):
    if one != other:
        assert encode_key(one) != encode_key(other)


@pytest.mark.parametrize(
    ("key", "plain"),
    [(np.int64(3), 3), (np.float32(0.5), 0.5), (("a", np.int32(2)), ("a", 2)), (True, True)],
)
def test_numbers_of_numpy_are_numbers(key, plain):
    assert decode_key(encode_key(key)) == plain


@pytest.mark.parametrize("key", [object(), frozenset({1}), b"raw", ("a", object())])
def test_other_keys_are_refused(key):
    with pytest.raises(StoreError, match="its key must be text, a number or a tuple of these"):
        encode_key(key)


def test_nan_is_no_key():
    with pytest.raises(StoreError, match="NaN does not equal itself"):
        encode_key(("a", math.nan))


def test_dataclasses_are_written_by_their_fields():
    written = from_json(
        to_json({"policy": Race(), "anchors": Schedule((8, 9)), "s": Status.PRUNED})
    )

    assert written["policy"]["type"] == "Race"
    assert written["anchors"] == {"type": "Schedule", "anchors": [8, 9]}
    assert written["s"] == "pruned"


def test_what_cannot_be_stored_is_named_with_its_place():
    with pytest.raises(StoreError, match=r"settings\['model'\]\[1\] .* of type function"):
        to_json({"model": [1, to_json]}, what="settings")


@pytest.mark.parametrize("text", ["{", "", None, "[" * 10_000])
def test_damaged_json_is_refused(text):
    with pytest.raises(StoreError, match="is not JSON"):
        from_json(text)


def test_damaged_keys_columns_and_words_are_refused():
    with pytest.raises(StoreError, match="is not the key of a candidate"):
        decode_key('{"a": 1}')
    with pytest.raises(StoreError, match="stands where a number should"):
        from_column("0.5")
    with pytest.raises(StoreError, match="'odd' is no Status"):
        named(Status, "odd")
