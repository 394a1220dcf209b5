"""What tells one estimator, scorer or splitter from another, in any process.

``repr`` does not: scikit-learn leaves out the middle of a long one, numpy that of a long array, and
functions show their address. An identity is a short digest of the type and of all that it was set
to: arrays by their content, functions by their name and code, everything else by its own parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from curvewise._text import plain_repr

DEEPEST = 20


def identity(thing: Any) -> str:
    """Give a digest that differs for another type or other settings."""
    hasher = blake2b(digest_size=8)
    for part in _parts(thing, 0):
        hasher.update(part)
        hasher.update(b"|")
    return hasher.hexdigest()


def _parts(thing: Any, depth: int) -> Any:
    """Give bytes that say what something is, part by part."""
    kind = type(thing)
    yield f"{kind.__module__}.{kind.__qualname__}".encode()
    if depth > DEEPEST:
        return
    if isinstance(thing, np.ndarray) and thing.dtype != object:
        yield f"{thing.dtype}{thing.shape}".encode()
        yield np.ascontiguousarray(thing).tobytes()
    elif isinstance(thing, type):
        yield f"{thing.__module__}.{thing.__qualname__}".encode()
    elif isinstance(thing, FunctionType | BuiltinFunctionType | MethodType):
        yield from _of_function(thing, depth)
    elif isinstance(thing, CodeType):
        yield thing.co_code
        yield repr(thing.co_names).encode()
        for constant in thing.co_consts:
            yield from _parts(constant, depth + 1)
    elif isinstance(thing, Mapping):
        for key in sorted(thing, key=str):
            yield str(key).encode()
            yield from _parts(thing[key], depth + 1)
    elif isinstance(thing, list | tuple | np.ndarray):
        for part in thing:
            yield from _parts(part, depth + 1)
    elif hasattr(thing, "get_params") and not isinstance(thing, type):
        yield from _parts(thing.get_params(deep=False), depth + 1)
    elif getattr(thing, "__dict__", None) and kind.__module__ != "builtins":
        yield from _parts(vars(thing), depth + 1)
    else:
        yield plain_repr(thing).encode()


def _of_function(function: Any, depth: int) -> Any:
    yield f"{function.__module__}.{function.__qualname__}".encode()
    code = getattr(function, "__code__", None)
    if code is not None:
        yield from _parts(code, depth + 1)
    for cell in getattr(function, "__closure__", None) or ():
        yield from _parts(cell.cell_contents, depth + 1)
    yield from _parts(getattr(function, "__defaults__", None) or (), depth + 1)
