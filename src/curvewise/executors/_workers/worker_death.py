"""What the end of a worker says about the candidate whose task it had.

A task is *carried out again* without counting when its worker's end was not its doing, as far as
one can know; else it is *lost*, and the search may ask for it twice more (`curvewise.core`).

1. A worker that exited, crashed or closed its connection: lost. Learners do that.
2. One that ended before it took its task, of which nothing had run: again.
3. One whose fork server was killed, or that got SIGKILL or SIGTERM. Who sends signals is never
   told. But code of packages that are known sends none, so it was somebody else: again. Code that
   nobody knows may have done it: again a few times (fork server) or once (signal), then lost.
4. One that the system ended for lack of memory: lost, unless it held so little that others had
   taken the memory: again, a few times.

After a death by 3 the task gets a fork server of its own: a candidate that ends its siblings, or
the process above them, does not find it.

Programs that guard the memory end processes by signals as well, and so does a limit on CPU time.
So rule 3 holds for known code only if memory was left and there is no such limit; where that is not
known, known code is treated as any other.

5. One of a cluster, of which nothing is known but that it has gone, with the worker process in it:
   again once, then lost.

Nobody carries out a task for ever: what is killed as often as `MAX_TRIES_OF_KNOWN` says is lost as
well, and the message says that the reason is not known.
"""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass

from curvewise.core._outcome import UNCLEAR
from curvewise.executors._workers.memory import cpu_is_limited, machine_memory, system_kills
from curvewise.executors._workers.process_tree import describe_exit
from curvewise.executors._workers.start_method import WorkerProcess

# So often a task is carried out again because of what may not be its doing.
MAX_TRIES_AGAIN = 3
# And if it cannot be. Somebody who kills workers again and again does so for a while.
MAX_TRIES_OF_KNOWN = 20
MAX_TRIES_ON_CLUSTER = 1
# Who sends these is not known, as it is of a crash.
FROM_OUTSIDE = (-signal.SIGKILL if sys.platform != "win32" else -9, -signal.SIGTERM)
# A worker with less of the machine's memory is not why that was gone.
SMALL_SHARE = 0.1
# Programs that guard the memory act when a tenth is left, or less.
SPARE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class WorkerDeath:
    """What is known of the end of a worker that had a task.

    ``orphaned`` is what happened to its fork server, if it ended with that; ``taken``, whether it
    had taken the task; ``known``, whether it had run nothing but packages that are known;
    ``short_of_memory``, whether the system has ended a process for that. Of the machine's memory
    it held ``share`` at the most, and ``spare`` was left when it ended; None if that is not known.
    ``limited`` is whether the system ends processes for their CPU time.
    """

    exitcode: int
    orphaned: str = ""
    taken: bool = True
    known: bool = False
    short_of_memory: bool = False
    share: float | None = None
    spare: float | None = None
    limited: bool = False

    @classmethod
    def of(
        cls, process: WorkerProcess, *, taken: bool, known: bool, short_of_memory: bool
    ) -> WorkerDeath:
        """Gather what is known of a worker that has ended."""
        total, left = machine_memory()
        # Who is not told of what the system ends cannot say that it was not for memory.
        held = None if system_kills() is None else process.most_bytes
        return cls(
            process.exitcode,
            process.orphaned,
            taken,
            known,
            short_of_memory,
            share=None if held is None else held / total,
            # What it held is free by now.
            spare=None if held is None else (left - held) / total,
            limited=cpu_is_limited(),
        )

    @property
    def tries_again(self) -> int:
        """How often a task is carried out again, at most, after a death like this one."""
        if not self.taken:
            return MAX_TRIES_OF_KNOWN
        if self.orphaned:
            return MAX_TRIES_OF_KNOWN if self._somebody_else else MAX_TRIES_AGAIN
        if self.exitcode not in FROM_OUTSIDE:
            return 0
        if self.short_of_memory:
            small = self.share is not None and self.share < SMALL_SHARE
            return MAX_TRIES_AGAIN if small else 0
        return MAX_TRIES_OF_KNOWN if self._somebody_else else 1

    @property
    def apart(self) -> bool:
        """Whether the next worker has a fork server of its own, where others do not find it."""
        return bool(self.orphaned) or self.exitcode in FROM_OUTSIDE

    @property
    def _somebody_else(self) -> bool:
        """Whether neither its code nor its hunger can have brought the signal."""
        plenty = self.orphaned or (self.spare is not None and self.spare > SPARE_SHARE)
        return self.known and bool(plenty) and not self.limited

    @property
    def headline(self) -> str:
        """What happened, in a sentence."""
        if self.orphaned:
            return self.orphaned
        how = describe_exit(self.exitcode, "The worker process")
        if self.taken and self.short_of_memory and self.exitcode in FROM_OUTSIDE:
            return f"{how[:-1]}, by the system for lack of memory."
        return how

    @property
    def message(self) -> str:
        """What is said of a task that is lost by it."""
        return f"{self.headline} {UNCLEAR}" if self.tries_again else self.headline
