"""Searches under load: many candidates, rows, columns, classes, and one report of all of them.

    python benchmarks/load.py                                  # everything, a line each
    python benchmarks/load.py candidates --size 20000
    python benchmarks/load.py rows columns classes report

Each runs in a process of its own, with two workers. What is told: seconds by the clock and of the
processors, milliseconds per fit, memory (the sum of the proportional set sizes of the process and
all its children at its highest, of that what came after the data were there, and that beside the
size of the table), the size of the store and of the report, and when the page can be used in
Chromium, if there is one. How many others want the processors is told first: seconds by the clock
say little beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

SIZES = {"candidates": 20_000, "rows": 1_000_000, "columns": 5_000, "classes": 200, "report": 5_000}
MB = 1e6
# What is not there by then never is, also on a busy machine.
PAGE_SECONDS = 600.0


class Watch:
    """The highest memory of this process and its children, and their time, while something runs."""

    def __init__(self, every: float = 0.25) -> None:
        self._seconds: dict[int, float] = {}
        self.before = self.highest = self._now()
        self._seconds_before = self.cpu_seconds
        self._every, self._over = every, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def cpu_seconds(self) -> float:
        """What all processes that were seen have taken of the processors."""
        return sum(self._seconds.values())

    @property
    def cpu_seconds_since(self) -> float:
        """What they have taken since the beginning."""
        return self.cpu_seconds - self._seconds_before

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(self._every):
            self.highest = max(self.highest, self._now())

    def _now(self) -> float:
        own = psutil.Process()
        total = 0.0
        for process in [own, *own.children(recursive=True)]:
            try:
                total += process.memory_full_info().pss
                times = process.cpu_times()
                self._seconds[process.pid] = times.user + times.system
            except psutil.Error:
                continue
        return total / MB


def facts_of(told: dict[str, Any]) -> str:
    """Write down what a scene took."""
    return ", ".join(f"{name} {value:,.4g}" for name, value in told.items())


def searched(X: Any, y: Any, candidates: Any, space: Any = None, **settings: Any) -> dict[str, Any]:
    """Search with a store and two workers; tell what it took."""
    import curvewise as cw

    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "run.db"
        arguments = (candidates,) if space is None else (candidates, space)
        search = cw.CurveSearchCV(
            *arguments, store=store, n_jobs=2, random_state=0, refit=False, **settings
        )
        begun = time.perf_counter()
        with Watch() as watch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search.fit(X, y)
        seconds = time.perf_counter() - begun
        n_fits = sum(
            sum(1 for _ in result.curve) + len(result.failures) for result in search.results_
        )
        told = {
            "seconds": seconds,
            "fits": n_fits,
            "ms per fit": 1000 * seconds / n_fits,
            "CPU ms per fit": 1000 * watch.cpu_seconds_since / n_fits,
            "memory MB": watch.highest,
            "of that new": watch.highest - watch.before,
            "store MB": store.stat().st_size / MB,
        }
        # The report may fail; what came before it took long.
        print(facts_of(told), file=sys.stderr, flush=True)
        return told | reported(store, Path(folder) / "report.html")


def reported(store: Path, page: Path) -> dict[str, Any]:
    """Write the report of a store; tell what it took."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "curvewise", "report", str(store), "-o", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    told = {"report s": time.perf_counter() - begun, "report MB": page.stat().st_size / MB}
    usable = usable_after(page)
    return told if usable is None else {**told, "usable after s": usable}


def usable_after(page: Path) -> float | None:
    """Open a page in Chromium; give the seconds until its table can be searched."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        tab = browser.new_page()
        tab.set_default_timeout(1000 * PAGE_SECONDS)
        begun = time.perf_counter()
        tab.goto(page.as_uri())
        tab.locator("#search").fill("pruned")
        tab.locator("#rows > tr").first.wait_for()
        seconds = time.perf_counter() - begun
        browser.close()
    return seconds


def quick_space() -> tuple[Any, dict[str, Any]]:
    """Give a learner that takes a millisecond, and a space to draw from."""
    from scipy.stats import loguniform
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(), {"var_smoothing": loguniform(1e-12, 1e3)}


def many_candidates(size: int) -> dict[str, Any]:
    """Search over many candidates, each quick."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return searched(X, y, *quick_space(), n_iter=size)


def made(n_rows: int, n_columns: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a table whose first columns say something about the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n_rows)
    X = rng.normal(size=(n_rows, n_columns))
    X[:, : min(8, n_columns)] += rng.normal(size=(n_classes, min(8, n_columns)))[y]
    return X, y


def few_models() -> dict[str, Any]:
    """Give four models that cope with any table."""
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "constant": DummyClassifier(),
        "bayes": GaussianNB(),
        "linear": SGDClassifier(max_iter=5, tol=None, random_state=0),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    }


def table_of(n_rows: int, n_columns: int, n_classes: int) -> dict[str, Any]:
    """Search over four models on a table; tell its size as well."""
    X, y = made(n_rows, n_columns, n_classes)
    size = (X.nbytes + y.nbytes) / MB
    told = searched(X, y, few_models())
    beside = {"memory per table": told["memory MB"] / size, "new": told["of that new"] / size}
    return {"table MB": size} | told | beside


def many_rows(size: int) -> dict[str, Any]:
    """Search on a long table."""
    return table_of(size, 20, 3)


def many_columns(size: int) -> dict[str, Any]:
    """Search on a wide table."""
    return table_of(4_000, size, 3)


def many_classes(size: int) -> dict[str, Any]:
    """Search on a table with many classes."""
    return table_of(100 * size, 20, size)


SCENES: dict[str, Callable[[int], dict[str, Any]]] = {
    "candidates": many_candidates,
    "rows": many_rows,
    "columns": many_columns,
    "classes": many_classes,
    "report": many_candidates,
}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", default=list(SCENES))
    parser.add_argument("--size", type=int, help="in the place of the scene's own")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.inside:
        print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    for scene in given.scenes:
        if scene not in SCENES:
            parser.error(f"there is no scene {scene!r}; there are {', '.join(SCENES)}")
        size = given.size or SIZES[scene]
        if given.inside:
            print(json.dumps(SCENES[scene](size)))
            return
        again = [sys.executable, __file__, scene, "--size", str(size), "--inside"]
        answer = subprocess.run(again, check=True, stdout=subprocess.PIPE, text=True).stdout
        told = json.loads(answer.splitlines()[-1])
        print(f"{scene} ({size:,}): {facts_of(told)}", flush=True)


if __name__ == "__main__":
    main()
