"""Write what `curvewise bench automl` needs to leave out parts of `select`, one at a time.

    python benchmarks/ablation.py FOLDER
    curvewise bench automl TABLE ... --tool-file FOLDER/classification.toml \
        --tool curvewise --tool paper-space --tool rounds-drawn --tool no-portfolio --tool optuna

There is a file for each task, because spaces belong to a task. The variants, each against
`curvewise` as it is:

- ``paper-space``: the paper's space in the place of today's (and so no portfolio and no views);
- ``rounds-drawn``: the number of boosting rounds is a parameter that is drawn, not found;
- ``no-portfolio``: random draws from the first candidate on;
- ``random-draws``, ``optuna``: what comes after the portfolio, independent draws or Optuna's.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from importlib import resources
from pathlib import Path

SLOTS = {"classification": "classifier", "regression": "regressor"}
ROUNDS = {"LGBM": "n_estimators", "Hist": "max_iter"}
RANGE = {"low": 20, "high": 1000, "log": True}


def space_with_drawn_rounds(slot: str) -> dict:
    """Give today's space with the number of rounds among the parameters, as a space file has it."""
    package = resources.files("curvewise.automl._space")
    learners = tomllib.loads(package.joinpath(f"todays_{slot}s.toml").read_text())["learner"]
    for learner in learners:
        name = learner["class"].rpartition(".")[2]
        if learner.pop("rounds", False):
            learner["parameters"][ROUNDS[name[:4]]] = RANGE
        # Space files know the arguments that are in a signature only.
        learner["parameters"].pop("extra_trees", None)
        learner.get("fixed", {}).pop("verbose", None)
        if name.startswith("Hist"):
            learner["fixed"]["early_stopping"] = False
    return {"slot": [{"name": slot, "component": learners}]}


def tools(space: Path) -> dict[str, list[str]]:
    """Give the arguments of each variant."""
    return {
        "paper-space": ["--space", "paper"],
        "rounds-drawn": ["--space", str(space), "--package", "lightgbm"],
        "no-portfolio": ["--proposer", "random"],
        "random-draws": ["--proposer", "portfolio"],
        "optuna": ["--proposer", "portfolio-optuna"],
    }


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for task, slot in SLOTS.items():
        space = folder / f"{task}-space.json"
        space.write_text(json.dumps(space_with_drawn_rounds(slot), indent=1))
        lines = []
        for name, arguments in tools(space).items():
            lines += [
                "[[tool]]",
                f'name = "{name}"',
                'script = "curvewise_select.py"',
                'distribution = "curvewise"',
                f"options = {{ arguments = {json.dumps(arguments)} }}",
                "",
            ]
        (folder / f"{task}.toml").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
