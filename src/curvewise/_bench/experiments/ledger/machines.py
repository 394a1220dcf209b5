"""The machines that an experiment ran on: a list of records, the first one first.

They stand in one column as JSON: the facts of the first, and under ``later`` a list of the others,
so that an earlier curvewise, which knew only one, reads it as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

# Fits that were made with other versions of these cannot be compared.
DECISIVE = ("curvewise", "scikit-learn")


def records_of(text: str) -> list[dict[str, Any]]:
    """Read the column.

    Examples
    --------
    >>> records_of('{"cores": 2, "later": [{"cores": 8}]}')
    [{'cores': 2}, {'cores': 8}]
    >>> records_of("{}")
    []
    """
    first = json.loads(text)
    later = first.pop("later", [])
    return [record for record in (first, *later) if record]


def text_of(records: Sequence[Mapping[str, Any]]) -> str:
    """Write the column.

    Examples
    --------
    >>> text_of([{"cores": 2}, {"cores": 8}])
    '{"cores": 2, "later": [{"cores": 8}]}'
    """
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
    """Say which versions a machine has.

    Examples
    --------
    >>> said({"versions": {"curvewise": "0.1.0", "scikit-learn": "1.7.0"}}, DECISIVE)
    'curvewise 0.1.0 and scikit-learn 1.7.0'
    """
    return " and ".join(f"{package} {machine['versions'][package]}" for package in packages)
