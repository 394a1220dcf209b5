"""``curvewise select`` on a folder of tables: what it chooses, and at what cost.

    python benchmarks/tables.py FOLDER [--up-to 10000] [--candidates 40] [--timeout 20] [--jobs 2]
        [--only NAME ...] [--budget SECONDS] [--markdown out.md]

Each table is a Parquet file with its label in the column ``target``. A run is the command itself,
in a process of its own; the store that it leaves tells what k-fold would have cost.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

from curvewise.executors.store import RunStore
from curvewise.report.facts import facts_of

COMMAND = [sys.executable, "-c", "from curvewise.cli.app import main; main()", "select"]
HEADINGS = (
    "table", "rows", "majority", "chosen", "score", "seconds", "of k-fold",
    "finished / pruned / stopped / failed",
)  # fmt: skip


def run(path: Path, folder: Path, options: list[str]) -> dict[str, Any]:
    """Run the command on one table, and give what is known afterwards."""
    store, answer = folder / "run.db", folder / "answer.json"
    files = ["--store", str(store), "--report", str(folder / "report.html"), "--json", str(answer)]
    begun = time.monotonic()
    done = subprocess.run(
        [*COMMAND, str(path), "--target", "target", "--quiet", *options, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - begun
    left = [child.pid for child in psutil.Process().children(recursive=True)]
    facts = json.loads(answer.read_text()) if answer.exists() else {}
    share = None
    if store.exists():
        with RunStore.read(store) as opened:
            share = facts_of(opened.run(1))
    return {"done": done, "seconds": seconds, "left": left, "answer": facts, "facts": share}


def line(path: Path, outcome: dict[str, Any]) -> str:
    """Give a row of the table."""
    target = pd.read_parquet(path, columns=["target"])["target"]
    majority = f"{target.value_counts(normalize=True).iloc[0]:.3f}"
    answer = outcome["answer"]
    if not answer:
        reason = outcome["done"].stderr.strip().splitlines()[-1:]
        return f"| {path.stem} | {len(target):,} | {majority} | {reason} | | | | |"
    counts = answer["counts"]
    ended = [str(counts.get(word, 0)) for word in ("completed", "pruned", "stopped", "failed")]
    share = (outcome["facts"] or {"answer": {"cost": {}}})["answer"]["cost"].get("share")
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
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(path, Path(folder), options)
        lines.append(line(path, outcome))
        print(lines[-1], flush=True)
        if outcome["left"]:
            print(f"processes left: {outcome['left']}", flush=True)
        if given.markdown:
            given.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
