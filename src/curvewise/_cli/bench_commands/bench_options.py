"""Options that the commands on experiments share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from curvewise._cli.options import output_option

StoreOrFolder = Annotated[
    Path,
    Argument(
        help="What `curvewise bench` wrote, or a folder of exported experiments.",
        show_default=False,
    ),
]
Experiments = Annotated[
    list[str] | None,
    Option("--experiment", help="Which experiment; may be repeated.", show_default="all"),
]
Curves = Annotated[
    Path | None,
    Option(help="A Parquet file of recorded learning curves; then nothing is fitted."),
]
Data = Annotated[
    list[str] | None,
    Option(
        "--data",
        help="A folder of Parquet files (label in the column target), a file, sklearn:NAME or "
        "openml:ID; may be repeated.",
    ),
]
Reduced = Annotated[
    bool, Option("--reduced", help="The settings that fit two cores and an hour or so.")
]
Smoke = Annotated[bool, Option("--smoke", help="Bundled data, a minute.")]
Seeds = Annotated[int | None, Option(min=1, help="How many seeds.")]
QualityRepeats = Annotated[int | None, Option(min=1, help="Splits that measure quality.")]
Only = Annotated[
    list[str] | None, Option("--only", help="Part of a data set's name; may be repeated.")
]
RetryFailed = Annotated[
    bool, Option("--retry-failed", help="Work on cells again that failed earlier.")
]
ResultStore = Annotated[
    Path | None,
    output_option(
        "--store",
        help="Keep what was measured in this file, and go on from it.",
        show_default="results.db; smoke.db with --smoke",
    ),
]
ResultFolder = Annotated[
    Path | None,
    output_option("--output", "-o", help="Write tables, figures and a page into this folder."),
]
