"""A Dask cluster as processes of this machine, whose workers can be killed; for `cluster.py`."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import distributed
import psutil

START_SECONDS = 120.0
# What a killed worker leaves behind has to end by itself, soon.
ORPHAN_SECONDS = 10.0


class Cluster:
    """A scheduler and workers as processes of this machine, on loopback."""

    def __init__(self, n_workers: int, *, n_threads: int = 1) -> None:
        self.n_workers, self.n_threads = n_workers, n_threads
        self.alive: dict[str, psutil.Process] = {}
        self._n_started = 0
        self._folder = tempfile.TemporaryDirectory()
        self.processes: list[subprocess.Popen[bytes]] = []
        file = Path(self._folder.name) / "scheduler.json"
        where = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
        self.scheduler = self._start("dask_scheduler", *where)
        begun = time.monotonic()
        while not file.exists() or not file.read_text():
            if self.scheduler.poll() is not None or time.monotonic() > begun + START_SECONDS:
                raise SystemExit("The scheduler did not start.")
            time.sleep(0.1)
        self.address = json.loads(file.read_text())["address"]
        self.fill()

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, cwd=self._folder.name, **quiet)
        self.processes.append(process)
        return process

    def fill(self) -> None:
        """Start workers until all are there."""
        options = ["--no-nanny", "--memory-limit", "0", "--host", "127.0.0.1"]
        options += ["--nthreads", str(self.n_threads)]
        while len(self.alive) < self.n_workers:
            name = f"worker-{self._n_started}"
            self._n_started += 1
            started = self._start("dask_worker", self.address, "--name", name, *options)
            self.alive[name] = psutil.Process(started.pid)
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(self.n_workers, timeout=START_SECONDS)

    def kill(self, name: str) -> list[psutil.Process]:
        """Kill a worker; give what was below it, which has to end by itself."""
        victim = self.alive.pop(name)
        below = victim.children(recursive=True)
        os.kill(victim.pid, signal.SIGKILL)
        victim.wait()
        return below

    def close(self) -> None:
        """End all processes."""
        # The scheduler last: a worker that looks for it does not end.
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(ORPHAN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._folder.cleanup()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def cpu_seconds(*roots: psutil.Process) -> Counter[str]:
    """CPU seconds of workers of the cluster, and of the processes that these have started."""
    taken: Counter[str] = Counter()
    for root in roots:
        try:
            taken["root"] += sum(root.cpu_times()[:2])
            for below in root.children(recursive=True):
                taken["below"] += sum(below.cpu_times()[:4])
        except psutil.Error:
            continue
    return taken


class Deaths:
    """Kills workers at moments that were drawn before."""

    def __init__(self, cluster: Cluster, moments: list[float], chance: random.Random) -> None:
        self._cluster, self._chance = cluster, chance
        self._moments = sorted(moments)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry_out)
        self.spent: Counter[str] = Counter()
        self.when: list[float] = []
        self.orphan_seconds: list[float] = []
        self._left: list[psutil.Process] = []

    def __enter__(self) -> Deaths:
        self._begun = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if self._left:
            raise SystemExit(f"FAILED: a killed worker has left {self._left} behind.")

    def _carry_out(self) -> None:
        for moment in self._moments:
            if self._over.wait(max(0.0, self._begun + moment - time.monotonic())):
                return
            name = self._chance.choice(sorted(self._cluster.alive))
            self.spent += cpu_seconds(self._cluster.alive[name])
            below = self._cluster.kill(name)
            killed = time.monotonic()
            self.when.append(killed - self._begun)
            self._left += psutil.wait_procs(below, timeout=ORPHAN_SECONDS)[1]
            self.orphan_seconds.append(time.monotonic() - killed)


def memory_below(worker: psutil.Process) -> float:
    """Proportional set size of what a worker has started."""
    return sum(child.memory_full_info().pss for child in worker.children(recursive=True))
