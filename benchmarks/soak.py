"""What is lost in an hour of searches that are killed, stopped, interrupted and out of disk.

    python benchmarks/soak.py --minutes 60
    python benchmarks/soak.py --minutes 2 --seed 7 --log events.jsonl
    python benchmarks/soak.py --minutes 10 --event "disk full"

One search after the other, each with a store and two workers, from Python (``deterministic=True``)
or by ``curvewise select``. Each sitting of a search meets one kind of bad luck, drawn with the
seed; whoever was ended by it goes on with its store in the next sitting, until it is finished.
After each sitting it is looked at

- whether it ended as it should: in time, with its answer, or with one sentence;
- whether each fit that was in the store is still there with the same loss, and none is there twice;
- whether processes or temporary files are left, and how long it went on after its bad luck;

and in the end whether a search from Python has the decisions, results and answer that it has
undisturbed, and all its fits their scores, and whether ``select`` has written a model that
predicts, and a report.

Only processes that were started here are ended, by their id. All files lie on a small disk in
memory, which belongs to these processes alone and is gone with them. Where none can be had (it
takes Linux and ``unshare``), the disk is never full; files still grow larger than they may.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from soak_sittings import EVENTS, NOTHING, Place, facts, kept, search, sit

DISK = "SOAK_DISK"
DISK_BYTES = 32_000_000
SEEDS = range(5)
# What must be the same as in a search that nobody disturbs, besides the scores.
COMPARED = ("decisions", "results", "answer")
# Then a search is left alone.
MOST_SITTINGS = 6


class Soak:
    """One search after the other, until the time is up."""

    def __init__(self, arguments, disk):
        self.arguments = arguments
        self.disk = disk
        self.chance = random.Random(arguments.seed)
        self.events = [
            event
            for event in EVENTS
            if arguments.event in (None, event.name) and (disk or event.name != "disk full")
        ]
        self.expected, self.typical = {}, {}
        self.sittings, self.n_rounds, self.n_fits = [], 0, 0

    def undisturbed(self, scene, seed):
        """Run a search to its end, if that has not been done; it takes this long."""
        if (scene, seed) not in self.expected:
            place = Place(self.disk)
            sitting = sit(place, scene, seed, NOTHING, self.chance, 0)
            self.note(sitting)
            self.expected[scene, seed] = facts(place.folder) if scene == "search" else {}
            self.typical[scene] = sitting.seconds
            place.remove()

    def round(self):
        """Search with bad luck until it is finished; compare."""
        scene, seed = self.chance.choice(("search", "search", "select")), self.chance.choice(SEEDS)
        self.undisturbed(scene, seed)
        place, before, sitting = Place(self.disk), {}, None
        fitting = [event for event in self.events if scene in event.scenes]
        for n in itertools.count():
            event = self.chance.choice(fitting) if n < MOST_SITTINGS and fitting else NOTHING
            sitting = sit(place, scene, seed, event, self.chance, self.typical[scene])
            before = self.compare(sitting, before, place.folder / "run.db")
            if sitting.finished or n > MOST_SITTINGS:
                break
            self.note(sitting)
        self.check_end(sitting, scene, seed, place)
        self.note(sitting)
        self.n_rounds += 1
        self.n_fits += len(before)
        place.remove()

    def compare(self, sitting, before, path):
        """Compare what a store holds with what it held before the sitting."""
        now, sitting.repeated, error = kept(path)
        sitting.lost = sum(now.get(task) != loss for task, loss in before.items())
        if error and before:
            sitting.wrong.append(f"the store cannot be read: {error}")
        return now

    def check_end(self, sitting, scene, seed, place):
        """Look at the answer of a search that is finished."""
        if not sitting.finished:
            sitting.wrong.append("was never finished")
        elif scene == "search":
            found, expected = facts(place.folder), self.expected[scene, seed]
            sitting.wrong += [f"other {name}" for name in COMPARED if expected[name] != found[name]]
            # Which fits came before they were not wanted any more depends on how quick workers are.
            both = expected["scores"].keys() & found["scores"].keys()
            different = [fit for fit in both if expected["scores"][fit] != found["scores"][fit]]
            sitting.wrong += [f"another score: {fit}" for fit in different]
        else:
            command = [sys.executable, "-m", "curvewise", "predict"]
            command += [str(place.folder / "model.skops"), "sklearn:wine"]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if answer.returncode or not (place.folder / "report.html").exists():
                sitting.wrong.append(f"no model or report: {answer.stderr[-200:]}")

    def note(self, sitting):
        """Keep what became of a sitting."""
        self.sittings.append(sitting)
        if self.arguments.log:
            with self.arguments.log.open("a") as file:
                file.write(json.dumps(sitting.__dict__) + "\n")
        for wrong in sitting.wrong:
            sys.stderr.write(f"{sitting.scene}, {sitting.event}: {wrong}\n")

    def table(self):
        """Give what came of it, a line per event."""
        names = "sittings | times | contained | fits lost | repeated | processes | files | longest"
        yield f"| event | {names} |"
        yield "|---|---|---|---|---|---|---|---|---|"
        for name in dict.fromkeys(sitting.event for sitting in self.sittings):
            those = [sitting for sitting in self.sittings if sitting.event == name]
            sums = Counter()
            for one in those:
                sums.update(times=one.n_events, contained=int(not one.wrong), lost=one.lost)
                sums.update(repeated=one.repeated, processes=one.processes, files=one.files)
            cells = ("times", "contained", "lost", "repeated", "processes", "files")
            numbers = " | ".join(str(sums[cell]) for cell in cells)
            longest = max(one.seconds_after for one in those)
            yield f"| {name} | {len(those)} | {numbers} | {longest:.1f} s |"


def soak(arguments):
    """Let it go on for so long; 1 if something was not contained."""
    begun = time.monotonic()
    disk = os.environ.get(DISK)
    whole = Soak(arguments, disk)
    while time.monotonic() < begun + 60 * arguments.minutes:
        whole.round()
    for line in whole.table():
        print(line)
    bad = [s for s in whole.sittings if s.wrong or s.lost or s.repeated or s.processes or s.files]
    print(
        f"\n{whole.n_rounds} searches in {len(whole.sittings)} sittings and "
        f"{(time.monotonic() - begun) / 60:.0f} minutes, with {whole.n_fits:,} fits; "
        f"{len(bad)} sittings were not as they should be (seed {arguments.seed})"
    )
    return int(bool(bad))


def on_small_disk():
    """Start this program again, where it has a disk of its own (Linux)."""
    with tempfile.TemporaryDirectory(prefix="soak-disk-") as folder:
        rights = [] if os.geteuid() == 0 else ["--map-root-user"]
        mounting = f"mount -t tmpfs -o size={DISK_BYTES} soak '{folder}' && exec \"$@\""
        command = ["unshare", "--mount", *rights, "sh", "-c", mounting, "sh"]
        command += [sys.executable, __file__, *sys.argv[1:]]
        possible = (
            shutil.which("unshare")
            and not subprocess.run(
                [*command[: -len(sys.argv) - 1], "true"], check=False, capture_output=True
            ).returncode
        )
        if not possible:
            print("No small disk can be had here: it is never full.", file=sys.stderr)
        environment = os.environ | {DISK: folder if possible else ""}
        again = command if possible else [sys.executable, __file__, *sys.argv[1:]]
        process = subprocess.Popen(again, env=environment)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        return process.wait()


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--event", choices=[event.name for event in EVENTS])
    parser.add_argument("--log", type=Path, help="a line of JSON for each sitting")
    parser.add_argument("--sitting", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sitting is not None:
        search(arguments.sitting, arguments.seed)
        return
    if DISK not in os.environ:
        sys.exit(on_small_disk())
    # Whoever ends this ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(soak(arguments))


if __name__ == "__main__":
    main()
