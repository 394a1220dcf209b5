"""Spaces, policies and tables that other packages bring, found through their entry points.

* ``curvewise.policies``: a dataclass that follows `curvewise.core.Policy`, for ``--policy NAME``.
* ``curvewise.spaces``: a `SearchSpace`, or a function of the task that gives one, for ``--space``.
* ``curvewise.tables``: a function of the text after a colon that gives a frame, for ``NAME:REST``.

Rules:

1. What is built in cannot be replaced: names of our own are looked up first.
2. Nothing is loaded but what the user has named. Installing a package executes none of its code.
3. Whatever is wrong with a plug-in is one sentence that names it and its package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from curvewise._text import LONGEST_VALUE, cut, one_line
from curvewise.core._policies import POLICIES
from curvewise.core._policies.policy_text import parse_policy
from curvewise.core._policy import Policy
from curvewise.errors import InvalidParameterError, PlugInError

POLICY_GROUP = "curvewise.policies"
SPACE_GROUP = "curvewise.spaces"
TABLE_GROUP = "curvewise.tables"


class PlugIn(NamedTuple):
    """What an entry point of a package gave, and how messages call it."""

    thing: Any
    label: str

    def call(self, *arguments: Any) -> Any:
        """Call it; what it raises becomes one sentence."""
        try:
            return self.thing(*arguments)
        except Exception as error:
            # It is somebody else's code, and may fail in any way.
            raise PlugInError(f"{self.label} failed: {_said(error)}.") from error


def find_plug_in(group: str, name: str) -> PlugIn | None:
    """Load what packages call by a name; None if none does."""
    found = _named(group, name)
    if not found:
        return None
    label = f"The plug-in {name!r} of {_owner(found[0])}"
    if len(found) > 1:
        owners = " and ".join(sorted(_owner(one) for one in found))
        raise PlugInError(f"{name!r} is a plug-in of {owners}: uninstall one of them.")
    try:
        return PlugIn(found[0].load(), label)
    except (Exception, SystemExit) as error:
        raise PlugInError(f"{label} cannot be loaded: {_said(error)}.") from error


def plug_in_names(group: str) -> list[str]:
    """Name the plug-ins of a group, without loading any."""
    return sorted({one.name for one in entry_points(group=group)})


def policy_of(text: str, known: Mapping[str, type[Policy]] = POLICIES) -> Policy:
    """Read a policy and its knobs from text; it may be that of another package."""
    name = text.strip().partition(":")[0]
    if name in known:
        return parse_policy(text, known)
    plug_in = find_plug_in(POLICY_GROUP, name)
    if plug_in is None:
        choices = ", ".join([*known, *plug_in_names(POLICY_GROUP)])
        raise InvalidParameterError(f"There is no policy {name!r}; choose from {choices}.")
    kind = plug_in.thing
    if not _is_policy_class(kind):
        raise PlugInError(
            f"{plug_in.label} is no policy: it must be a dataclass with a method decide."
        )
    return parse_policy(text, {**known, name: kind})


def _is_policy_class(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind) and hasattr(kind, "decide")


def _named(group: str, name: str) -> list[EntryPoint]:
    """Give the entry points of a name; a package that is found twice counts once."""
    found = {(one.value, _owner(one)): one for one in entry_points(group=group, name=name)}
    return list(found.values())


def _owner(point: EntryPoint) -> str:
    return "an unknown package" if point.dist is None else str(point.dist.name)


def _said(error: BaseException) -> str:
    return cut(one_line(f"{type(error).__name__}: {error}"), LONGEST_VALUE).rstrip(".")
