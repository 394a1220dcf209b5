"""Models in files that are safe to load: skops, never pickle.

A file holds the pipeline and what prediction needs to know: the columns, the target, the task, and
the version of scikit-learn. Two things are checked before anything of it is made: that nothing was
changed after saving (a digest over all of it, against accidents and careless hands), and that only
types of scikit-learn, numpy, scipy, curvewise and the packages that the user names appear in it
(against malice: nothing else is ever imported or called).
"""

from __future__ import annotations

import hashlib
import json
import warnings
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sklearn
from sklearn.exceptions import InconsistentVersionWarning

from curvewise._files import write_whole
from curvewise.errors import InvalidParameterError, MissingExtraError, UnsafeModelError

MANIFEST = "curvewise.json"
FORMAT = 1
TRUSTED = ("curvewise.automl.", "numpy.", "scipy.", "sklearn.")
# What reading an archive raises that is none, or is damaged.
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, TypeError, ValueError)
CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A fitted pipeline and what prediction needs to know.

    Parameters
    ----------
    pipeline
        Fitted.
    columns
        The kinds of the columns that it was fitted on, by name and in their order.
    target
        The name of what it predicts.
    task
        ``"classification"`` or ``"regression"``.
    """

    pipeline: Any
    columns: Mapping[str, str]
    target: str
    task: str


def save_model(model: SavedModel, path: str | Path) -> None:
    """Write a model into a file; it is there as a whole or not at all.

    Parameters
    ----------
    model
        The model.
    path
        Where to; the ending should be ``.skops``.
    """
    skops = _skops()
    facts = {
        "format": FORMAT,
        "scikit-learn": sklearn.__version__,
        "columns": dict(model.columns),
        "target": model.target,
        "task": model.task,
    }

    def write(draft: Path) -> None:
        _dump(skops, model.pipeline, draft)
        with zipfile.ZipFile(draft, "a") as archive:
            archive.writestr(MANIFEST, json.dumps({**facts, "digest": _digest(archive, facts)}))

    write_whole(path, write)


def load_model(path: str | Path, *, packages: Collection[str] = ()) -> SavedModel:
    """Read a model from a file, if it is what was saved and holds nothing that is not trusted.

    Another version of scikit-learn than the one it was saved with earns a warning.

    Parameters
    ----------
    path
        A file that `save_model` wrote.
    packages
        Names of packages whose classes are trusted as well.

    Raises
    ------
    UnsafeModelError
        If it is no such file, was changed, or holds a type that is not trusted.
    """
    skops = _skops()
    path = Path(path)
    manifest = _checked_manifest(path)
    saved_with = manifest["scikit-learn"]
    aged = "" if saved_with == sklearn.__version__ else f" (saved with scikit-learn {saved_with})"
    try:
        types = skops.get_untrusted_types(file=path)
    except Exception as error:
        raise UnsafeModelError(f"{path} is damaged{aged}: {_sentence(error)}") from None
    trusted = (*TRUSTED, *(f"{package}." for package in packages))
    strange = sorted(name for name in types if not _trusted(name, trusted))
    if strange:
        raise UnsafeModelError(
            f"{path} is refused: it holds {', '.join(strange[:3])}, which is not trusted."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InconsistentVersionWarning)
            pipeline = skops.load(path, trusted=types)
    except Exception as error:
        raise UnsafeModelError(f"{path} cannot be loaded{aged}: {_sentence(error)}") from None
    if aged:
        warnings.warn(
            f"{path} was saved with scikit-learn {saved_with}, and this is {sklearn.__version__}: "
            f"predictions may differ; fit it again, or install that version.",
            stacklevel=2,
        )
    return SavedModel(
        pipeline, dict(manifest["columns"]), str(manifest["target"]), str(manifest["task"])
    )


def _trusted(name: str, packages: tuple[str, ...]) -> bool:
    return name.startswith(packages) and not name.rpartition(".")[2].startswith("_")


def _dump(skops: Any, pipeline: Any, path: Path) -> None:
    try:
        skops.dump(pipeline, path, compression=zipfile.ZIP_DEFLATED, compresslevel=1)
    except OSError:
        raise
    except Exception as error:
        raise InvalidParameterError(f"The model cannot be saved: {_sentence(error)}") from error


def _checked_manifest(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = dict(json.loads(archive.read(MANIFEST)))
            digest = manifest.pop("digest")
            unchanged = digest == _digest(archive, manifest)
        known = (manifest["format"], manifest["scikit-learn"], manifest["columns"])
    except FileNotFoundError:
        raise UnsafeModelError(f"There is no file {path}.") from None
    except (OSError, RuntimeError, *BROKEN):
        raise UnsafeModelError(f"{path} is not a model that curvewise saved.") from None
    if known[0] != FORMAT:
        raise UnsafeModelError(
            f"{path} has format {known[0]}, and this curvewise knows {FORMAT} only."
        )
    if not unchanged:
        raise UnsafeModelError(f"{path} is refused: it was changed after it was saved.")
    return manifest


def _digest(archive: zipfile.ZipFile, facts: Mapping[str, Any]) -> str:
    """Sum up all members, and the facts of the manifest."""
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(archive.namelist()):
        if name != MANIFEST:
            digest.update(f"{len(name)}:{name}{archive.getinfo(name).file_size}:".encode())
            with archive.open(name) as member:
                while chunk := member.read(CHUNK):
                    digest.update(chunk)
    return digest.hexdigest()


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def _skops() -> Any:
    try:
        import skops.io as skops
    except ImportError:
        raise MissingExtraError("Saving and loading models", "select") from None
    return skops
