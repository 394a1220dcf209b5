"""``curvewise bench automl``: AutoML tools at equal time, each in an environment of its own."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from typer import Argument, Option

from curvewise._bench.blank_figure import check_figures
from curvewise._bench.tools.contest import Contest, ContestSettings, seconds_left
from curvewise._bench.tools.environments import Environments
from curvewise._bench.tools.result_file import ResultFile, ToolCell, reason_of
from curvewise._bench.tools.split_table import find_tables
from curvewise._bench.tools.standings import frame_of
from curvewise._bench.tools.standings_figure import write_figure
from curvewise._bench.tools.standings_tables import tables_of, write_tables
from curvewise._bench.tools.tool_list import Tool, read_tools
from curvewise._cli import options
from curvewise._cli.terminal import console_of, print_json, print_line, span
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._joblib_context import n_cores

STORE = Path("automl.jsonl")
ENVIRONMENTS = Path("automl-environments")
TERMINATED = 128 + signal.SIGTERM

EPILOG = """
**Examples**

    curvewise bench automl --prepare

    curvewise bench automl tables/*.parquet --budgets 30,60,300 --splits 2 --store automl.jsonl

    curvewise bench automl --store automl.jsonl --tool curvewise --tool flaml --output results

The first makes an environment for each tool from the package index. The second runs every tool on
every split of every table with every budget, one after the other; started again, it continues. The
third runs nothing: it shows the results of two of the tools. If you have only some of the tools,
name them with `--tool`.
"""

Tables = Annotated[
    list[str] | None,
    Argument(
        help="Tables: files (CSV, Parquet, Feather, ARFF), folders of Parquet files, sklearn:NAME "
        "or openml:ID.",
        show_default=False,
    ),
]
ToolNames = Annotated[
    list[str] | None,
    Option("--tool", help="A tool to compare; may be repeated.", show_default="all"),
]
ToolFile = Annotated[
    Path | None, Option("--tool-file", help="Further tools as TOML, or other settings of ours.")
]
Budgets = Annotated[
    str, Option("--budgets", help="Seconds that each tool gets, separated by commas.")
]
Splits = Annotated[
    int, Option("--splits", min=1, help="Splits of each table; a quarter of the rows is set aside.")
]
Cores = Annotated[
    int | None,
    Option("--cores", min=1, help="Cores that each tool gets.", show_default="all"),
]
Folder = Annotated[
    Path, Option("--environments", help="The folder with the environments of the tools.")
]
Prepare = Annotated[
    bool, Option("--prepare", help="Make the environments of the tools, and nothing else.")
]
Against = Annotated[str, Option("--against", help="The tool whose wins and losses are counted.")]


def automl_command(
    tables: Tables = None,
    data: options.Data = None,
    tool: ToolNames = None,
    tool_file: ToolFile = None,
    budgets: Budgets = "60",
    splits: Splits = 2,
    cores: Cores = None,
    seed: options.Seed = 0,
    only: options.Only = None,
    against: Against = "curvewise",
    retry_failed: options.RetryFailed = False,
    environments: Folder = ENVIRONMENTS,
    prepare: Prepare = False,
    store: options.Store = STORE,
    output: options.ResultFolder = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare AutoML tools at equal time, on rows that none of them has seen."""
    tools = read_tools(tool_file, names=tool or ())
    places = Environments(environments)
    console = console_of(stderr=True, quiet=quiet)
    if prepare:
        _prepare(tools.values(), places, console)
        return
    if output is not None:
        check_figures(output)
    found = find_tables([*(tables or ()), *(data or ())], only=only or ())
    settings = ContestSettings(_seconds(budgets), splits, cores or n_cores(), seed)
    file = ResultFile(store or STORE)
    if found:
        contest = Contest(tools, found, places, file, settings)
        contest.check()
        cells = contest.open_cells(retry_failed=retry_failed)
        contest.check_tables(cells)
        with _ended_by_terminate():
            _run(contest, cells, file, console)
    _show(file, list(tools), against, output, as_json=as_json, quiet=quiet)


def _seconds(budgets: str) -> list[float]:
    try:
        found = [float(part) for part in budgets.split(",")]
    except ValueError:
        found = []
    if not found or not all(0 < seconds < float("inf") for seconds in found):
        raise InvalidParameterError(
            f"--budgets needs seconds, separated by commas, such as 30,60,300; got {budgets!r}."
        )
    return sorted(set(found))


def _prepare(tools: Iterable[Tool], places: Environments, console: Console) -> None:
    """Make environments; those that cannot be made do not keep others from being made."""
    if not places.folder.resolve().parent.is_dir():
        raise InvalidParameterError(f"There is no folder {places.folder.resolve().parent}.")
    places.folder.mkdir(exist_ok=True)
    problems = []
    for tool in tools:
        try:
            places.prepare(tool, on_step=lambda text: print_line(console, text))
            print_line(console, f"{tool.name}: {places.version(tool) or 'ready'}")
        except InvalidParameterError as error:
            problems.append(str(error))
            print_line(console_of(stderr=True), str(error))
    if problems:
        raise InvalidParameterError(f"{len(problems)} of the tools could not be installed.")


def _run(contest: Contest, cells: Sequence[ToolCell], file: ResultFile, console: Console) -> None:
    """Run cells, with a line for each."""
    n_ended = 0
    begun = time.monotonic()

    def on_begin(cell: ToolCell) -> None:
        left = span(seconds_left(cells[n_ended:], file.results))
        print_line(
            console,
            f"[{span(time.monotonic() - begun)}] {n_ended} of {len(cells)} cells; about {left} "
            f"left; now {cell}",
        )

    def on_end(result: dict[str, Any]) -> None:
        nonlocal n_ended
        n_ended += 1
        said = f"failed ({reason_of(result['error'])})" if result["error"] else ""
        said = said or f"{result['metric']} {result['score']:.4f}"
        print_line(console, f"    {said} in {result['seconds']:.1f} s")

    contest.run(cells, on_begin=on_begin, on_end=on_end)


def _show(
    file: ResultFile,
    tools: list[str],
    against: str,
    output: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the results as JSON or as tables, and write what can be made of them."""
    results = [result for result in file.results if result["tool"] in tools]
    if not results:
        raise NoResultError(f"{file.path} has no results of these tools: name tables to run.")
    if as_json:
        print_json(results)
    if as_json and output is None:
        return
    frame = frame_of(results, tools)
    ran = [str(name) for name in frame["tool"].cat.categories]
    grids = tables_of(frame, reference=against if against in ran else ran[0])
    if not as_json and not quiet:
        for grid in grids:
            print_line(console_of(), grid.markdown())
    if output is not None:
        write_tables(grids, output)
        write_figure(frame, output)
        print_line(console_of(stderr=True, quiet=quiet), f"Wrote tables and a figure into {output}")


@contextmanager
def _ended_by_terminate() -> Iterator[None]:
    """Let a request to end be what Ctrl-C is: tools are ended, and nothing is left running."""

    def end(*_: Any) -> None:
        sys.exit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
