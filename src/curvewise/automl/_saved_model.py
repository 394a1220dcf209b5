"""Models in files: in the format of skops, and never as a pickle.

A file holds the pipeline and what prediction needs to know: the columns, the target, the task, and
the version of scikit-learn. Before anything of it is made, two things are looked at: that nothing
was changed after saving (`_model_archive.py`: against accidents), and that it names nothing but
what stands on an exact list, and classes that the user trusts by name (`_model_audit.py`,
`_trusted_names.py`: against malice). A model that the same user has saved on the same machine may
also hold what is not on the list (`_own_models.py`). What this promises and what not stands in
``SECURITY.md``.
"""

from __future__ import annotations

import io
import os
import stat
import warnings
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning

from curvewise._files import open_regular, write_whole
from curvewise._packages import require
from curvewise.automl._components.lightgbm_scores import make_all_plain
from curvewise.automl._model_archive import (
    add_manifest,
    check_numbers,
    read_manifest,
    read_schema,
)
from curvewise.automl._model_audit import audit
from curvewise.automl._own_models import is_own, remember
from curvewise.automl._tables.measure import most_bytes
from curvewise.errors import InvalidParameterError, UnsafeModelError

WHAT = "Saving and loading models"


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A fitted pipeline and what prediction needs to know.

    Parameters
    ----------
    pipeline
        Fitted, such as ``best_estimator_`` of `CurveAutoMLClassifier`.
    columns
        The kinds of the columns that it was fitted on, by name and in their order.
    target
        The name of what it predicts.
    task
        ``"classification"`` or ``"regression"``.
    ids
        The columns that identify rows: kept beside predictions where they are there. By default
        none.
    date_orders
        Whether the day or the month comes first in written dates, by column
        (`Table.date_orders`); new rows are read so. By default nothing is known of it.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1]], ["no", "yes"])
    >>> SavedModel(tree, {"size": "number"}, "large", "classification").target
    'large'
    """

    pipeline: BaseEstimator
    columns: Mapping[str, str]
    target: str
    task: str
    ids: tuple[str, ...] = ()
    date_orders: Mapping[str, str] = field(default_factory=dict)


def save_model(model: SavedModel, path: str | Path) -> list[str]:
    """Write a model into a file; it is there as a whole or not at all.

    Parameters
    ----------
    model
        The model.
    path
        Where to; the ending should be ``.skops``. A file that is there is replaced.

    Returns
    -------
    list of str
        Names of the classes that whoever else loads it has to trust: none for pipelines of our
        search spaces, unless their learner is one of XGBoost or CatBoost. You, on this machine, do
        not have to: it is remembered that you have saved it.

    Raises
    ------
    InvalidParameterError
        If it cannot be saved, or could not be loaded.
    MissingExtraError
        If skops is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1]], ["no", "yes"])
    >>> model = SavedModel(tree, {"size": "number"}, "large", "classification")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.skops"
    ...     foreign = save_model(model, path)
    ...     foreign, load_model(path).pipeline.predict([[1]]).tolist()
    ([], ['yes'])
    """
    skops = require("skops.io", WHAT)
    facts = {
        "scikit-learn": sklearn.__version__,
        "columns": dict(model.columns),
        "target": model.target,
        "task": model.task,
        "ids": list(model.ids),
        "date_orders": dict(model.date_orders),
    }
    foreign: list[str] = []
    make_all_plain(model.pipeline)

    def write(draft: Path) -> None:
        _dump(skops, model.pipeline, draft)
        foreign.extend(_foreign(draft))
        add_manifest(draft, facts)

    write_whole(path, write)
    if foreign:
        remember(path)
    return foreign


def load_model(path: str | Path, *, trusted: Collection[str] = ()) -> SavedModel:
    """Read a model from a file, if it is what was saved and names nothing that is not trusted.

    Another version of scikit-learn than the one it was saved with earns a warning.

    Parameters
    ----------
    path
        A file that `save_model` wrote.
    trusted
        Names of further classes that it may hold, such as ``"mypackage.models.MyClassifier"``.
        Their modules are imported. None by default; a model that you have saved yourself on this
        machine needs none.

    Raises
    ------
    UnsafeModelError
        If it is no such file, was changed, or holds what is not trusted.
    InvalidParameterError
        If a name in `trusted` is none of a class.
    MissingExtraError
        If skops is not installed.

    Examples
    --------
    >>> load_model("nowhere.skops")
    Traceback (most recent call last):
    ...
    curvewise.errors.UnsafeModelError: There is no file nowhere.skops.
    """
    skops = require("skops.io", WHAT)
    path = Path(path)
    names = check_classes(trusted)
    try:
        file = open_regular(path)
    except FileNotFoundError:
        raise UnsafeModelError(f"There is no file {path}.") from None
    except OSError:
        raise UnsafeModelError(f"{path} is not a model that curvewise saved.") from None
    with file:
        settled = _settled(file, path)
        manifest = read_manifest(settled, path)
        pipeline = _load(skops, settled, path, names, manifest["scikit-learn"])
    return SavedModel(
        pipeline,
        manifest["columns"],
        manifest["target"],
        manifest["task"],
        # Models of earlier versions know of neither.
        ids=tuple(manifest.get("ids", ())),
        date_orders=manifest.get("date_orders", {}),
    )


def check_classes(names: Collection[str]) -> frozenset[str]:
    """Import classes by name; give the names under which a file may hold them."""
    known = set()
    for name in [names] if isinstance(names, str) else names:
        module, _, last = str(name).rpartition(".")
        if not module or not all(part.isidentifier() for part in str(name).split(".")):
            raise InvalidParameterError(
                f"{name!r} is no name of a class with its module, such as "
                f"mypackage.models.MyClassifier."
            )
        try:
            found = getattr(import_module(module), last)
        except (Exception, SystemExit) as error:
            # The package is one that the user has named, and may be broken in any way.
            raise InvalidParameterError(
                f"{name!r} cannot be imported: {_sentence(error)}."
            ) from None
        if not isinstance(found, type):
            raise InvalidParameterError(f"{name!r} is no class, and only classes can be trusted.")
        known |= {name, f"{found.__module__}.{found.__name__}"}
    return frozenset(known)


def _settled(file: BinaryIO, path: Path) -> BinaryIO:
    """Give a file that is the same when it is looked at and when the pipeline is made of it.

    One that others can write to is read as a whole first.
    """
    facts = os.fstat(file.fileno())
    if os.name != "posix" or (
        facts.st_uid in (0, os.geteuid()) and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        return file
    if facts.st_size > most_bytes():
        raise UnsafeModelError(
            f"{path} is refused: others can write to it while it is read, and it is too large to "
            "be read at once; make a copy that is yours alone."
        )
    return io.BytesIO(file.read(facts.st_size))


def _load(skops: Any, file: BinaryIO, path: Path, trusted: Collection[str], saved_with: str) -> Any:
    """Audit, and then let skops make the pipeline."""
    try:
        findings = audit(read_schema(file), trusted=trusted)
        check_numbers(file, findings.numbers)
    except UnsafeModelError as error:
        raise UnsafeModelError(f"{path} is refused: {error}") from None
    if findings.untrusted:
        if not is_own(file):
            raise UnsafeModelError(f"{path} is refused: {_untrusted(sorted(findings.untrusted))}")
        check_classes(findings.untrusted)
    aged = "" if saved_with == sklearn.__version__ else f" (saved with scikit-learn {saved_with})"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InconsistentVersionWarning)
            pipeline = skops.load(file, trusted=sorted(findings.names))
    except Exception as error:
        raise UnsafeModelError(f"{path} cannot be loaded{aged}: {_sentence(error)}") from None
    if not callable(getattr(pipeline, "predict", None)):
        raise UnsafeModelError(f"{path} holds nothing that predicts.")
    if aged:
        warnings.warn(
            f"{path} was saved with scikit-learn {saved_with}, and this is {sklearn.__version__}: "
            f"predictions may differ; fit it again, or install that version.",
            stacklevel=3,
        )
    return pipeline


def _untrusted(names: list[str]) -> str:
    which = "which is" if len(names) == 1 else "which are"
    options = " ".join(f"--trust {name}" for name in names)
    return (
        f"it holds {', '.join(names)}, {which} not trusted. If you know who made it, {options} "
        f"allows it (in Python: trusted={names})."
    )


def _dump(skops: Any, pipeline: Any, path: Path) -> None:
    try:
        skops.dump(pipeline, path, compression=zipfile.ZIP_DEFLATED, compresslevel=1)
    except OSError:
        raise
    except Exception as error:
        raise InvalidParameterError(f"The model cannot be saved: {_sentence(error)}") from error


def _foreign(draft: Path) -> list[str]:
    """Name the classes that have to be trusted; say at once what could never be loaded."""
    try:
        with draft.open("rb") as file:
            return sorted(audit(read_schema(file)).untrusted)
    except UnsafeModelError as error:
        raise InvalidParameterError(
            f"The model cannot be saved, as loading would fail: {error}"
        ) from None


def _sentence(error: BaseException) -> str:
    """Give the first line of an error, without what could steer a terminal."""
    text = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return "".join(letter if letter.isprintable() else "?" for letter in text)
