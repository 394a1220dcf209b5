"""Reading an experiment from TOML, and saying in one sentence what is wrong with it.

::

    name = "mine"
    kind = "search"                      # or "peers", "curves"
    datasets = ["sklearn:wine", "openml:61", "tables/churn.parquet", "tables", "paper"]

    [settings]                           # what is left out is as in the paper
    seeds = 3
    candidates = 50
    timeout = 20.0

    [[method]]
    name = "5cv"
    policy = "kfold"

    [[method]]
    name = "cautious"
    policy = "race:price=0.001"          # knobs as in `curvewise replay`
    against = "5cv"

    [smoke]                              # settings (and datasets) for --smoke; the same for reduced
    seeds = 1

A folder among the data sets stands for its Parquet files, ``paper`` for the 67 of the paper. The
setting ``sequences`` names files of pipelines, one per seed, to be run in the place of drawn ones.
Paths are relative to the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from importlib import resources
from pathlib import Path
from typing import Any

from curvewise._bench.contestant import Contestant
from curvewise._bench.experiments.data_sets import find_datasets
from curvewise._bench.experiments.experiment_plan import (
    HARMLESS,
    KERNELS,
    KINDS,
    SCALES,
    SPLITS,
    Method,
    Plan,
    Settings,
)
from curvewise._bench.experiments.sequences import digest_of, find_sequences, read_sequence
from curvewise._bench.peers.adapters import PEERS
from curvewise._files import open_regular
from curvewise._text import counted
from curvewise.core._checks import known_keys, real_number, whole_number
from curvewise.errors import InvalidParameterError
from curvewise.executors._limits import parse_memory

PARTS = {"name", "kind", "title", "datasets", "settings", "method", "reduced", "smoke"}
COUNTS = ("seeds", "candidates", "quality_repeats")
SUITES = "curvewise._bench.experiments.suites"
LONGEST_NAME = 60
UNITS = {"timeout": " s"}
WORDS = {bool: "true or false", dict: "a table"}


def suite_names() -> list[str]:
    """Name the experiments that come with curvewise."""
    files = resources.files(SUITES).iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


# A plan has some kilobytes; what is longer is cut, and no valid TOML then.
LARGEST_FILE = 10 * 2**20


def read_suite(name: str, **choices: Any) -> Plan:
    """Read an experiment that comes with curvewise."""
    if name not in suite_names():
        raise InvalidParameterError(
            f"There is no suite {name!r}; there are {', '.join(suite_names())}."
        )
    text = (resources.files(SUITES) / f"{name}.toml").read_text(encoding="utf-8")
    return _plan(tomllib.loads(text), name, Path(), **choices)


def read_plan(path: str | Path, **choices: Any) -> Plan:
    """Read an experiment from a file."""
    path = Path(path)
    try:
        with open_regular(path) as file:
            content = tomllib.loads(file.read(LARGEST_FILE).decode("utf-8"))
    except OSError as error:
        raise InvalidParameterError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidParameterError(f"{path} is no valid TOML: {error}.") from None
    return _plan(content, str(path), path.parent, **choices)


def _plan(
    content: Mapping[str, Any],
    label: str,
    folder: Path,
    *,
    scale: str = "paper",
    overrides: Mapping[str, Any] | None = None,
    datasets: Iterable[str] | None = None,
    only: Iterable[str] = (),
) -> Plan:
    try:
        return _checked_plan(content, folder, scale, overrides or {}, datasets, list(only))
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{label}: {error}") from None


def _checked_plan(
    content: Mapping[str, Any],
    folder: Path,
    scale: str,
    overrides: Mapping[str, Any],
    datasets: Iterable[str] | None,
    only: list[str],
) -> Plan:
    known_keys(content, "An experiment", PARTS)
    _one_of("scale", scale, SCALES)
    name = _text(content, "name")
    if not name or len(name) > LONGEST_NAME:
        raise InvalidParameterError(f"name must have 1 to {LONGEST_NAME} characters, got {name!r}.")
    kind = _one_of("kind", content.get("kind", "search"), KINDS)
    part = dict(_of_kind(scale, content.get(scale, {}), dict)) if scale != "paper" else {}
    sources = part.pop("datasets", content.get("datasets", []))
    chosen = {**_of_kind("settings", content.get("settings", {}), dict), **part, **overrides}
    found, notes = find_datasets(sources if datasets is None else datasets, folder=folder)
    kept = _kept(found, only)
    if not kept:
        raise InvalidParameterError(
            "there are no data sets: name some under datasets, or give --data."
        )
    return Plan(
        name=name,
        kind=kind,
        title=_text(content, "title") if "title" in content else name,
        methods=_methods(content, kind),
        datasets=kept,
        settings=_settings(chosen, folder),
        scale=scale,
        notes=tuple(notes),
    )


def _kept(found: Mapping[str, str], only: list[str]) -> dict[str, str]:
    """Keep what was asked for; part of a name is enough."""
    for part in only:
        if not any(part in name for name in found):
            raise InvalidParameterError(
                f"there is no data set {part!r}; there are {', '.join(found) or 'none'}."
            )
    return {
        name: source
        for name, source in found.items()
        if not only or any(part in name for part in only)
    }


def _settings(values: Mapping[str, Any], folder: Path) -> Settings:
    known = {field.name for field in fields(Settings)} - {"sequences_digest"}
    known_keys(values, "The settings", known)
    chosen = dict(values)
    for name in COUNTS:
        if name in chosen:
            whole_number(name, chosen[name], at_least=1)
    for name in ("timeout", "cell_timeout"):
        # TOML has no null: 0 stands for no limit.
        if chosen.get(name) is not None:
            seconds = real_number(name, chosen[name], at_least=0)
            chosen[name] = seconds or None
    if "slow_seconds" in chosen:
        real_number("slow_seconds", chosen["slow_seconds"], at_least=0)
    share = real_number("train_share", chosen.get("train_share", 0.8), above=0)
    if share >= 1:
        raise InvalidParameterError(f"train_share must be below 1, got {share:g}.")
    if chosen.get("slow_by") is not None:
        _text(chosen, "slow_by")
    if chosen.get("memory") is not None:
        parse_memory(chosen["memory"])
    _one_of("kernels", chosen.get("kernels", "published"), KERNELS)
    _of_kind("only_possible", chosen.get("only_possible", False), bool)
    left_out = chosen.get("leave_out", ())
    if isinstance(left_out, str) or not all(isinstance(one, str) for one in left_out):
        raise InvalidParameterError(f"leave_out must be a list of names, got {left_out!r}.")
    chosen["leave_out"] = tuple(left_out)
    return _with_sequences(replace(Settings(), **chosen), folder)


def _with_sequences(settings: Settings, folder: Path) -> Settings:
    """Find the files of sequences, and see to it that they have a pipeline for every candidate."""
    files = find_sequences(settings.sequences, folder=folder)
    if not files:
        return settings
    if settings.leave_out:
        raise InvalidParameterError("sequences and leave_out exclude each other.")
    if len(files) < settings.seeds:
        raise InvalidParameterError(
            f"{settings.seeds} seeds need as many sequences, got {len(files)}."
        )
    for file in files[: settings.seeds]:
        n = len(read_sequence(file))
        if n < settings.candidates:
            raise InvalidParameterError(
                f"{settings.candidates} candidates are asked for, {file} has {n}."
            )
    return replace(settings, sequences=tuple(map(str, files)), sequences_digest=digest_of(files))


def _methods(content: Mapping[str, Any], kind: str) -> tuple[Method, ...]:
    entries = content.get("method")
    if not isinstance(entries, list) or not entries:
        raise InvalidParameterError(
            "there are no methods: write [[method]] with a name and a policy."
        )
    methods = [_method(entry, kind) for entry in entries]
    names = [method.name for method in methods]
    for method in methods:
        if names.count(method.name) > 1:
            raise InvalidParameterError(f"two methods are called {method.name!r}.")
        if method.against is not None and method.against not in names:
            raise InvalidParameterError(
                f"{method.name} is compared with {method.against!r}, which is no method."
            )
    return tuple(methods)


def _method(entry: Any, kind: str) -> Method:
    known_keys(entry, "A method", {field.name for field in fields(Method)})
    name = _text(entry, "name")
    policy = _text(entry, "policy")
    if kind == "peers":
        if policy not in PEERS:
            raise InvalidParameterError(
                f"{name}: there is no peer {policy!r}; {', '.join(PEERS)} are."
            )
    else:
        Contestant.parse(policy)
    _one_of(f"{name}: splits", entry.get("splits", "kfold"), SPLITS)
    whole_number(f"{name}: folds", entry.get("folds", 5), at_least=2)
    _of_kind(f"{name}: foresee", entry.get("foresee", True), bool)
    return Method(**entry)


def _one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    if value not in choices:
        raise InvalidParameterError(f"{name} must be one of {', '.join(choices)}, got {value!r}.")
    return str(value)


def _of_kind(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise InvalidParameterError(f"{name} must be {WORDS[kind]}, got {value!r}.")
    return value


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidParameterError(f"{key} must be a text, got {value!r}.")
    return value


def reductions(plan: Plan) -> list[str]:
    """Say in what a plan differs from its suite at the paper's scale."""
    if plan.name not in suite_names():
        return []
    whole = read_suite(plan.name)
    found = []
    if len(plan.datasets) != len(whole.datasets):
        found.append(f"{counted(len(plan.datasets), 'data set')}, not {len(whole.datasets)}")
    for one in fields(Settings):
        ours, theirs = getattr(plan.settings, one.name), getattr(whole.settings, one.name)
        if ours != theirs and one.name not in (*HARMLESS, "sequences_digest"):
            unit = UNITS.get(one.name, "")
            name = one.name.replace("_", " ")
            found.append(f"{name} {_said(ours)}{unit}, not {_said(theirs)}{unit}")
    if plan.settings.sequences:
        found.append(f"pipelines from {counted(len(plan.settings.sequences), 'file')}")
    known = {method.name: method.policy for method in whole.methods}
    found += [
        f"{method.name} as {method.policy}, not {known[method.name]}"
        for method in plan.methods
        if known.get(method.name, method.policy) != method.policy
    ]
    return found


def _said(value: Any) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else f"{value}"
