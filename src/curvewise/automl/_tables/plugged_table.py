"""Tables that a plug-in of another package loads: ``NAME:rest``.

Its function is given the text after the colon, and gives a data frame of pandas, or a pair of one
and the name of the column to predict.
"""

from __future__ import annotations

import re
from typing import Any

from curvewise._packages import require
from curvewise._plug_ins import PlugIn
from curvewise.automl._tables.content import Raw
from curvewise.errors import PlugInError

# Two letters at least: one is a drive of Windows.
SCHEME = re.compile(r"[A-Za-z][\w.+-]+")


def is_scheme(scheme: str, rest: str) -> bool:
    """Whether a source begins as plug-ins are named, and says which table."""
    return bool(rest) and SCHEME.fullmatch(scheme) is not None


def read_plug_in(plug_in: PlugIn, rest: str) -> Raw:
    """Let a plug-in load a table."""
    pandas = require("pandas")
    given: Any = plug_in.call(rest)
    frame, target = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if not isinstance(frame, pandas.DataFrame):
        raise PlugInError(
            f"{plug_in.label} gave no data frame of pandas, but a {type(frame).__name__}."
        )
    names = [str(column) for column in frame.columns]
    if target is not None and str(target) not in names:
        raise PlugInError(f"{plug_in.label} named a target that is no column: {target!r}.")
    frame = frame.reset_index(drop=True)
    return Raw(frame, names, [], None if target is None else str(target))
