"""Write the golden traces anew: ``make golden``.

A golden trace is every decision of one search over recorded curves, as sentences; the figures of
a replay over the same curves stand beside them. A change of a rule changes them; read the diff, it
shows what the change does.
"""

import json
from pathlib import Path

from curvewise import Observation, Search
from curvewise._bench.contestant import Contestant
from curvewise.executors._loop import run
from curvewise.executors._recordings import read_recordings
from curvewise.executors._replay_executor import ReplayExecutor
from tests.cli.runner import curvewise

HERE = Path(__file__).parent
CURVES = HERE.parents[1] / "examples" / "curves" / "bundled.parquet"
FIGURES = HERE / "replay.json"
N_FOLDS = 5
CASES = {
    "kfold": ("breast-cancer", 1),
    "lccv": ("digits", 1),
    "lccv:prune=False:skip=False": ("breast-cancer", 1),
    "adaptive": ("digits", 1),
    "race": ("digits", 1),
    "race-stream": ("digits-noisy", 1),
    "race:price=0.001": ("digits-parity", 3),
    "wilcoxon": ("digits-parity", 1),
    "halving": ("digits", 2),
    "hyperband": ("digits", 1),
    "earlystop": ("digits-parity", 1),
    "earlystop:rule=aggressive": ("digits-parity", 1),
    "earlystop:rule=robust": ("digits-parity", 1),
    "anova": ("digits-parity", 2),
    "bbcd": ("digits-parity", 1),
}


def trace(label):
    """Replay one search and write every decision as a sentence."""
    dataset, n_workers = CASES[label]
    (recording,) = [r for r in read_recordings(CURVES) if r.dataset == dataset]
    contestant = Contestant.parse(label)
    lines = [f"{label} on {dataset}, {N_FOLDS} folds, {n_workers} simulated workers"]

    def look_up(task):
        i = recording.learners.index(task.candidate)
        a = recording.anchors.index(task.anchor)
        loss, seconds = recording.loss[i, a, task.fold], recording.seconds[i, a, task.fold]
        return Observation(task, float(loss), seconds=float(seconds), n_test=recording.n_test)

    search = Search(
        iter(recording.learners) if contestant.streaming else recording.learners,
        schedule=contestant.policy.schedule(recording.target).among(recording.anchors),
        policy=contestant.policy,
        n_folds=N_FOLDS,
        observer=lambda candidate, decision: lines.append(
            f"{candidate}: {decision.explain(search.portfolio.scale)}"
        ),
    )
    run(search, ReplayExecutor(look_up, n_workers=n_workers))
    lines.append(f"best: {search.best.candidate}")
    return "\n".join(lines) + "\n"


def figures():
    """Give what `curvewise replay` finds for every policy."""
    options = ("--folds", str(N_FOLDS), "--min-target", "400", "--orders", "2", "--quiet", "--json")
    return json.loads(curvewise("replay", CURVES, *options).stdout)


def path_of(label):
    """Name the file of a trace."""
    return HERE / "traces" / f"{label.replace(':', '_').replace('=', '-')}.txt"


def main():
    """Write every trace, and the figures."""
    for label in CASES:
        path_of(label).parent.mkdir(exist_ok=True)
        path_of(label).write_text(trace(label), encoding="utf-8")
    FIGURES.write_text(json.dumps(figures(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
