"""How long it takes to read a table of many columns, by format.

    python benchmarks/wide_tables.py [--columns 1000 2000 5000] [--rows 100]

The seconds should grow with the columns and not with their square: twice the columns, about twice
the seconds.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from curvewise.automl import read_table

WRITERS = {"csv": "to_csv", "parquet": "to_parquet", "feather": "to_feather"}


def seconds_of(path):
    """Read a table once more than is counted: the first time loads what reading needs."""
    read_table(path, target="target")
    begun = time.perf_counter()
    read_table(path, target="target")
    return time.perf_counter() - begun


def main():
    """Print a table: columns, and seconds by format."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, nargs="+", default=[1_000, 2_000, 5_000])
    parser.add_argument("--rows", type=int, default=100)
    chosen = parser.parse_args()
    rng = np.random.default_rng(0)
    print(f"| columns | {' | '.join(WRITERS)} |")
    print("|---|" + "---|" * len(WRITERS))
    with tempfile.TemporaryDirectory() as folder:
        for n_columns in chosen.columns:
            frame = pd.DataFrame(rng.random((chosen.rows, n_columns)))
            frame.columns = [f"c{i}" for i in range(n_columns)]
            frame["target"] = rng.integers(2, size=chosen.rows)
            taken = []
            for ending, write in WRITERS.items():
                path = Path(folder) / f"table.{ending}"
                getattr(frame, write)(path, **({"index": False} if ending == "csv" else {}))
                taken.append(f"{seconds_of(path):.2f}")
            print(f"| {n_columns:,} | {' | '.join(taken)} |")


if __name__ == "__main__":
    main()
