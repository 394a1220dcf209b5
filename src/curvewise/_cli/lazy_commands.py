"""Commands whose code is loaded when they are run.

``curvewise --help`` and ``--version`` then need neither scikit-learn nor pandas, and answer at
once. Where a package is missing that a command needs, one sentence says what installs it. Who
interrupts the loading is heard when it is complete (`curvewise._packages` says why).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from curvewise._interrupts import interrupts_wait
from curvewise._packages import EXTRAS
from curvewise.errors import MissingExtraError


class CommandPlace(NamedTuple):
    """Where a command is: its module, its function or group, and its epilog there."""

    help: str
    module: str
    function: str
    epilog: str = "EPILOG"
    extra: str | None = None


class LazyCommand(TyperCommand):
    """A command that is loaded when it is run, or asked for its options."""

    def __init__(self, name: str, place: CommandPlace) -> None:
        super().__init__(name, help=place.help, rich_markup_mode="markdown")
        self._place = place

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **rest: Any
    ) -> Any:
        """Hand over to the command itself."""
        return self.load().make_context(info_name, args, parent=parent, **rest)

    def load(self) -> Any:
        """Import the command; an error if a package is missing that it needs."""
        place, name = self._place, self.name or ""
        try:
            with interrupts_wait():
                module = import_module(place.module)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            extra = place.extra or EXTRAS.get(package)
            if extra is None or package == "curvewise":
                raise
            raise MissingExtraError(f"curvewise {name}", extra) from None
        given = getattr(module, place.function)
        if isinstance(given, typer.Typer):
            command: Any = get_command(given)
            command.name = name
            return command
        return command_of(given, name, getattr(module, place.epilog))


class LazyGroup(TyperGroup):
    """A group of commands that are loaded when they are run."""

    places: Mapping[str, CommandPlace] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: LazyCommand(name, place) for name, place in self.places.items()}


def command_of(function: Callable[..., Any], name: str, epilog: str) -> Any:
    """Make a command of a function."""
    single = typer.Typer(
        rich_markup_mode="markdown", pretty_exceptions_enable=False, add_completion=False
    )
    single.command(name, epilog=epilog)(function)
    return get_command(single)
