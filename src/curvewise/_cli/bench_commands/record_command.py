"""``curvewise bench record``: what candidates score on a table, whole, to be replayed."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, cast

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar

from curvewise._bench.recorded_tables.recorder import Progress, Recorder
from curvewise._bench.recorded_tables.recording_plan import (
    METRICS,
    default_folds,
    parse_divisors,
    plan_recording,
)
from curvewise._cli import options
from curvewise._cli.table_folds import folds_for
from curvewise._cli.table_notes import show_notes
from curvewise._cli.table_search import check_scoring, without_probabilities
from curvewise._cli.terminal import (
    BAR_WIDTH,
    console_of,
    panel_of,
    print_line,
    span,
    warnings_as_notes,
)
from curvewise._evaluation.row_losses import ROW_METRICS, check_row_metric
from curvewise._files import check_outputs
from curvewise.automl import read_table
from curvewise.automl._space.default_spaces import missing_packages
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.executors._execution import Execution
from curvewise.executors._limits import Limits
from curvewise.executors._workers.worker_loop import Fresh

CANDIDATES = 60
TIMEOUT_SECONDS = 300.0
# Where there is no terminal: a line at most so often.
QUIET_SECONDS = 30.0

EPILOG = f"""
**Examples**

    curvewise bench record data.csv --target label -o recordings/data.parquet --jobs 2

    curvewise bench record openml:1461 -o recordings/bank.parquet --candidates 200

    curvewise bench record sklearn:diabetes -o diabetes.parquet --scoring neg_mean_absolute_error

    curvewise replay recordings --folds 5 --policy kfold,race

Candidates are those of `curvewise select` with the same seed: its portfolio first, then random
draws. Each is fitted on every fold at every anchor, and the loss of every test row is kept; what is
measured has to be a mean over rows ({", ".join(ROW_METRICS)}). Some rows are set aside first, so
that a replay knows what each candidate is really worth. Seconds are the processor's. Interrupted or
killed, the same command goes on where it was; with more `--candidates` it adds to the file. Who
meets a limit is recorded so, and not tried at larger anchors.
"""

Candidates = Annotated[int, options.search_option(min=2, help="How many candidates to record.")]
Anchors = Annotated[
    str,
    options.search_option(
        help="The training rows of a fold are divided by each of these, separated by commas."
    ),
]
Folds = Annotated[
    int | None,
    options.search_option(
        min=2, help="Folds of cross-validation.", show_default="5; 10 below 10,000 rows"
    ),
]
Scoring = Annotated[
    str | None,
    options.search_option(
        help="What is measured: a scorer of scikit-learn.",
        show_default=" or ".join(METRICS.values()),
    ),
]
TestRows = Annotated[
    int | None,
    options.search_option(
        min=0,
        help="Rows that no fold has: they tell what a candidate is really worth.",
        show_default="a fifth, at most 5,000",
    ),
]


def record_command(
    source: options.Source,
    output: options.OutputFile,
    target: options.Target = None,
    task: options.Task = None,
    drop: options.Drop = None,
    keep: options.Keep = None,
    groups: options.Groups = None,
    time: options.Time = None,
    date: options.Dates = None,
    date_order: options.DateOrder = None,
    sheet: options.Sheet = None,
    candidates: Candidates = CANDIDATES,
    space: options.Space = None,
    leave_out: options.LeaveOut = None,
    scoring: Scoring = None,
    folds: Folds = None,
    anchors: Anchors = "64,16,4,1",
    test_rows: TestRows = None,
    jobs: options.Jobs = 1,
    fresh_workers: options.FreshWorkers = None,
    timeout_per_fit: options.TimeoutPerFit = TIMEOUT_SECONDS,
    memory: options.Memory = None,
    seed: options.Seed = 0,
    retry_failed: options.RetryFailed = False,
    quiet: options.Quiet = False,
) -> None:
    """Record what candidates score on a table, at anchors on all folds, row by row."""
    check_outputs({"--output": output}, source=source)
    divisors = parse_divisors(anchors)
    limits = Limits(timeout_per_fit=timeout_per_fit, memory_limit=memory)
    execution = Execution(n_jobs=jobs, fresh_workers=cast("Fresh | None", fresh_workers))
    if scoring is not None:
        check_row_metric(scoring)
    table = read_table(
        source,
        target=target,
        task=task,
        drop=drop or (),
        keep=keep or (),
        groups=groups,
        time=time,
        dates=date or (),
        date_order=date_order,
        sheet=sheet,
    )
    check_scoring(scoring, table)
    left_out = tuple(leave_out or ())
    if scoring == "neg_log_loss":
        left_out += without_probabilities(table, space, left_out)
    n_folds = folds or default_folds(table.n_rows)
    plan = plan_recording(
        table,
        folds_for(table, n_folds=n_folds, random_state=seed),
        n_candidates=candidates,
        space=space,
        leave_out=left_out,
        divisors=divisors,
        scoring=scoring,
        test_rows=test_rows,
        random_state=seed,
    )
    console = console_of(stderr=True, quiet=quiet)
    sizes = ", ".join(f"{anchor:,}" for anchor in plan.schedule.anchors)
    print_line(
        console,
        f"{table.name}: {table.n_rows:,} rows; {len(plan.estimators)} candidates on {n_folds} "
        f"folds of {sizes} training rows; {plan.n_test_rows:,} test rows besides; {plan.scoring}",
    )
    missing = missing_packages() if space in (None, "today") else []
    show_notes(table, console, more=map(WarningNote, missing))
    # Quiet hides progress, never a warning.
    with warnings_as_notes(console_of(stderr=True)), _shown(console) as on_progress:
        recorder = Recorder(plan, output, on_progress=on_progress)
        try:
            done = recorder.run(execution=execution, limits=limits, retry_failed=retry_failed)
        except KeyboardInterrupt:
            print_line(console, "What was recorded is kept: the same command goes on from there.")
            raise
    failed = f", {done.n_failed:,} of them failed" if done.n_failed else ""
    n_bytes = output.stat().st_size
    loud = console_of(stderr=True) if done.n_failed else console
    print_line(loud, f"Wrote {done.n_all:,} evaluations{failed}, to {output} ({_size(n_bytes)})")


@contextmanager
def _shown(console: Console) -> Iterator[Callable[[Progress], None]]:
    """Show how far a recording is: a bar in a terminal, else a line now and then."""
    begun = clock.monotonic()
    live = Live(console=console, refresh_per_second=2, transient=True)
    said = begun

    def show(progress: Progress) -> None:
        nonlocal said
        now = clock.monotonic()
        facts = _facts(progress, now - begun)
        if console.is_terminal:
            bar = ProgressBar(progress.work_all, progress.work_done, width=BAR_WIDTH)
            live.update(panel_of({"recording": bar, "": ", ".join(facts)}, (), most=0))
        elif now - said >= QUIET_SECONDS:
            said = now
            spent, *words = facts
            print_line(console, f"[{spent}] {'; '.join(words)}")

    if not console.is_terminal or console.quiet:
        yield show
        return
    with live:
        yield show


def _facts(progress: Progress, seconds: float) -> list[str]:
    """Say how far it is, and for how long it may go on, at the pace so far."""
    facts = [span(seconds), f"{progress.n_done:,} of {progress.n_all:,} evaluations"]
    facts += [f"{progress.n_failed:,} failed"] if progress.n_failed else []
    made, left = progress.work_done - progress.work_begun, progress.work_all - progress.work_done
    if made > 0 and progress.n_done < progress.n_all:
        facts.append(f"about {span(seconds * left / made)} left")
    return facts


def _size(n_bytes: float) -> str:
    return f"{n_bytes / 1e6:,.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:,.1f} kB"
