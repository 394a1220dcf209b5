"""Run every attack on every executor, and print what came of it: ``python -m tests.attacks``."""

import argparse
import sys

from tests.attacks.hostile_candidates import EXECUTORS, Target, attacks, table


def main():
    """Attack, and end with 1 if something was not contained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", nargs="+", choices=list(EXECUTORS), default=list(EXECUTORS))
    parser.add_argument("--only", default="", help="attacks whose name has this in it")
    arguments = parser.parse_args()
    findings, left = [], (0, 0)
    for name in arguments.on:
        target = Target(name)
        for attack in attacks():
            if arguments.only in str(attack):
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
    sys.exit(int(len(held) < len(findings) or any(left)))


if __name__ == "__main__":
    main()
