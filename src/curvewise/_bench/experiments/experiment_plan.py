"""An experiment as data: methods x data sets x seeds, under common settings.

A *cell* is one method on one data set with one seed. The kind of an experiment says what a cell
does:

``search``
    A random search over sampled pipelines, validated by the method (paper, Sec. V-A).
``peers``
    The same list of candidates given to another tool's search, in a process of its own.
``curves``
    Whole learning curves of a portfolio, nothing pruned (paper, supplement on convexity).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from curvewise.errors import InvalidParameterError
from curvewise.executors._limits import parse_memory

KINDS = ("search", "peers", "curves")
SPLITS = ("kfold", "shuffle")
KERNELS = ("published", "all")
# Settings that change no result of a cell; where sequences lie does not matter, but what they are.
HARMLESS = ("cell_timeout", "slow_by", "slow_seconds", "sequences")
SCALES = ("paper", "reduced", "smoke")


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One way to choose among candidates."""

    name: str
    policy: str
    splits: str = "kfold"
    folds: int = 5
    foresee: bool = True
    against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What all cells have in common; the defaults are the paper's."""

    seeds: int = 10
    candidates: int = 200
    timeout: float | None = 300.0
    train_share: float = 0.8
    quality_repeats: int = 100
    memory: str | None = "20GB"
    cell_timeout: float | None = None
    leave_out: tuple[str, ...] = ()
    kernels: str = "published"
    only_possible: bool = False
    sequences: tuple[str, ...] = ()
    sequences_digest: str = ""
    slow_by: str | None = None
    slow_seconds: float = 21_600.0

    @property
    def memory_bytes(self) -> int | None:
        """What a fit may claim, in bytes."""
        return None if self.memory is None else parse_memory(self.memory)

    @property
    def most_seconds(self) -> float | None:
        """What a cell may take: its own limit, or what all candidates may take, and then some."""
        if self.cell_timeout is not None or self.timeout is None:
            return self.cell_timeout
        return 600 + 2 * self.timeout * (self.candidates + self.quality_repeats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An experiment."""

    name: str
    kind: str
    title: str
    methods: tuple[Method, ...]
    datasets: Mapping[str, str]
    settings: Settings
    scale: str = "paper"
    notes: tuple[str, ...] = field(default=(), compare=False)

    def method(self, name: str) -> Method:
        """Find a method by its name."""
        for method in self.methods:
            if method.name == name:
                return method
        raise InvalidParameterError(f"{self.name} has no method {name!r}.")

    @property
    def pairs(self) -> list[tuple[Method, Method]]:
        """Each method that is compared, with its reference."""
        return [(one, self.method(one.against)) for one in self.methods if one.against is not None]

    def as_json(self) -> dict[str, Any]:
        """Give it as values that JSON can express."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Plan:
        """Take what `as_json` gave."""
        # What an earlier curvewise wrote has no such key, and drew one machine per kernel.
        settings = {"kernels": "all", **values["settings"]}
        for name in ("leave_out", "sequences"):
            settings[name] = tuple(settings.get(name, ()))
        return cls(
            **{
                **values,
                "methods": tuple(Method(**method) for method in values["methods"]),
                "settings": Settings(**settings),
                "notes": tuple(values["notes"]),
            }
        )


def cells_of(plan: Plan) -> list[tuple[str, str, int, str]]:
    """List the cells in the order in which they are worked on: method, data set, seed, group.

    Seeds come first, so that whatever has been done early speaks of all data sets. Cells of one
    group share their fits and are worked on by one process at a time.
    """
    alone = plan.kind == "peers"
    return [
        (
            method.name,
            dataset,
            seed,
            f"{dataset}/{seed}/{method.name}" if alone else f"{dataset}/{seed}",
        )
        for seed in range(plan.settings.seeds)
        for dataset in plan.datasets
        for method in plan.methods
    ]


def differences(plan: Plan, other: Plan) -> list[str]:
    """Say which settings and methods contradict each other; more of anything does not."""
    found = []
    if plan.kind != other.kind:
        found.append(f"kind is {plan.kind!r} there and {other.kind!r} here")
    for one in fields(Settings):
        there, here = getattr(plan.settings, one.name), getattr(other.settings, one.name)
        if one.name not in (*HARMLESS, "seeds") and there != here:
            found.append(f"{one.name} is {there!r} there and {here!r} here")
    known = {method.name: method for method in plan.methods}
    found += [
        f"the method {method.name} has other settings there"
        for method in other.methods
        if method.name in known and known[method.name] != method
    ]
    return found
