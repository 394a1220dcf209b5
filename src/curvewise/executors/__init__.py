"""Where tasks are carried out: the loop, the executors, the run store, recorded curves.

`run` connects a search to an `Executor`: `InProcessExecutor`, `ProcessExecutor` with hard limits,
`DaskExecutor` on a cluster, or `ReplayExecutor` over recorded curves; `make_executor` chooses one.
A `RunStore` keeps what happened in one SQLite file, so that a run can go on after it was
interrupted.
"""

from curvewise.executors._dask_executor import DaskExecutor
from curvewise.executors._factory import make_executor
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._loop import Ending, run
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._protocol import Executor
from curvewise.executors._recordings import Recording, read_recordings
from curvewise.executors._replay_executor import ReplayExecutor
from curvewise.executors._store import (
    LiveRun,
    RunStatus,
    RunStore,
    RunSummary,
    StoredResult,
    StoredRun,
)
from curvewise.executors._store.fingerprint import fingerprint

__all__ = [
    "DaskExecutor",
    "Ending",
    "Executor",
    "InProcessExecutor",
    "LiveRun",
    "ProcessExecutor",
    "Recording",
    "ReplayExecutor",
    "RunStatus",
    "RunStore",
    "RunSummary",
    "StoredResult",
    "StoredRun",
    "fingerprint",
    "make_executor",
    "read_recordings",
    "run",
]
