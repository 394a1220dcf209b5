"""``curvewise select`` on a folder of tables: what it chooses, and at what cost.

    python benchmarks/tables.py FOLDER [--up-to 10000] [--candidates 40] [--timeout 20] [--jobs 2]
        [--only NAME ...] [--budget SECONDS] [--markdown out.md] [--keep FOLDER]

Each table is a Parquet file with its label in the column ``target``. A run is the command itself,
in a session of its own, so that processes that it left behind would be seen; its store tells what
k-fold would have cost, and why candidates failed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

from curvewise._report.report_facts import facts_of
from curvewise.core._outcome import Failure
from curvewise.executors import RunStore

COMMAND = [sys.executable, "-c", "from curvewise._cli.app import main; main()", "select"]
HEADINGS = (
    "table", "rows", "majority", "chosen", "score", "seconds", "of k-fold",
    "finished / pruned / stopped / failed",
)  # fmt: skip


def run(path: Path, folder: Path, options: list[str]) -> dict[str, Any]:
    """Run the command on one table, and give what is known afterwards."""
    store, report = folder / "run.db", folder / "report.html"
    files = ["--store", str(store), "--report", str(report), "--json"]
    begun = time.monotonic()
    process = subprocess.Popen(
        [*COMMAND, str(path), "--target", "target", "--quiet", *options, *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    answer, said = process.communicate()
    answered = {
        "seconds": time.monotonic() - begun,
        "said": said,
        "left": [pid for pid in psutil.pids() if session_of(pid) == process.pid],
        "answer": json.loads(answer) if answer else {},
        "report": report.exists(),
        "share": None,
        "failures": Counter(),
    }
    if store.exists():
        with RunStore.read(store) as opened:
            run = opened.run(1)
            answered["share"] = facts_of(run)["answer"]["cost"].get("share")
            answered["failures"] = Counter(
                f"{outcome.reason.value}: {outcome.headline}"
                for outcome in run.outcomes()
                if isinstance(outcome, Failure)
            )
    return answered


def session_of(pid: int) -> int | None:
    """Say to which session a process belongs; None if it has ended."""
    try:
        return os.getsid(pid)
    except OSError:
        return None


def line(path: Path, outcome: dict[str, Any]) -> str:
    """Give a row of the table."""
    target = pd.read_parquet(path, columns=["target"])["target"]
    majority = f"{target.value_counts(normalize=True).iloc[0]:.3f}"
    answer = outcome["answer"]
    if not answer:
        reason = outcome["said"].strip().splitlines()[-1:]
        return f"| {path.stem} | {len(target):,} | {majority} | {reason} | | | | |"
    counts = answer["counts"]
    ended = [str(counts.get(word, 0)) for word in ("completed", "pruned", "stopped", "failed")]
    share = outcome["share"]
    cells = [
        path.stem,
        f"{len(target):,}",
        majority,
        answer["best"],
        f"{answer['score']:.4f}",
        f"{outcome['seconds']:.0f}",
        "" if share is None else f"{share:.2f}",
        " / ".join(ended),
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Run it on all tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--up-to", type=int, default=10_000, help="rows at the most")
    parser.add_argument("--from-rows", type=int, default=0, help="rows at the least")
    parser.add_argument("--only", nargs="+", help="parts of file names")
    parser.add_argument("--candidates", default="40")
    parser.add_argument("--timeout", default="20")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--budget")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--keep", type=Path, help="keep stores and reports in this folder")
    given = parser.parse_args()
    options = ["--candidates", given.candidates, "--timeout", given.timeout]
    options += ["--jobs", given.jobs, "--folds", "5", "--seed", "0"]
    options += ["--budget", given.budget] if given.budget else []
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    print("\n".join(lines), flush=True)
    for path in sorted(given.folder.glob("*.parquet")):
        target = pd.read_parquet(path, columns=["target"])["target"]
        wanted = given.only is None or any(part in path.name for part in given.only)
        if not wanted or not given.from_rows <= len(target) <= given.up_to:
            continue
        if target.dtype.kind == "f":
            continue
        with ExitStack() as stack:
            folder = given.keep and given.keep / path.stem
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder.mkdir(parents=True, exist_ok=True)
            outcome = run(path, folder, options)
        lines.append(line(path, outcome))
        print(lines[-1], flush=True)
        for reason, number in outcome["failures"].most_common():
            print(f"    {number:4} x {reason}", flush=True)
        if outcome["left"]:
            print(f"    processes left: {outcome['left']}", flush=True)
        if not outcome["report"]:
            print("    no report", flush=True)
        if given.markdown:
            given.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
