"""Beginning an experiment, or going on with it: what may be put together, and what is refused.

A cell has *begun* if it is done, or somebody works on it. Rules:

1. More seeds, data sets and methods are added. Other settings are refused.
2. A data set may move, but not change: once one of its cells has begun, other content under its
   name is refused. A file of an earlier curvewise knows no content, and takes what comes first.
3. All fits of a file are made with the same curvewise and the same scikit-learn, because its
   experiments share them: once a cell of the file has begun, other versions are refused. Before,
   they begin anew: the fits of the others are dropped, and so are the records of their machines.
4. Otherwise every machine that an experiment ran on is kept, in their order.

The machines stand in one column as JSON: the facts of the first, and under ``later`` a list of the
others, so that an earlier curvewise, which knew only one, reads it as well.
"""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from curvewise._bench.experiments.cells import is_held
from curvewise._bench.experiments.experiment_plan import Plan, cells_of, differences
from curvewise.automl._pipeline_search import versions
from curvewise.errors import InvalidParameterError
from curvewise.executors._joblib_context import n_cores

# Fits that were made with other versions of these cannot be compared.
DECISIVE = ("curvewise", "scikit-learn")
CPU_FILE = Path("/proc/cpuinfo")


class Registration:
    """What a ledger does with a plan, inside of a transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, now: float, me: str) -> None:
        self._connection = connection
        self._path = path
        self._now = now
        self._begun = {
            (experiment, dataset)
            for experiment, dataset, state, owner, lease in connection.execute(
                "SELECT experiment, dataset, state, owner, lease FROM cells "
                "WHERE state IN ('done', 'running')"
            )
            if state == "done" or is_held(owner, lease, now=now, me=me)
        }

    def add(self, plan: Plan, machine: Mapping[str, Any], sources: Mapping[str, str]) -> None:
        """Add a plan, or put it together with what is there."""
        self._settle_versions(machine)
        number, known, machines, known_sources = self._known(plan)
        self._check_sources(number, plan, json.loads(known_sources or "{}"), sources)
        plan = self._extended(Plan.from_json(json.loads(known)), plan)
        records = records_of(machines)
        if machine and machine not in records:
            records.append(machine)
        self._connection.execute(
            "UPDATE experiments SET plan = ?, machine = ?, sources = ? WHERE id = ?",
            (
                json.dumps(plan.as_json()),
                text_of(records),
                json.dumps({**json.loads(known_sources or "{}"), **sources}),
                number,
            ),
        )
        self._connection.executemany(
            "INSERT INTO cells (experiment, method, dataset, seed, place, party) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (experiment, method, dataset, seed) "
            "DO UPDATE SET place = excluded.place",
            [
                (number, method, dataset, seed, place, group)
                for place, (method, dataset, seed, group) in enumerate(cells_of(plan))
            ],
        )

    def _known(self, plan: Plan) -> tuple[int, str, str, str | None]:
        """Find an experiment, or make one: its number, plan, machines and fingerprints."""
        columns = "id, plan, machine, sources"
        row = self._connection.execute(
            f"SELECT {columns} FROM experiments WHERE name = ?", (plan.name,)
        ).fetchone()
        if row is None:
            begun = datetime.fromtimestamp(self._now, UTC).isoformat(timespec="seconds")
            row = self._connection.execute(
                "INSERT INTO experiments (name, created, plan, machine) VALUES (?, ?, ?, '{}') "
                f"RETURNING {columns}",
                (plan.name, begun, json.dumps(plan.as_json())),
            ).fetchone()
        number, known, machines, sources = row
        return number, known, machines, sources

    def _settle_versions(self, machine: Mapping[str, Any]) -> None:
        """See to it that all fits of the file are made with the same versions."""
        begun = {number for number, _ in self._begun}
        rows = self._connection.execute("SELECT id, name, machine FROM experiments").fetchall()
        for number, name, text in rows:
            records = records_of(text)
            kept = [record for record in records if not changed_versions(record, machine)]
            if kept == records:
                continue
            if number in begun:
                there = next(record for record in records if record not in kept)
                packages = changed_versions(there, machine)
                verb = "are" if len(packages) > 1 else "is"
                raise InvalidParameterError(
                    f"{self._path} holds cells of {name} that were made with "
                    f"{said(there, packages)}, and here {verb} {said(machine, packages)}: their "
                    "fits cannot be compared, so go on with the same versions, or name another "
                    "file."
                )
            self._connection.execute(
                "UPDATE experiments SET machine = ? WHERE id = ?", (text_of(kept), number)
            )
            if not begun:
                self._connection.execute("DELETE FROM fits")

    def _check_sources(
        self, number: int, plan: Plan, known: Mapping[str, str], sources: Mapping[str, str]
    ) -> None:
        for name, fingerprint in sources.items():
            changed = known.get(name, fingerprint) != fingerprint
            if changed and (number, name) in self._begun:
                raise InvalidParameterError(
                    f"In {self._path} {plan.name} was begun with other data under the name "
                    f"{name!r} than {plan.datasets[name]} holds: name another file, or give the "
                    "same data."
                )

    def _extended(self, known: Plan, plan: Plan) -> Plan:
        """Put an earlier plan and a later one together."""
        found = differences(known, plan)
        if found:
            raise InvalidParameterError(
                f"{self._path} holds {plan.name} with other settings ({'; '.join(found)}): name "
                "another file, or give the same settings."
            )
        names = {method.name for method in plan.methods}
        earlier = (method for method in known.methods if method.name not in names)
        seeds = max(known.settings.seeds, plan.settings.seeds)
        return replace(
            plan,
            methods=(*plan.methods, *earlier),
            datasets={**known.datasets, **plan.datasets},
            settings=replace(plan.settings, seeds=seeds),
        )


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


def records_of(text: str) -> list[Mapping[str, Any]]:
    """Read the column of machines."""
    first = json.loads(text)
    later = first.pop("later", [])
    return [record for record in (first, *later) if record]


def text_of(records: Sequence[Mapping[str, Any]]) -> str:
    """Write the column of machines."""
    first, *later = records or [{}]
    return json.dumps({**first, "later": later} if later else dict(first))


def changed_versions(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Name the packages whose versions forbid a comparison."""
    theirs, ours = there.get("versions", {}), here.get("versions", {})
    return [
        package
        for package in DECISIVE
        if package in theirs and package in ours and theirs[package] != ours[package]
    ]


def said(machine: Mapping[str, Any], packages: Sequence[str]) -> str:
    """Say which versions a machine has."""
    return " and ".join(f"{package} {machine['versions'][package]}" for package in packages)
