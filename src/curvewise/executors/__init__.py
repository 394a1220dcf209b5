"""Where tasks are carried out: the loop, the executors, the run store, recorded curves.

`run` connects a search to an `Executor`: `InProcessExecutor`, `ProcessExecutor` with hard limits,
`DaskExecutor` or `RayExecutor` on a cluster, or `ReplayExecutor` over recorded curves;
`make_executor` chooses one from an `Execution` and its `Limits`. A `Listener` hears of what
happens. A `RunStore` keeps what happened in one SQLite file, so that a run can go on after it was
interrupted.
"""

from curvewise.executors._dask_executor import DaskExecutor
from curvewise.executors._execution import Execution, make_executor
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._limits import Limits
from curvewise.executors._listener import Ending, Listener, OutcomeRecord
from curvewise.executors._loop import run
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._protocol import Evaluate, Executor, Promises
from curvewise.executors._ray_executor import RayExecutor
from curvewise.executors._recordings import Recording, read_recordings
from curvewise.executors._replay_executor import ReplayExecutor
from curvewise.executors._store.fingerprint import fingerprint
from curvewise.executors._store.live_run import LiveRun
from curvewise.executors._store.run_store import RunStore
from curvewise.executors._store.stored_run import RunStatus, RunSummary, StoredResult, StoredRun

__all__ = [
    "DaskExecutor",
    "Ending",
    "Evaluate",
    "Execution",
    "Executor",
    "InProcessExecutor",
    "Limits",
    "Listener",
    "LiveRun",
    "OutcomeRecord",
    "ProcessExecutor",
    "Promises",
    "RayExecutor",
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
