"""Options that the commands on experiments share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[
    Path, typer.Argument(help="What `curvewise bench` wrote, or a folder of exported experiments.")
]
Experiments = Annotated[
    list[str] | None,
    typer.Option("--experiment", help="Which experiment; may be repeated.", show_default="all"),
]
Out = Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")]
