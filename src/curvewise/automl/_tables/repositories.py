"""Data sets that have a name instead of a file: scikit-learn's own and OpenML's.

``sklearn:iris`` and the like come with scikit-learn. ``openml:1590`` is fetched once through
scikit-learn, which keeps it under ``~/scikit_learn_data`` (or ``SCIKIT_LEARN_DATA``), and needs no
network afterwards.
"""

from __future__ import annotations

import urllib.error
import warnings
from http.client import HTTPException
from typing import Any

from curvewise._packages import require
from curvewise.automl._tables.column_names import quoted, suggestion
from curvewise.automl._tables.content import Raw
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import TableError

BUNDLED = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# Dense tables of more cells than this, from sparse data, would not fit into common memories.
_MOST_CELLS = 500_000_000


def read_bundled(name: str) -> Raw:
    """Load a data set that comes with scikit-learn; classes with names are called by them."""
    if name not in BUNDLED:
        raise TableError(
            f"scikit-learn brings no data set {quoted(name)} with one target; "
            f"{suggestion(name, BUNDLED)}."
        )
    require("pandas")
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    frame = bunch.frame
    labels = bunch.get("target_names")
    if labels is not None and len(labels) and all(isinstance(label, str) for label in labels):
        names = [str(label) for label in labels]
        frame = frame.assign(target=[names[code] for code in frame["target"]])
    return Raw(frame, [str(column) for column in frame.columns], [], "target")


def read_openml(number: str) -> Raw:
    """Fetch a data set from OpenML, or take it from the cache."""
    if not (number.isascii() and number.isdigit()):
        raise TableError(
            f"An OpenML data set is named by its id, as openml:61; got {quoted(number)}."
        )
    require("pandas")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bunch = _fetch(int(number))
    notes: list[str] = [
        WarningNote(f"OpenML: {str(warning.message).splitlines()[0].strip().rstrip('.')}.")
        for warning in caught
        if issubclass(warning.category, UserWarning) and str(warning.message).strip()
    ]
    frame = bunch.frame if bunch.frame is not None else _dense(bunch, number)
    targets = bunch.get("target_names") or []
    target = str(targets[0]) if len(targets) == 1 else None
    return Raw(frame, [str(column) for column in frame.columns], notes, target)


def _dense(bunch: Any, number: str) -> Any:
    """Make a table of sparse data, which scikit-learn gives as a matrix beside its target."""
    n_rows, n_columns = bunch.data.shape
    if n_rows * n_columns > _MOST_CELLS:
        raise TableError(
            f"openml:{number} is sparse and too large for a table: {n_rows:,} rows of "
            f"{n_columns:,} columns."
        )
    data = bunch.data.toarray() if hasattr(bunch.data, "toarray") else bunch.data
    pandas = require("pandas")
    frame = pandas.DataFrame(data, columns=[str(name) for name in bunch.feature_names])
    targets = bunch.get("target_names") or []
    if not len(targets):
        return frame
    values = bunch.target.toarray() if hasattr(bunch.target, "toarray") else bunch.target
    target = pandas.DataFrame(values, columns=[str(name) for name in targets])
    return pandas.concat([frame, target], axis=1)


def _fetch(number: int) -> Any:
    from sklearn import datasets

    try:
        return datasets.fetch_openml(data_id=number, as_frame="auto", parser="auto", n_retries=1)
    except urllib.error.HTTPError as error:
        if error.code in (404, 412):
            raise TableError(f"OpenML has no data set openml:{number}.") from None
        raise TableError(
            f"OpenML answered with HTTP {error.code} when asked for openml:{number}; try again "
            "later."
        ) from None
    except ImportError:
        require("pyarrow")
        raise
    except (OSError, HTTPException) as error:
        reason = quoted(getattr(error, "reason", None) or error)
        raise TableError(
            f"openml:{number} is not in the cache and OpenML cannot be reached ({reason}); check "
            "the network, or give a file."
        ) from None
    except ValueError as error:
        # scikit-learn's own error for a number that OpenML does not know is a ValueError as well.
        reason = str(error).splitlines()[0].rstrip(".")
        raise TableError(f"openml:{number} cannot be fetched: {reason}.") from None
