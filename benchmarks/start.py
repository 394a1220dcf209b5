"""How long curvewise takes to start: wall time, CPU time and the number of modules.

    python benchmarks/start.py [--repeats 7] [--json]

The median of several runs, each in a process of its own, after one that is thrown away (it fills
the caches of the file system). Wall time means something on a quiet machine only; CPU time and the
number of modules are the same on a busy one, more or less.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from statistics import median

COUNT = "; import sys; print(len(sys.modules))"
PROGRAMS = {
    "python alone": ["-c", "pass" + COUNT],
    "import numpy": ["-c", "import numpy" + COUNT],
    "import curvewise": ["-c", "import curvewise" + COUNT],
    "from curvewise import CurveSearchCV": ["-c", "from curvewise import CurveSearchCV" + COUNT],
    "curvewise --version": ["-m", "curvewise", "--version"],
    "curvewise --help": ["-m", "curvewise", "--help"],
}


def measure(arguments: list[str]) -> tuple[float, float, int | None]:
    """Give the wall seconds, the CPU seconds and the modules of one process."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    answer = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, env=os.environ
    )
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last = answer.stdout.strip().splitlines()[-1]
    return wall, cpu, int(last) if last.isdigit() else None


def main() -> None:
    """Measure everything, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="JSON in the place of a table")
    options = parser.parse_args()
    rows = []
    for name, arguments in PROGRAMS.items():
        measure(arguments)
        walls, cpus, modules = zip(
            *(measure(arguments) for _ in range(options.repeats)), strict=True
        )
        rows.append(
            {"what": name, "wall": median(walls), "cpu": median(cpus), "modules": modules[0]}
        )
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print("| | wall seconds | CPU seconds | modules |\n|---|---|---|---|")
    for row in rows:
        n = "" if row["modules"] is None else f"{row['modules']:,}"
        print(f"| `{row['what']}` | {row['wall']:.2f} | {row['cpu']:.2f} | {n} |")


if __name__ == "__main__":
    main()
