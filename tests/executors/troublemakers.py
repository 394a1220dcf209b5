"""Candidates that make every kind of trouble; the evaluation just calls them with the task."""

import ctypes
import itertools
import mmap
import os
import pickle
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path

import joblib
import numpy as np
import psutil

from curvewise.core._outcome import Observation
from curvewise.executors._workers.channel import LENGTHS
from curvewise.executors._workers.process_tree import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG


def evaluate(task, candidate):
    return candidate(task)


class Stopped:
    """An evaluation during whose loading the process is stopped, as anybody may do."""

    def __init__(self):
        self.state = "whatever"

    def __setstate__(self, state):
        os.kill(os.getpid(), signal.SIGSTOP)

    def __call__(self, task, candidate):
        return candidate(task)


class Data:
    """An evaluation that holds data and gives a candidate access to it."""

    def __init__(self, **parts):
        self.parts = parts

    def __call__(self, task, candidate):
        return Observation(task, float(candidate(self.parts)))


def succeed(task):
    return Observation(task, 0.25, seconds=0.5, n_test=10, scores={"accuracy": 0.75})


def raise_error(task):
    raise ValueError("no rows left")


def warn(task):
    warnings.warn("the learner did not converge", stacklevel=1)
    return succeed(task)


def give_nan(task):
    return Observation(task, float("nan"))


def exit_politely(task):
    sys.exit(0)


def interrupt_itself(task):
    raise KeyboardInterrupt


def exit_at_once(task):
    os._exit(0)


def segfault(task):
    ctypes.string_at(0)


def kill_itself(task):
    os.kill(os.getpid(), signal.SIGKILL)


def kill_siblings(task):
    """End all other workers of the same fork server, again and again, for longer than a limit."""
    parent, deadline = os.getppid(), time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            if int(child) != os.getpid():
                with suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
    return succeed(task)


def stop_siblings(task):
    """Stop all other workers."""
    for pid in psutil.Process().parent().children():
        if pid.pid != os.getpid():
            pid.suspend()
    return succeed(task)


def close_everything(task):
    os.closerange(0, 256)
    return succeed(task)


def fork_and_return(task):
    os.fork()
    return succeed(task)


def fork_and_crash(task):
    if os.fork() == 0:
        signal.pause()
    os.abort()


def loop_in_python(task):
    while True:
        pass


def loop_in_c(task):
    """Hold the GIL and look at no signal."""
    sum(itertools.repeat(0, 10**13))


def sleep_long():
    time.sleep(1000)


def stop_itself(task):
    """Stop, however often it is told to go on."""
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


def stop_parent(task):
    os.kill(fork_server(), signal.SIGSTOP)
    sleep_long()


def stop_parent_and_return(task):
    os.kill(fork_server(), signal.SIGSTOP)
    return succeed(task)


def fork_server():
    """The parent, if it is a fork server; a spawned worker has the program itself above it."""
    parent = Path(f"/proc/{os.getppid()}/cmdline")
    is_server = b"_workers.fork_server" in parent.read_bytes()
    return os.getppid() if is_server else os.getpid()


def stay_without_fork_server(task):
    """Start what outlives its worker, and end the fork server, which would end it."""
    if os.fork() == 0:
        os.setsid()
        sleep_long()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    os.kill(fork_server(), signal.SIGKILL)
    sleep_long()


def write_to_shared_data(task, data):
    """Make the memory that all workers share writable, and change it."""
    place = data.__array_interface__["data"][0]
    start = place & ~(mmap.PAGESIZE - 1)
    length = ctypes.c_size_t(place + data.nbytes - start)
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(start), length, mmap.PROT_READ | mmap.PROT_WRITE):
        return succeed(task)
    ctypes.memset(place, 0, data.nbytes)
    return Observation(task, 1.0)


def kill_fork_server(task):
    os.kill(os.getppid(), signal.SIGKILL)
    sleep_long()


def own_sockets():
    """What a learner finds that looks for the way to the search."""
    for descriptor in range(3, 256):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                yield descriptor


def begin_message_and_sleep(task):
    for descriptor in own_sockets():
        os.write(descriptor, LENGTHS.pack(1000, 0) + b"half")
    sleep_long()


def flood_sockets(task):
    for descriptor in own_sockets():
        while True:
            os.write(descriptor, bytes(2**16))


def send_code(task):
    message = pickle.dumps(("answer", Runs()))
    for descriptor in own_sockets():
        os.write(descriptor, LENGTHS.pack(len(message), 0) + message)
    sleep_long()


class Runs:
    """Would end whoever unpickles it."""

    def __reduce__(self):
        return os._exit, (3,)


def hog_shared_mapping(task):
    hoard = []
    for _ in range(8):
        hoard.append(mmap.mmap(-1, 10**8))
        hoard[-1].write(b"x" * 10**8)
    sleep_long()


def hog_in_children(task):
    for _ in range(4):
        if os.fork() == 0:
            hoard = b"x" * (2 * 10**8)
            sleep_long()
            hoard.count(b"x")
    sleep_long()


class HogsWhileUnpickled:
    """Takes shared memory before its task begins."""

    def __reduce__(self):
        return hog_and_wait, ()


def hog_and_wait():
    hog_shared_mapping(None)
    sleep_long()


def leave_worker(task):
    """Let a process be no child of the worker any more; go on when it is ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    reader, writer = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            sleep_long()
        os._exit(0)
    os.wait()
    os.close(writer)
    os.read(reader, 1)
    return succeed(task)


def use_semaphores(task):
    """Let joblib start processes, which have semaphores with names."""
    joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(abs)(i) for i in range(2))
    assert any(f"loky-{os.getpid()}-" in path.name for path in Path("/dev/shm").iterdir())
    return succeed(task)


def use_semaphores_for_long(task):
    use_semaphores(task)
    sleep_long()


def raise_limit_and_hog(task):
    for limits in ((-1, -1), (10**10, 10**10)):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, limits)
    return Observation(task, float(np.ones(2 * 10**8).sum()))


def hog_memory(task):
    return Observation(task, float(np.ones(2 * 10**9).sum()))


def hoard_memory(task):
    hoard = []
    while True:
        hoard.append(np.ones(10**6))


def use_some_memory(task):
    return Observation(task, float(np.ones(10**7)[0]))


def print_much(task):
    text = "x" * 79 + "\n"
    for _ in range(50):
        sys.stdout.write(text * (10**6 // 80))
        os.write(2, text.encode() * (10**6 // 80))
    sys.stdout.flush()
    return succeed(task)


def give_unpicklable(task):
    return Observation(task, 0.25, scores={"accuracy": threading.Lock()})


def give_what_cannot_be_unpickled(task):
    return Observation(task, 0.25, scores={"accuracy": Stubborn()})


def give_nothing(task):
    return None


class Unpicklable:
    def __init__(self):
        self.lock = threading.Lock()

    def __call__(self, task):
        return succeed(task)


class Stubborn:
    """Can be pickled and not be unpickled."""

    def __reduce__(self):
        return refuse, ()

    def __call__(self, task):
        return succeed(task)


def refuse():
    raise RuntimeError("I stay where I am")


class LeaveChildren:
    """Leave a child in a session of its own, and an orphan, and write down their ids."""

    def __init__(self, folder, then):
        self.folder = folder
        self.then = then

    def __call__(self, task):
        child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        script = f"sleep 1000 & echo $! > {self.folder}/orphan"
        subprocess.run(["sh", "-c", script], check=True)
        (Path(self.folder) / "child").write_text(str(child.pid))
        return self.then(task)


class Loiter:
    """Write down the process id, and go on when a file appears."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __call__(self, task):
        note = self.folder / "writing"
        note.write_text(str(os.getpid()))
        note.rename(self.folder / "pid")
        while not (self.folder / "go").exists():
            time.sleep(0.005)
        return succeed(task)


def tell_threads(task):
    import threadpoolctl

    threads = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
    return Observation(task, float(max(threads)), scores={"n": float(len(threads))})


def draw_number(task):
    return Observation(task, float(np.random.rand()))  # noqa: NPY002


def tell_process(task):
    return Observation(task, float(os.getpid()))


class SlowToUnpickle:
    """Takes a while to arrive, as a candidate does whose package has to be imported."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __getstate__(self):
        return {"seconds": self.seconds}

    def __setstate__(self, state):
        self.__dict__.update(state)
        time.sleep(self.seconds)

    def __call__(self, task):
        return succeed(task)


class Threaded:
    """An evaluation that starts a thread when it is loaded: forking it would not be safe."""

    def __init__(self):
        self.thread = None

    def __reduce__(self):
        return start_thread, ()

    def __call__(self, task, candidate):
        return Observation(task, float(self.thread.is_alive()))


def start_thread():
    threaded = Threaded()
    threaded.thread = threading.Thread(target=time.sleep, args=(1000,))
    threaded.thread.start()
    return threaded


class Count:
    """Add a line to a file, and then do something."""

    def __init__(self, path, then):
        self.path = Path(path)
        self.then = then

    def __call__(self, task):
        with self.path.open("a") as file:
            file.write(f"{task.fold}\n")
        return self.then(task)


class LeaveFiles:
    """Make a temporary folder with a file, and change what finding it again would need."""

    def __init__(self, action):
        self.action = action

    def __call__(self, task):
        folder = tempfile.mkdtemp()
        (Path(folder) / "much").write_bytes(bytes(10**6))
        if self.action == "folder":
            os.chdir("/")
        elif self.action == "environment":
            os.environ.clear()
            tempfile.tempdir = None
        elif self.action == "alarm":
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            sleep_long()
        return succeed(task)


class Large:
    """Holds a few megabytes, and counts how often it is pickled."""

    def __init__(self, seed):
        self.content = np.full(400_000, float(seed))
        self.n_pickled = 0

    def __getstate__(self):
        self.n_pickled += 1
        return {"content": self.content}

    def __call__(self, task):
        return Observation(task, float(self.content.mean()))
