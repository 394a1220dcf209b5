"""Find the numbers behind advice on recorded curves, and write them as a Python file.

    python benchmarks/calibrate_advice.py CURVES.parquet --output new_numbers.py

The result belongs into ``src/curvewise/advice/_numbers.py``. It takes half a minute, and the
same curves give the same file. `curvewise._bench.doubled_rows.calibrator` says how numbers are
found, and `curvewise bench advice --curves CURVES.parquet` measures what they are worth, with
numbers from other data sets each time.
"""

import argparse
import math
from pathlib import Path

from curvewise._bench.doubled_rows.calibrator import calibrate, experience_of, lessons_of
from curvewise._bench.doubled_rows.cases import collect
from curvewise.core._scale import Scale
from curvewise.executors._recordings import read_recordings

KINDS = {
    "PORTFOLIO": ("portfolio", Scale()),
    "CANDIDATE": ("learner", Scale()),
    "PORTFOLIO_UNBOUNDED": ("portfolio", Scale.unbounded()),
    "CANDIDATE_UNBOUNDED": ("learner", Scale.unbounded()),
}
HEAD = '''"""The numbers behind advice, as `benchmarks/calibrate_advice.py` wrote them.

`curvewise.advice._outlook` says what they mean. Found on {n_cases} cases of {n_datasets}
data sets.
"""

from __future__ import annotations

import math

from curvewise.advice._outlook import Calibration, Experience
'''
WIDTH = 92


def written(values):
    """A tuple over several lines, as the formatter would have it."""
    lines, line = [], ""
    for value in values:
        text = f"{value:g},"
        if len(line) + len(text) + 1 > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {text}".strip()
    return "(\n" + "".join(f"        {each}\n" for each in [*lines, line]) + "    )"


def calibration_text(name, numbers):
    """One calibration as source."""
    return (
        f"\n{name} = Calibration(\n    carry={numbers.carry:g},\n    room={numbers.room:g},\n"
        f"    noise={numbers.noise:g},\n    share={numbers.share:g},\n"
        f"    level={numbers.level:g},\n"
        f"    table={written(numbers.table)},\n)  # fmt: skip\n"
    )


def experience_text(classes):
    """Experience by size as source."""
    parts = [
        f"    Experience({'math.inf' if math.isinf(each.below) else each.below}, "
        f"{written(each.shares)}),\n"
        for each in classes
    ]
    return f"\nEXPERIENCE = (\n{''.join(parts)})  # fmt: skip\n"


def main():
    """Read, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curves", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--draws", type=int, default=3)
    options = parser.parse_args()
    cases = collect(read_recordings(options.curves), n_folds=options.folds, n_draws=options.draws)
    datasets = {case.dataset for case in cases}
    text = HEAD.format(n_cases=len(cases) // options.draws, n_datasets=len(datasets))
    for name, (level, scale) in KINDS.items():
        lessons = lessons_of(cases, level=level, scale=scale)
        text += calibration_text(name, calibrate(lessons, bounded=scale.unit is not None))
        if name == "PORTFOLIO":
            experience = experience_text(experience_of(lessons))
    text += experience
    if options.output is None:
        print(text)
    else:
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
