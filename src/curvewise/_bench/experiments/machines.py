"""The machines that an experiment ran on: a list of records, the first one first.

They stand in one column as JSON: the facts of the first, and under ``later`` a list of the others,
so that an earlier curvewise, which knew only one, reads it as well.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from curvewise.automl._pipeline_search import versions
from curvewise.executors._execution import n_cores

# Fits that were made with other versions of these cannot be compared.
DECISIVE = ("curvewise", "scikit-learn")
CPU_FILE = Path("/proc/cpuinfo")


def this_machine() -> dict[str, Any]:
    """Describe this machine and its software, without names of persons or hosts."""
    return {
        "processor": _processor(),
        "cores": n_cores(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
        "versions": versions(),
    }


def _processor() -> str:
    try:
        lines = CPU_FILE.read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def records_of(text: str) -> list[dict[str, Any]]:
    """Read the column."""
    first = json.loads(text)
    later = first.pop("later", [])
    return [record for record in (first, *later) if record]


def text_of(records: Sequence[Mapping[str, Any]]) -> str:
    """Write the column."""
    first, *later = records or [{}]
    return json.dumps({**first, "later": later} if later else dict(first))


def with_record(
    records: Sequence[Mapping[str, Any]], machine: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Add a machine, unless nothing is known of it or it is there."""
    known = list(records)
    return known if not machine or machine in known else [*known, machine]


def changed_versions(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Name the packages whose versions forbid a comparison.

    Examples
    --------
    >>> there = {"versions": {"curvewise": "0.1.0", "scikit-learn": "1.7.0", "numpy": "2.0"}}
    >>> here = {"versions": {"curvewise": "0.1.0", "scikit-learn": "1.8.0", "numpy": "2.1"}}
    >>> changed_versions(there, here)
    ['scikit-learn']
    """
    theirs, ours = there.get("versions", {}), here.get("versions", {})
    return [
        package
        for package in DECISIVE
        if package in theirs and package in ours and theirs[package] != ours[package]
    ]


def said(machine: Mapping[str, Any], packages: Sequence[str]) -> str:
    """Say which versions a machine has."""
    return " and ".join(f"{package} {machine['versions'][package]}" for package in packages)
