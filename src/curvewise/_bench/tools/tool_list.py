"""The tools of a comparison as data, read from TOML.

::

    [[tool]]
    name = "flaml"                       # what results call it
    script = "flaml_search.py"           # run by the tool's interpreter; see `scripts`
    packages = ["flaml[automl]==2.7.*"]  # what its environment needs; none: our own interpreter
    environment = "flaml"                # tools may share one; by default it has the tool's name
    distribution = "flaml"               # the package whose version is told
    options = { metric = "accuracy" }    # handed to the script as they are

A script's path is relative to the file; one that is not there is one of those that come with
curvewise.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from curvewise._text import cut
from curvewise.core._checks import known_keys
from curvewise.errors import InvalidParameterError

PACKAGE = "curvewise._bench.tools"
KEYS = {"name", "script", "packages", "environment", "distribution", "options"}
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the script that asks it, and the environment that the script runs in."""

    name: str
    script: Path
    packages: tuple[str, ...] = ()
    environment: str = ""
    distribution: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def definition(self) -> dict[str, Any]:
        """What results of the same name must have in common."""
        return {
            "script": self.script.name,
            "packages": list(self.packages),
            "options": dict(self.options),
        }


def read_tools(path: Path | None = None, *, names: Iterable[str] = ()) -> dict[str, Tool]:
    """Read the tools that come with curvewise, and those of a file; keep some of them."""
    packaged = Path(str(resources.files(PACKAGE)))
    tools = _read(packaged / "tools.toml")
    if path is not None:
        tools |= _read(path)
    _check_environments(tools.values())
    names = list(names)
    unknown = [name for name in names if name not in tools]
    if unknown:
        raise InvalidParameterError(
            f"There is no tool {unknown[0]!r}; there are {', '.join(tools)}."
        )
    return {name: tools[name] for name in dict.fromkeys(names)} if names else tools


def _read(path: Path) -> dict[str, Tool]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidParameterError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise InvalidParameterError(f"{path} is no valid TOML: {error}.") from None
    try:
        known_keys(content, "A file of tools", {"tool"})
        entries = content.get("tool", [])
        if not isinstance(entries, list) or not entries:
            raise InvalidParameterError("there is no [[tool]].")
        tools = [_tool(entry, path.parent) for entry in entries]
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{path}: {error}") from None
    found = {tool.name: tool for tool in tools}
    if len(found) < len(tools):
        raise InvalidParameterError(f"{path}: two tools have the same name.")
    return found


def _tool(entry: Any, folder: Path) -> Tool:
    if not isinstance(entry, dict):
        raise InvalidParameterError("a tool must be a table, as [[tool]] begins one.")
    known_keys(entry, "A tool", KEYS)
    name = _text(entry, "name")
    if not 0 < len(name) <= LONGEST_NAME or not name.replace("-", "").replace("_", "").isalnum():
        raise InvalidParameterError(
            f"a tool's name must be letters, digits, - and _, at most {LONGEST_NAME}, "
            f"got {cut(repr(name), 60)}."
        )
    packages = entry.get("packages", [])
    if not isinstance(packages, list) or not all(isinstance(each, str) for each in packages):
        raise InvalidParameterError(f"packages of {name} must be a list of texts.")
    options = entry.get("options", {})
    if not isinstance(options, dict):
        raise InvalidParameterError(f"options of {name} must be a table.")
    return Tool(
        name=name,
        script=_script(_text(entry, "script"), folder),
        packages=tuple(packages),
        environment=_text(entry, "environment", name if packages else ""),
        distribution=_text(entry, "distribution", ""),
        options=options,
    )


def _script(name: str, folder: Path) -> Path:
    places = [folder / name, Path(str(resources.files(PACKAGE))) / "scripts" / name]
    for place in places:
        if name and place.is_file():
            return place.resolve()
    raise InvalidParameterError(f"there is no script {name!r}.")


def _text(entry: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise InvalidParameterError(f"{key} must be a text, got {value!r}.")
    return value


def _check_environments(tools: Iterable[Tool]) -> None:
    """Refuse an environment that two tools want to be different."""
    wanted: dict[str, Tool] = {}
    for tool in tools:
        other = wanted.setdefault(tool.environment, tool)
        if tool.packages != other.packages:
            raise InvalidParameterError(
                f"{other.name} and {tool.name} share the environment {tool.environment!r}, but "
                "not its packages."
            )
