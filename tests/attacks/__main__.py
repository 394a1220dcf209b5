"""Carry out all attacks and print tables of what came of them: ``python -m tests.attacks``."""

import argparse
import importlib
import logging
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

from curvewise._text import visible
from tests.attacks import KINDS
from tests.attacks.attack import judge
from tests.attacks.hostile_candidates import EXECUTORS, Target, attacks, table

CANDIDATES = "candidates"
N_CASES = 3_000


def main():
    """Attack, and end with 1 if something was not contained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=(CANDIDATES, *KINDS), action="append")
    parser.add_argument("--on", nargs="+", choices=list(EXECUTORS), default=list(EXECUTORS))
    parser.add_argument("--only", default="", help="candidates whose name has this in it")
    parser.add_argument("--cases", type=int, default=N_CASES, help="how many stores")
    parser.add_argument("--all", action="store_true", help="a line for every store and file")
    chosen = parser.parse_args()
    kinds = chosen.kind or (CANDIDATES, *KINDS)
    held = [attack_candidates(chosen.on, chosen.only)] if CANDIDATES in kinds else []
    held += [attack_by(kind, chosen) for kind in kinds if kind != CANDIDATES]
    sys.exit(int(not all(held)))


def attack_candidates(executors, only):
    """Let hostile candidates attack every executor."""
    findings, left = [], (0, 0)
    for name in executors:
        target = Target(name)
        for attack in attacks():
            if only in str(attack):
                findings.append(target.attack(attack))
                sys.stderr.write(f"{name}: {attack}\n")
        left = tuple(map(sum, zip(left, target.close(), strict=True)))
    for line in table(findings):
        sys.stdout.write(f"{line}\n")
    held = [one for one in findings if one.contained and not one.n_processes and not one.n_files]
    sys.stdout.write(
        f"\n{len(held)} of {len(findings)} contained; left behind in the end: {left[0]} processes, "
        f"{left[1]} files\n"
    )
    return len(held) == len(findings) and not any(left)


def attack_by(kind, chosen):
    """Let files of a kind attack everything that reads them."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    module = importlib.import_module(f"tests.attacks.{kind}")
    counts = Counter()
    sys.stdout.write("\n| attack | contained | processes left | files left | what came of it |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder:
        for attack in module.attacks(Path(folder), chosen.cases):
            verdict = judge(attack)
            counts[verdict.contained] += 1
            if chosen.all or not verdict.contained:
                word = "yes" if verdict.contained else "NO"
                cells = (verdict.name, word, verdict.processes, verdict.files, verdict.what)
                told = " | ".join(visible(str(each)).replace("|", "/") for each in cells)
                sys.stdout.write("| " + told.replace("\n", " ") + " |\n")
    sys.stdout.write(f"\n{kind}: {counts[True]:,} of {counts.total():,} contained\n")
    return not counts[False]


if __name__ == "__main__":
    main()
