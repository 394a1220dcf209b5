"""The options on a table, as one value: for the commands that read one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from curvewise._cli import options
from curvewise.automl import Table, read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """What a user has said about a table."""

    target: options.Target = None
    task: options.Task = None
    drop: options.Drop = None
    keep: options.Keep = None
    groups: options.Groups = None
    time: options.Time = None
    weights: options.Weights = None
    date: options.Dates = None
    date_order: options.DateOrder = None
    sheet: options.Sheet = None

    def read(self, source: str, *, ids: Iterable[str] = (), by: str | None = None) -> Table:
        """Read the table as the user wants it; with what only some commands ask for."""
        return read_table(
            source,
            target=self.target,
            task=self.task,
            drop=self.drop or (),
            ids=ids,
            keep=self.keep or (),
            groups=self.groups,
            time=self.time,
            weights=self.weights,
            dates=self.date or (),
            date_order=self.date_order,
            sheet=self.sheet,
            by=by,
        )


def with_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take each option on a table, where it has a parameter for all of them.

    Typer reads what a command takes off its signature.
    """
    single = inspect.signature(TableOptions, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True).parameters
    [place] = [name for name, each in own.items() if each.annotation is TableOptions]

    def taking(**given: Any) -> None:
        options_given = TableOptions(**{name: given.pop(name) for name in single})
        command(**given, **{place: options_given})

    parameters: list[inspect.Parameter] = []
    for name, each in own.items():
        parameters += single.values() if name == place else [each]
    taking.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    )
    taking.__doc__ = command.__doc__
    return taking
