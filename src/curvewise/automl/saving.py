"""Models in files that are safe to load: skops, never pickle.

A file holds the pipeline and what prediction needs to know: the columns, the target, the task. Two
things are checked before anything of it is made: that no member was changed after saving (a digest
over all of them, against accidents and careless hands), and that only types of scikit-learn, numpy,
scipy and curvewise appear in it (against malice: nothing else is ever imported or called).
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from curvewise.errors import InvalidParameter, MissingExtra, UnsafeModel

MANIFEST = "curvewise.json"
FORMAT = 1
TRUSTED = ("curvewise.automl.", "numpy.", "scipy.", "sklearn.")


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
    path = Path(path)
    facts = {"columns": dict(model.columns), "target": model.target, "task": model.task}
    try:
        with NamedTemporaryFile(dir=path.resolve().parent, delete=False) as file:
            temporary = Path(file.name)
    except OSError as error:
        raise InvalidParameter(f"{path} cannot be written: {error.strerror}.") from None
    try:
        _dump(skops, model.pipeline, temporary)
        with zipfile.ZipFile(temporary, "a") as archive:
            manifest = {"format": FORMAT, "digest": _digest(archive), **facts}
            archive.writestr(MANIFEST, json.dumps(manifest))
        temporary.replace(path)
    except OSError as error:
        raise InvalidParameter(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        temporary.unlink(missing_ok=True)
    if os.name == "posix":
        path.chmod(0o644 & ~_umask())


def load_model(path: str | Path) -> SavedModel:
    """Read a model from a file, if it is what was saved and holds nothing that is not trusted.

    Parameters
    ----------
    path
        A file that `save_model` wrote.

    Raises
    ------
    UnsafeModel
        If it is no such file, was changed, or holds a type that is not trusted.
    """
    skops = _skops()
    path = Path(path)
    manifest = _checked_manifest(path)
    try:
        strange = [
            name
            for name in skops.get_untrusted_types(file=path)
            if not name.startswith(TRUSTED) or name.rpartition(".")[2].startswith("_")
        ]
    except Exception as error:
        raise UnsafeModel(f"{path} is damaged: {_sentence(error)}") from None
    if strange:
        raise UnsafeModel(
            f"{path} is refused: it holds {', '.join(sorted(strange)[:3])}, which is not trusted."
        )
    trusted = skops.get_untrusted_types(file=path)
    try:
        pipeline = skops.load(path, trusted=trusted)
    except Exception as error:
        raise UnsafeModel(f"{path} cannot be loaded: {_sentence(error)}") from None
    return SavedModel(
        pipeline, dict(manifest["columns"]), str(manifest["target"]), str(manifest["task"])
    )


def _dump(skops: Any, pipeline: Any, path: Path) -> None:
    try:
        skops.dump(pipeline, path)
    except OSError:
        raise
    except Exception as error:
        raise InvalidParameter(f"The model cannot be saved: {_sentence(error)}") from error


def _checked_manifest(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if manifest["digest"] != _digest(archive):
                raise UnsafeModel(f"{path} is refused: it was changed after it was saved.")
    except FileNotFoundError:
        raise UnsafeModel(f"There is no file {path}.") from None
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        if isinstance(error, UnsafeModel):
            raise
        raise UnsafeModel(f"{path} is not a model that curvewise saved.") from None
    if manifest["format"] != FORMAT:
        raise UnsafeModel(
            f"{path} has format {manifest['format']}, and this curvewise knows {FORMAT} only."
        )
    return dict(manifest)


def _digest(archive: zipfile.ZipFile) -> str:
    digest = hashlib.sha256()
    for name in sorted(archive.namelist()):
        if name != MANIFEST:
            content = archive.read(name)
            digest.update(f"{len(name)}:{name}{len(content)}:".encode() + content)
    return digest.hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def _skops() -> Any:
    try:
        import skops.io as skops
    except ImportError:
        raise MissingExtra("Saving and loading models", "select") from None
    return skops
