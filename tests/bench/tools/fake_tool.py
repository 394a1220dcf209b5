"""A tool for tests: answers at once, fails, runs for ever or writes nonsense, as it is told."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

SLEEPER = "import time; time.sleep(600)"


def answer(asked, **changed):
    """Predict the commonest class, or the mean."""
    target = pq.read_table(asked["train"])[asked["target"]].to_pylist()
    n_rows = pq.read_metadata(asked["test"]).num_rows
    given = {"choice": "constant", "model_seconds": time.time() - asked["begun"]}
    if asked["task"] == "regression":
        given["predictions"] = [sum(target) / len(target)] * n_rows
    else:
        classes = sorted(set(target))
        given["predictions"] = [max(classes, key=target.count)] * n_rows
        given["classes"] = classes
        given["probabilities"] = [[target.count(name) / len(target) for name in classes]] * n_rows
    Path(asked["answer"]).write_text(json.dumps({**given, **changed}))


def start_child(asked, *, own_session=False):
    """Leave a process behind, and its number where the test finds it."""
    child = subprocess.Popen([sys.executable, "-c", SLEEPER], start_new_session=own_session)
    Path(asked["options"]["note"]).write_text(str(child.pid))


def main():
    asked = json.loads(Path(sys.argv[1]).read_text())
    do = asked["options"].get("do", "answer")
    if do == "fail":
        raise ValueError("the tool cannot do this")
    if do == "crash":
        os.kill(os.getpid(), 11)
    if do == "say nothing":
        return
    if do == "write nonsense":
        Path(asked["answer"]).write_text("{nonsense")
        return
    if do == "run for ever":
        start_child(asked, own_session=True)
        time.sleep(600)
    if do == "leave a child":
        start_child(asked, own_session=True)
    if do == "take memory":
        block = bytearray(200_000_000)
        block[::4096] = b"x" * len(block[::4096])
        time.sleep(1.5)
    if do == "tell its surroundings":
        told = {
            "cores": len(os.sched_getaffinity(0)),
            "threads": os.environ["OMP_NUM_THREADS"],
            "seconds": asked["seconds"],
            "columns": pq.read_schema(asked["test"]).names,
            "folder": str(Path.cwd()),
        }
        Path(asked["options"]["note"]).write_text(json.dumps(told))
    answer(asked, **asked["options"].get("changed", {}))


if __name__ == "__main__":
    main()
