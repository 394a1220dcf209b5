"""The archive that a model is saved in: its facts, and a digest over all of it.

The digest shows accidents and careless hands. It shows no malice: anyone can compute it.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from curvewise.automl._components.written_dates import COMPACT, ORDERS
from curvewise.automl._model_measure import is_single, measure
from curvewise.automl._tables.measure import most_bytes
from curvewise.errors import UnsafeModelError

MANIFEST = "curvewise.json"
SCHEMA = "schema.json"
FORMAT = 1
# What the two may take when unpacked. The schema of 500 boosted trees takes 11 MiB, that of
# gradient boosting 25 MiB for a hundred classes.
LARGEST_MANIFEST = 16 * 2**20
LARGEST_SCHEMA = 256 * 2**20
# A byte of the schema may become so many in memory.
READ_BYTES = 28
CHUNK = 2**20
KNOWN_ORDERS = (*ORDERS, COMPACT)
VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}", re.ASCII)


def add_manifest(path: Path, facts: Mapping[str, Any]) -> None:
    """Write the facts about a model, and the digest, into its archive."""
    facts = {"format": FORMAT, **facts}
    with zipfile.ZipFile(path, "a") as archive:
        manifest = {**facts, "digest": _digest(archive, facts)}
        archive.writestr(MANIFEST, json.dumps(manifest))


def read_manifest(file: BinaryIO, path: Path) -> dict[str, Any]:
    """Read the facts about a model, if it is one and is what was saved."""
    try:
        with zipfile.ZipFile(file) as archive:
            measure(archive)
            manifest = dict(_json(archive, MANIFEST, LARGEST_MANIFEST))
            digest = manifest.pop("digest")
            unchanged = digest == _digest(archive, manifest)
        number = manifest["format"]
        readable = number != FORMAT or _is_sound(manifest)
    except UnsafeModelError as error:
        raise UnsafeModelError(f"{path} is refused: {error}") from None
    except Exception:
        # Unpacking and reading what is damaged raises errors of all kinds, of memory too.
        readable = False
    if not readable:
        raise UnsafeModelError(f"{path} is not a model that curvewise saved.")
    if number != FORMAT:
        raise UnsafeModelError(
            f"{path} has format {number!r:.9}, and this curvewise knows {FORMAT} only."
        )
    if not unchanged:
        raise UnsafeModelError(f"{path} is refused: it was changed after it was saved.")
    return manifest


def read_schema(file: BinaryIO) -> Any:
    """Read what skops would make the model of."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _json(archive, SCHEMA, min(LARGEST_SCHEMA, most_bytes() // READ_BYTES))
    except UnsafeModelError:
        raise
    except RecursionError:
        raise UnsafeModelError("it is nested too deeply.") from None
    except Exception:
        raise UnsafeModelError("it has no description that can be read.") from None


def check_numbers(file: BinaryIO, names: Collection[str]) -> None:
    """Refuse arrays where there should be numbers: made of bytes, they would take a lot more."""
    try:
        with zipfile.ZipFile(file) as archive:
            single = all(is_single(archive, name) for name in names)
    except Exception:
        single = False
    if not single:
        raise UnsafeModelError("it has something else where a number should be.")


def _json(archive: zipfile.ZipFile, name: str, most: int) -> Any:
    """Unpack and read a member, but never more than is allowed."""
    if len(set(archive.namelist())) < len(archive.namelist()):
        raise UnsafeModelError("it has several parts of the same name.")
    # The header may lie, so that it is not enough to look at it.
    if archive.getinfo(name).file_size <= most:
        with archive.open(name) as member:
            content = member.read(most + 1)
        if len(content) <= most:
            return json.loads(content, object_pairs_hook=_unambiguous)
    raise UnsafeModelError(f"{name} in it takes more than {most // 2**20} MiB.")


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse names that come twice: readers differ in which one they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnsafeModelError("it has several values under the same name.")
    return found


def _is_sound(manifest: Mapping[str, Any]) -> bool:
    """Whether the facts are of the kinds that they should be."""
    columns = manifest["columns"]
    texts = [manifest["target"], manifest["scikit-learn"], *columns, *columns.values()]
    # Models that were saved by earlier versions have none of these.
    ids, orders = manifest.get("ids", []), manifest.get("date_orders", {})
    texts += [*ids, *orders]
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(ids, list)
        and all(order in KNOWN_ORDERS for order in orders.values())
        and VERSION.fullmatch(manifest["scikit-learn"]) is not None
        and manifest["task"] in ("classification", "regression")
    )


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
