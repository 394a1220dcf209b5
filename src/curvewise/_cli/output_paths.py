"""What a command is going to write: looked at before hours of work, not after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

from curvewise._files import check_place, check_replaceable
from curvewise.errors import CurvewiseError, InvalidParameterError, MissingExtraError


def check_outputs(
    outputs: Mapping[str, Path | None], *, source: str | Path, store: Path | None = None
) -> None:
    """Refuse files that could not be written, that are the input, or that are the same."""
    taken = {Path(source).resolve(): ""}
    for option, path in {"--store": store, **outputs}.items():
        if path is None:
            continue
        place = check_place(path) if option == "--store" else check_replaceable(path)
        other = taken.setdefault(place, option)
        if not other:
            raise InvalidParameterError(
                f"{option} would write over the table that is read, {path}."
            )
        if other != option:
            raise InvalidParameterError(
                f"{other} and {option} are the same file, {path}: name two."
            )


def check_extras(*, report: bool = False, save: bool = False) -> None:
    """Refuse to begin what could not be ended because an optional package is missing."""
    if report and find_spec("plotly") is None:
        raise MissingExtraError("Reports", "report")
    if save and find_spec("skops") is None:
        raise MissingExtraError("Saving models", "select")


def write_all(writers: Iterable[Callable[[], object]]) -> None:
    """Write what can be written, even if something else cannot; say afterwards what could not."""
    problems = []
    for write in writers:
        try:
            write()
        except CurvewiseError as error:
            problems.append(str(error))
    if problems:
        raise InvalidParameterError(" ".join(problems))
