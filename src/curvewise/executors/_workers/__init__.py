"""Worker processes that keep hard limits: what the executors with processes are made of.

==============  ==================================================================================
``parcel``      an evaluation as memory-mapped files, so that all workers share one copy
``attempt``     carry out one task: whatever a learner raises is a failure
``answer``      how tasks and outcomes travel, in a form that always gets through
``household``   a process and its children: end them all, also those that hide
``serving``     inside a worker: take a task, answer it, clean up, take the next
``nursery``     the process that holds the evaluation and forks workers from itself
``life``        what is to be known of a worker, however it was started
``forking``     start workers from a nursery
``spawning``    start workers from nothing, where forking is not possible
``launching``   choose between the two
``limiter``     the owner's side of one worker: keeps the limits, replaces a worker that died
``outpost``     in a worker of a cluster: limited worker processes of its own
``connecting``  reach a cluster, or start a small one
==============  ==================================================================================

Why no ready-made pool. Measured with pebble 5.2: a limit of 1 s on C code that never looks at
signals took 4.1 s; a learner that calls ``os._exit(0)`` is waited for without end; a worker that
is killed while it is idle breaks the pool; and Dask's workers, which are daemons, may not start
its processes. concurrent.futures, loky and joblib cannot stop a running task. Here every worker
has a pipe of its own, so that its death, at whatever moment, is seen at once and harms nobody.
"""
