"""What a worker gave: as bytes and back, and looked at before a search computes with it.

A candidate's code runs beside the evaluation, so what comes back may hold anything, and the bytes
may be the candidate's own. Rules:

1. An observation is written as a line of JSON, and then its arrays, predictions and bytes, as they
   are. Reading that executes nothing, and takes no more memory than its length explains.
2. Which class it is of is looked up among our own observations, and nothing is imported for it.
3. A loss that is text, seconds below 0, scores that are no numbers, numbers whose sum is too large
   for a float: a search would end with an error at any of them. They are looked at here, in the
   worker and once more in the owner, where each is the failure of one task.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from curvewise.core._checks import real_number
from curvewise.core._outcome import LARGEST_LOSS, Observation, Task, as_outcome
from curvewise.core._predictions import KINDS, METHODS, MOST_DIMENSIONS, Predictions
from curvewise.errors import CurvewiseError

# The drops of 100,000 permuted columns take 4 MB.
MOST_JSON_BYTES = 2**24
# Longer than the world has been there.
MOST_SECONDS = 1e18
# What numbers an array of losses may hold.
NUMBERS = re.compile(r"[<>|]?(b1|f\d{1,2})", re.ASCII)
# Larger than anything that is measured; sums of them, and what a store keeps of them, are numbers.
MOST = {
    "seconds": MOST_SECONDS,
    "fit_seconds": MOST_SECONDS,
    "score_seconds": MOST_SECONDS,
    "n_test": 2**53,
    "noise": LARGEST_LOSS**2,
}
# What an observation stands for until its owner puts in its own.
NO_TASK = Task(None, 0, 0)


def to_bytes(result: Any) -> bytes:
    """Write an observation down; an error names what cannot be used in it."""
    result = checked(result)
    values: dict[str, Any] = {}
    parts: list[tuple[str, str, int]] = []
    content: list[bytes] = []
    for name, value in _fields(result):
        if isinstance(value, Predictions | np.ndarray | bytes):
            kind = value.dtype.str if isinstance(value, np.ndarray) else ""
            content.append(_bytes_of(value))
            parts.append((name, kind, len(content[-1])))
        else:
            values[name] = _plain(value)
    head = json.dumps({"class": type(result).__name__, "values": values, "parts": parts})
    return b"".join([head.encode(), b"\n", *content])


def from_bytes(data: bytes) -> Observation:
    """Read an observation, for no task yet; an error says that it is none that can be used."""
    end = data.find(b"\n", 0, MOST_JSON_BYTES)
    head = json.loads(data[: max(end, 0)])
    values, start = head["values"], end + 1
    for name, kind, n_bytes in head["parts"]:
        if name in values or type(n_bytes) is not int or not 0 <= n_bytes <= len(data) - start:
            raise ValueError("its parts are not whole")
        values[name] = _part(name, kind, data[start : start + n_bytes])
        start += n_bytes
    if start != len(data):
        raise ValueError("its parts are not whole")
    return checked(_class(head["class"])(task=NO_TASK, **values))


def _fields(result: Observation) -> Iterator[tuple[str, Any]]:
    """Give what an observation holds, but for its task."""
    for field in dataclasses.fields(result):
        if field.name != "task":
            yield field.name, getattr(result, field.name)


def _bytes_of(value: Predictions | np.ndarray[Any, Any] | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    return value.to_bytes() if isinstance(value, Predictions) else value.tobytes()


def _part(name: str, kind: str, content: bytes) -> Any:
    if name == "predictions":
        try:
            return Predictions.from_bytes(content)
        except CurvewiseError:
            raise ValueError("its predictions are not whole") from None
    if not kind:
        return content
    if not NUMBERS.fullmatch(kind):
        raise TypeError(f"an array of {kind!r:.20} is none of losses")
    return np.frombuffer(content, dtype=kind).copy()


def _class(name: Any) -> type[Observation]:
    known: list[type[Observation]] = [Observation, *Observation.__subclasses__()]
    return next(kind for kind in known if kind.__name__ == name and _is_ours(kind))


def _is_ours(kind: type) -> bool:
    """Whether a class is one of ours, and can be found under its name.

    Python makes a data class with slots twice; the first one lives until it is collected.
    """
    module = sys.modules.get(kind.__module__)
    ours = kind.__module__.partition(".")[0] == "curvewise"
    return ours and getattr(module, kind.__name__, None) is kind


def _plain(value: Any) -> Any:
    """Give a value as JSON has it."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return _number("a value", value)


def checked(result: Any) -> Observation:
    """Give an observation whose parts are what they should be; an error names one that is not."""
    if not (isinstance(result, Observation) and _is_ours(type(result))):
        raise TypeError(f"{type(result).__name__} is no observation of ours")
    for name, most in MOST.items():
        value = getattr(result, name)
        if value is not None and real_number(name, value, at_least=0) > most:
            raise ValueError(f"{name} is {value:g}, which nothing is")
    if result.predictions is not None:
        _check_predictions(result.predictions)
    losses = result.row_losses
    if losses is not None and not (
        type(losses) is np.ndarray and losses.ndim == 1 and losses.dtype.kind in "bf"
    ):
        raise TypeError("row_losses must be an array with a number for each test row")
    plain = replace(
        result,
        loss=_number("loss", result.loss),
        scores=_numbers("scores", result.scores),
        train_scores=_numbers("train_scores", result.train_scores),
        found=_found(result.found),
    )
    # A loss that is not finite is the search's to judge.
    as_outcome(plain)
    return plain


def _found(values: Any) -> dict[str, float] | None:
    """Give what a fit has found; any learner may have something else under that name."""
    try:
        return _numbers("found", values)
    except (TypeError, ValueError, OverflowError):
        return None


def _numbers(what: str, values: Any) -> dict[str, float] | None:
    if values is None:
        return None
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise TypeError(f"{what} must be numbers by name, got {type(values).__name__}")
    return {str(name): _number(f"{what}[{name!r}]", value) for name, value in values.items()}


def _number(what: str, value: Any) -> float:
    if value is None or isinstance(value, str | bytes):
        raise TypeError(f"{what} must be a number, got {type(value).__name__}")
    # Also of whole numbers: who computes with one that is too large for that would raise.
    number = float(value)
    return int(value) if isinstance(value, Integral) else number


def _check_predictions(predictions: Any) -> None:
    if not isinstance(predictions, Predictions) or predictions.method not in METHODS:
        raise TypeError("predictions must be of a method of an estimator")
    values, labels = predictions.values, predictions.labels
    arrays = [values] if labels is None else [values, labels]
    if not all(
        type(array) is np.ndarray and array.dtype.newbyteorder("<").str in KINDS for array in arrays
    ):
        raise TypeError("predictions must be arrays of numbers")
    if not 1 <= values.ndim <= MOST_DIMENSIONS or (
        labels is not None and labels.shape != values.shape[:1]
    ):
        raise TypeError("predictions must have a row for each test row")
