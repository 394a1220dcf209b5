"""Sittings of a search that meet bad luck: for `soak.py`, which says what is looked at."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

MARK = "CURVEWISE_SOAK"
SOAK = Path(__file__).parent / "soak.py"
PACKAGE = Path(find_spec("curvewise").origin).parent
# Who has not ended so long after its bad luck hangs; the machine may be busy otherwise.
LONGEST_SECONDS = 3600.0
# What was killed is cleared away within this time.
GRACE_SECONDS = 300.0
# Between two strikes at workers or fork servers.
PAUSE_SECONDS = 2.0
LOOK_SECONDS = 0.05
# What a program says goes to files, too; there is room for that much.
SPEECH_BYTES = 20_000
# So much of it is told where it should not have been said.
LAST_WORDS = 3_000
WORKER, SERVER, PROGRAM, DISKS = "worker", "fork server", "program", "disk"


@dataclass(frozen=True)
class Event:
    """One kind of bad luck: who meets it, by which signals, and how often in a sitting."""

    name: str
    victim: str
    signals: tuple = ()
    most: int = 1
    scenes: tuple = ("search", "select")


EVENTS = (
    Event("worker killed", WORKER, (signal.SIGKILL,), most=6),
    Event("worker ended (SIGTERM)", WORKER, (signal.SIGTERM,), most=6),
    Event("worker stopped for a while", WORKER, (signal.SIGSTOP, signal.SIGCONT), most=3),
    Event("fork server killed", SERVER, (signal.SIGKILL,), most=3),
    Event("fork server stopped", SERVER, (signal.SIGSTOP,)),
    Event("program killed", PROGRAM, (signal.SIGKILL,)),
    Event("program interrupted", PROGRAM, (signal.SIGINT,)),
    Event("program interrupted twice", PROGRAM, (signal.SIGINT, signal.SIGINT)),
    Event("program ended (SIGTERM)", PROGRAM, (signal.SIGTERM,), scenes=("select",)),
    Event("disk full", DISKS),
    Event("file too large", DISKS),
)
NOTHING = Event("nothing", "")


@dataclass
class Sitting:
    """What became of one sitting of a search."""

    scene: str
    event: str
    n_events: int = 0
    seconds: float = 0.0
    # How long it went on after the last of the bad luck.
    seconds_after: float = 0.0
    returncode: int | None = None
    # What did not hold, in words.
    wrong: list = field(default_factory=list)
    lost: int = 0
    repeated: int = 0
    processes: int = 0
    files: int = 0
    finished: bool = False
    said: str = ""


def candidates(seed):
    """Give estimators with fixed seeds; later ones take longer."""
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    chance = random.Random(seed)
    kinds = [
        lambda: SVC(C=10 ** chance.uniform(-2, 2)),
        lambda: RandomForestClassifier(chance.randrange(20, 150), random_state=seed),
        lambda: ExtraTreesClassifier(chance.randrange(20, 150), random_state=seed),
        lambda: KNeighborsClassifier(chance.randrange(1, 20)),
        lambda: LogisticRegression(C=10 ** chance.uniform(-3, 1), max_iter=30),
    ]
    return {f"candidate {i}": kinds[i % len(kinds)]() for i in range(24)}


def search(folder, seed):
    """Search, or go on with it; write the answer if it was finished."""
    import warnings

    from sklearn.datasets import load_digits

    import curvewise as cw

    warnings.simplefilter("ignore")
    X, y = load_digits(return_X_y=True)
    found = cw.CurveSearchCV(
        candidates(seed), cv=5, n_jobs=2, deterministic=True, random_state=seed,
        store=folder / "run.db", run="soak",
    ).fit(X, y)  # fmt: skip
    answer = {"best": str(found.best_params_), "score": repr(found.best_score_)}
    answer["predictions"] = found.best_estimator_.predict(X).tolist()
    if found.ending_.value == "finished":
        found.report(folder / "report.html")
        (folder / "answer.json").write_text(json.dumps(answer))


def command_of(scene, folder, seed):
    """Give the command of a sitting."""
    if scene == "search":
        return [sys.executable, str(SOAK), "--sitting", str(folder), "--seed", str(seed)]
    options = {"store": "run.db", "report": "report.html", "save": "model.skops"}
    command = [sys.executable, "-m", "curvewise", "select", "sklearn:wine", "--run", "soak"]
    command += ["--candidates", "12", "--jobs", "2", "--seed", str(seed), "--json"]
    return command + [
        part for name, file in options.items() for part in (f"--{name}", str(folder / file))
    ]


class Place:
    """Where one search lives: its files, its temporary files, its processes."""

    def __init__(self, disk):
        self.folder = Path(tempfile.mkdtemp(prefix="soak-", dir=disk))
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.mark = uuid.uuid4().hex
        self.ballast = self.folder / "ballast"

    def start(self, scene, seed):
        """Start a sitting."""
        environment = os.environ | {MARK: self.mark, "TMPDIR": str(self.temporary)}
        # What it says lies elsewhere: it is to be heard when the disk is full.
        self.out, self.err = (tempfile.TemporaryFile("w+") for _ in range(2))  # noqa: SIM115 - read later
        return psutil.Popen(
            command_of(scene, self.folder, seed), env=environment, stdout=self.out, stderr=self.err
        )

    def heard(self):
        """Give what a sitting has said."""
        texts = []
        for file in (self.out, self.err):
            file.seek(0)
            texts.append(file.read())
            file.close()
        return texts

    def processes(self):
        """Find all processes of this search, whoever is their parent by now."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                running = process.status() != psutil.STATUS_ZOMBIE
                if running and process.environ().get(MARK) == self.mark:
                    found.append(process)
        return found

    def left(self, *, seconds=GRACE_SECONDS):
        """Count the processes and temporary files that do not go by themselves; end them."""
        deadline = time.monotonic() + seconds
        while True:
            processes, files = self.processes(), list(self.temporary.iterdir())
            if not (processes or files) or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        for process in processes:
            with suppress(psutil.Error):
                process.kill()
        for path in files:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return len(processes), len(files)

    def fill(self):
        """Let the disk be full."""
        with suppress(OSError), self.ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def remove(self):
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)


def is_fork_server(process):
    """Whether a process is one that workers are forked from."""
    with suppress(psutil.Error):
        return "_workers.fork_server" in " ".join(process.cmdline())
    return False


def victims_of(program, kind):
    """Find the processes that an event is about."""
    if kind == PROGRAM:
        return [program]
    with suppress(psutil.Error):
        servers = [child for child in program.children() if is_fork_server(child)]
        if kind == SERVER:
            return servers
        return [worker for server in servers for worker in server.children()]
    return []


def strike(event, program, place, chance):
    """Let an event happen once; say whether it did."""
    if event.name == "disk full":
        place.fill()
        return True
    if event.name == "file too large":
        store = place.folder / "run.db-wal"
        size = store.stat().st_size if store.exists() else 0
        with suppress(psutil.Error):
            most = max(size + chance.choice((0, 1_000, 100_000)), SPEECH_BYTES)
            program.rlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
            return True
        return False
    victims = victims_of(program, event.victim)
    if not victims or not program.is_running():
        return False
    victim = chance.choice(victims)
    for i, sent in enumerate(event.signals):
        if i:
            time.sleep(chance.uniform(0.2, 3))
        with suppress(psutil.Error):
            victim.send_signal(sent)
    return True


def sit(place, scene, seed, event, chance, typical):
    """Let a search run once, with bad luck; say what became of it."""
    begun = time.monotonic()
    sitting = Sitting(scene, event.name)
    program = place.start(scene, seed)
    try:
        _let_happen(sitting, program, event, place, chance, typical)
    except BaseException:
        place.left(seconds=0)
        raise
    sitting.seconds = time.monotonic() - begun
    sitting.returncode = program.returncode
    place.ballast.unlink(missing_ok=True)
    out, err = place.heard()
    said = (err.strip() or out.strip()).splitlines()[-1:]
    sitting.said = said[0][:200] if said else ""
    sitting.processes, sitting.files = place.left()
    judge(sitting, event, out, err)
    return sitting


def _let_happen(
    sitting: Sitting,
    program: psutil.Popen,
    event: Event,
    place: Place,
    chance: random.Random,
    typical: float,
) -> None:
    """Let bad luck happen, and the program end."""
    often = event.victim in (WORKER, SERVER)
    for _ in range(chance.randint(1, event.most) if event is not NOTHING else 0):
        _wait(program, lambda: not often or victims_of(program, event.victim))
        _pause(program, chance.uniform(0, PAUSE_SECONDS if often else typical))
        if program.poll() is None:
            sitting.n_events += strike(event, program, place, chance)
    struck = time.monotonic()
    try:
        program.wait(LONGEST_SECONDS)
    except psutil.TimeoutExpired:
        sitting.wrong.append(f"did not end within {LONGEST_SECONDS:g} s")
        program.kill()
        program.wait()
    sitting.seconds_after = time.monotonic() - struck


def _wait(program: psutil.Popen, there: Callable[[], Any]) -> None:
    while program.poll() is None and not there():
        time.sleep(LOOK_SECONDS)


def _pause(program: psutil.Popen, seconds: float) -> None:
    with suppress(psutil.TimeoutExpired):
        program.wait(seconds)


def judge(sitting, event, out, err):
    """Look at how a sitting ended."""
    code, unlucky = sitting.returncode, sitting.n_events > 0
    killed = unlucky and event.name == "program killed"
    if code == 0:
        sitting.finished = not (unlucky and event.victim == PROGRAM)
    elif killed and code == -signal.SIGKILL:
        return
    elif unlucky and event.victim == PROGRAM:
        # Nothing to answer with yet. Python ends by the signal, a command line with 130.
        if code not in (130, 1, -signal.SIGINT, -signal.SIGTERM):
            sitting.wrong.append(f"ended with {code}: {sitting.said}")
    elif unlucky and event.victim == DISKS:
        if sitting.scene == "search" and not sitting.said.startswith("curvewise.errors."):
            sitting.wrong.append(f"no sentence: {sitting.said}")
    else:
        sitting.wrong.append(f"ended with {code}: {sitting.said}")
    # Python may be interrupted while it starts, before anything of this package runs.
    if sitting.scene == "select" and "Traceback" in out + err and str(PACKAGE) in out + err:
        sitting.wrong.append(f"a traceback: {(out + err)[-LAST_WORDS:]}")


def kept(path):
    """Read the finished fits of a store, and how many are there twice; nothing if it is not yet."""
    from curvewise import Observation
    from curvewise.errors import CurvewiseError
    from curvewise.executors import RunStore

    try:
        with RunStore.read(path) as store:
            outcomes = store.run("soak").outcomes()
    except CurvewiseError as error:
        return {}, 0, str(error)
    fits = [outcome for outcome in outcomes if isinstance(outcome, Observation)]
    losses = {fit.task: repr(fit.loss) for fit in fits}
    return losses, len(fits) - len(losses), ""


def facts(folder):
    """Read what must not depend on bad luck."""
    from curvewise.executors import RunStore

    with RunStore.read(folder / "run.db") as store:
        run = store.run("soak")
        decisions = [str(decision) for decision in run.decisions()]
        results = sorted((str(r.candidate), str(r.status), repr(r.loss)) for r in run.results())
    answer = json.loads((folder / "answer.json").read_text())
    losses, _, _ = kept(folder / "run.db")
    return {"scores": losses, "decisions": decisions, "results": results, "answer": answer}
