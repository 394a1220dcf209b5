"""Write what `curvewise bench automl` needs to leave out parts of `select`, one at a time.

    python benchmarks/ablation.py tools.toml
    curvewise bench automl TABLE ... --tool-file tools.toml --tool curvewise \
        --tool paper-space --tool rounds-drawn --tool no-portfolio --tool random-draws --tool optuna

The variants, each against `curvewise` as it is:

- ``paper-space``: the paper's space in the place of today's (and so no portfolio and no views);
- ``rounds-drawn``: the number of boosting rounds is a parameter that is drawn, not found;
- ``no-portfolio``: random draws from the first candidate on;
- ``random-draws``, ``optuna``: what comes after the portfolio, independent draws or Optuna's.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

SELECT = "curvewise_select.py"
TOOLS = {
    "paper-space": (SELECT, ["--space", "paper"]),
    "rounds-drawn": (str(Path(__file__).with_name("ablation_rounds.py").resolve()), []),
    "no-portfolio": (SELECT, ["--proposer", "random"]),
    "random-draws": (SELECT, ["--proposer", "portfolio"]),
    "optuna": (SELECT, ["--proposer", "portfolio-optuna"]),
}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    lines = []
    for name, (script, arguments) in TOOLS.items():
        lines += [
            "[[tool]]",
            f'name = "{name}"',
            f'script = "{script}"',
            'distribution = "curvewise"',
            f"options = {{ arguments = {json.dumps(arguments)} }}",
            "",
        ]
    parser.parse_args().file.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
