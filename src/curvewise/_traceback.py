"""What was raised, as text: the error in the first line, then where it came from."""

from __future__ import annotations

import traceback


def describe_error(error: BaseException) -> str:
    """Say what was raised in the first line, and give the whole traceback below.

    Examples
    --------
    >>> try:
    ...     raise ValueError("no rows")
    ... except ValueError as error:
    ...     text = describe_error(error)
    >>> print(text.splitlines()[0])
    ValueError: no rows
    """
    what = "".join(traceback.format_exception_only(error)).strip()
    where = "".join(traceback.format_exception(error)).strip()
    return f"{what}\n{where}"
