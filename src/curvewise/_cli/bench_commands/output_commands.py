"""``curvewise bench tables``, ``figures``, ``page`` and ``export``: what is made of a store."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from curvewise._bench.experiments.figures.figure_list import write_figures, write_study
from curvewise._bench.experiments.html_page.experiment_page import page_of
from curvewise._bench.experiments.markdown_page import results_page
from curvewise._bench.experiments.results import Results, export, read_all, read_studies
from curvewise._bench.experiments.table_list import write_tables
from curvewise._cli import options
from curvewise._cli.terminal import say
from curvewise._files import check_replaceable, write_whole
from curvewise.errors import InvalidParameterError

EPILOG = """
**Examples**

    curvewise bench tables results.db --output tables

    curvewise bench figures results.db --output figures --experiment paper-80

    curvewise bench page results.db --output page.html

    curvewise bench export results.db --output results

    curvewise bench results results -o docs/results.md --notes notes.md --figures docs/images

Cells that failed are marked in every mean that lacks them, and listed with their reasons. All other
commands also take a folder of exported results instead of the store.
"""


def folder_command(
    write: Callable[[Results, Path], list[Path]], folder: str, sentence: str
) -> Callable[..., None]:
    """Make a command that writes files about each experiment into a folder."""

    def command(
        store: options.StoreOrFolder,
        output: options.OutputFolder = Path(folder),
        experiment: options.Experiments = None,
    ) -> None:
        for results in read_all(store, experiment or ()):
            files = write(results, output)
            for file in files:
                say(f"Wrote {file}")
            if not files:
                say(f"There is nothing to draw of {results.plan.name} yet.")

    command.__doc__ = sentence
    return command


def page_command(
    store: options.StoreOrFolder,
    output: options.OutputFile = Path("page.html"),
    experiment: options.Experiments = None,
) -> None:
    """Write one interactive HTML page; it works without a network."""
    check_replaceable(output)
    write_whole(output, page_of(read_all(store, experiment or ())))
    say(f"Wrote {output}")


def results_command(
    store: options.StoreOrFolder,
    output: options.OutputFile = Path("results.md"),
    notes: Annotated[
        Path | None,
        typer.Option(help="A Markdown file with your own text, which comes first."),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(help="Draw the figures into this folder, and show them.")
    ] = None,
    experiment: options.Experiments = None,
) -> None:
    """Write the documentation's page of results as Markdown."""
    check_replaceable(output)
    text = "" if notes is None else _read(notes)
    experiments = read_all(store, experiment or ())
    studies = [] if experiment else read_studies(store)
    pictures = {}
    if figures is not None:
        for results in experiments:
            files = write_figures(results, figures, (".png",))
            pictures[results.plan.name] = [_seen_from(output, file) for file in files]
        for study in studies:
            files = write_study(study, figures, (".png",))
            pictures[study["name"]] = [_seen_from(output, file) for file in files]
    page = results_page(experiments, studies=studies, notes=text, pictures=pictures)
    write_whole(output, page)
    say(f"Wrote {output}")


COMMANDS: dict[str, Callable[..., None]] = {
    "tables": folder_command(
        write_tables, "tables", "Write the tables as Markdown, LaTeX and CSV."
    ),
    "figures": folder_command(write_figures, "figures", "Draw the figures as PNG and SVG."),
    "page": page_command,
    "export": folder_command(
        export, "results", "Write the results as small text files, a row per cell."
    ),
    "results": results_command,
}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameterError(f"The notes in {path} cannot be read: {error}") from None


def _seen_from(page: Path, file: Path) -> str:
    """The address of a file for a page, which may lie in another folder."""
    address = os.path.relpath(file.resolve(), page.resolve().parent)
    return quote(Path(address).as_posix())
