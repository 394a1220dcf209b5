"""A figure to draw on, and whether it could be written; matplotlib is loaded only here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curvewise._files import check_replaceable
from curvewise._packages import require
from curvewise.errors import InvalidParameterError


def new_figure(width: float, height: float) -> Any:
    """Begin a figure of this size in inches."""
    figures = require("matplotlib.figure", "Plotting", extra="plot")
    return figures.Figure(figsize=(width, height), layout="constrained")


def check_plot(path: Path) -> None:
    """Say so before the work if a picture cannot be drawn or written."""
    check_replaceable(path)
    known = new_figure(1, 1).canvas.get_supported_filetypes()
    if path.suffix.lstrip(".").lower() not in known:
        raise InvalidParameterError(
            f"A picture cannot have the ending {path.suffix or 'of nothing'!r}; "
            f"choose one of {', '.join(sorted(known))}."
        )


def check_figures(folder: Path) -> None:
    """Say so before the work if figures could not be drawn or written into a folder."""
    new_figure(1, 1)
    if folder.exists() and not folder.is_dir():
        raise InvalidParameterError(f"{folder} is a file, not a folder.")
    if not folder.resolve().parent.is_dir():
        raise InvalidParameterError(f"There is no folder {folder.resolve().parent}.")
