"""Every error that curvewise raises on purpose.

::

    CurvewiseError
    ├── InvalidParameterError (ValueError)   a value that cannot work, before anything ran
    ├── NoResultError (ValueError)           a search or a fit came to nothing
    │   └── UnfitDataError (TypeError)       the commonest reason was a TypeError
    ├── UnknownTaskError (LookupError)       an outcome for a task that was never asked for
    ├── UnreadableCurvesError (ValueError)   a file of recorded curves that is not what it should be
    ├── StoreError (ValueError)              a run store that cannot be opened, written or resumed
    ├── TableError (ValueError)              a table that cannot be read or used
    ├── UnsafeModelError (ValueError)        a saved model that was changed or is not trusted
    ├── PlugInError (ValueError)             a plug-in of another package that cannot be used
    └── MissingExtraError (ImportError)      an optional package is missing: how to install it

A candidate that fails is not an error but a value: see `curvewise.core.Failure`.
"""

__all__ = [
    "CurvewiseError",
    "InvalidParameterError",
    "MissingExtraError",
    "NoResultError",
    "PlugInError",
    "StoreError",
    "TableError",
    "UnfitDataError",
    "UnknownTaskError",
    "UnreadableCurvesError",
    "UnsafeModelError",
]


class CurvewiseError(Exception):
    """The common ancestor: catch it to catch whatever curvewise raises on purpose."""


class InvalidParameterError(CurvewiseError, ValueError):
    """A parameter has a value that cannot work."""


class NoResultError(CurvewiseError, ValueError):
    """Not a single candidate gave a result; the message names the commonest reason."""


class UnfitDataError(NoResultError, TypeError):
    """Not a single candidate gave a result, and most raised a TypeError on the data."""


class UnknownTaskError(CurvewiseError, LookupError):
    """An outcome was told for a task that the search never asked for."""


class UnreadableCurvesError(CurvewiseError, ValueError):
    """A file of recorded curves is missing, empty or lacks something."""


class StoreError(CurvewiseError, ValueError):
    """A run store cannot be opened, read, written or resumed; the message says why."""


class TableError(CurvewiseError, ValueError):
    """A table cannot be read or used; the message says which one, why, and what to do."""


class UnsafeModelError(CurvewiseError, ValueError):
    """A file of a model was changed, is damaged, or holds something that is not trusted."""


class PlugInError(CurvewiseError, ValueError):
    """A plug-in of another package cannot be used; the message names it, its package and why."""


class MissingExtraError(CurvewiseError, ImportError):
    """An optional dependency is not installed.

    Parameters
    ----------
    what
        What the user wanted to do.
    extra
        The extra of curvewise that brings the missing package.

    Examples
    --------
    >>> print(MissingExtraError("Plotting", "plot"))
    Plotting needs an optional package: pip install 'curvewise[plot]'
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'curvewise[{extra}]'")
