"""`curvewise select` with rounds of boosting that are drawn: a tool for `curvewise bench automl`.

Called with a request (a JSON file), it answers as a tool does; called with anything else, it is the
command line, with that one difference. `ablation.toml` names it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curvewise.automl import SearchSpace

ROUNDS = {"LGBM": "n_estimators", "Hist": "max_iter"}


def answer(path: str) -> None:
    """Select a pipeline, and predict with it."""
    asked = json.loads(Path(path).read_text())
    model = Path("model.skops").resolve()
    command = [
        *(sys.executable, __file__, "select", asked["train"], "--target", asked["target"]),
        *("--task", asked["task"], "--budget", str(asked["seconds"])),
        *("--jobs", str(asked["n_cores"]), "--seed", str(asked["seed"])),
        *("--save", str(model), "--json", "--quiet"),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    stood = time.time() - asked["begun"]
    from curvewise.automl import load_model, read_rows

    saved = load_model(model)
    predictions = saved.pipeline.predict(read_rows(asked["test"], saved.columns)).tolist()
    choice = json.loads(done.stdout)["best"]
    told = {"predictions": predictions, "choice": choice, "model_seconds": stood}
    Path(asked["answer"]).write_text(json.dumps(told))


def draw_rounds() -> None:
    """Let boosters of today's space have a number of rounds that is drawn."""
    from curvewise.automl import Integer, default_space
    from curvewise.automl import _pipeline_search as search
    from curvewise.automl._space.default_spaces import portfolio

    def space(task: str):
        given = default_space(task)
        (slot,) = given.slots
        components = []
        for one in slot.components:
            parameters = {name: value for name, value in one.parameters.items() if name != "beyond"}
            rounds = ROUNDS.get(one.name[:4])
            if one.rounds and rounds is None:
                continue
            if one.rounds:
                parameters[rounds] = Integer(20, 1000, log=True)
            fixed = {**one.fixed, "early_stopping": False} if rounds == "max_iter" else one.fixed
            components.append(replace(one, rounds=False, parameters=parameters, fixed=fixed))
        return replace(given, slots=[replace(slot, components=components)])

    def first(task: str, space_of_task: SearchSpace) -> list[dict[str, Any]]:
        """List the portfolio; what is only for rounds that are found is not in it."""
        return [
            {slot: {name: value for name, value in chosen.items() if name != "beyond"}}
            for configuration in portfolio(task, space_of_task)
            for slot, chosen in configuration.items()
        ]

    search.SPACES = {**search.SPACES, "today": space}
    search.portfolio = first


if __name__ == "__main__":
    if sys.argv[1].endswith(".json"):
        answer(sys.argv[1])
    else:
        from curvewise._cli.app import main

        draw_rounds()
        main()
