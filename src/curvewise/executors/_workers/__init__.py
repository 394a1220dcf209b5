"""Worker processes that keep hard limits: what the executors with processes are made of.

======================  =======================================================================
``pickles``             what travels: the evaluation, of which all share one copy, tasks, answers
``process_tree``        a process and its children: end them all, also those that hide
``worker_loop``         inside a worker: take a task, answer it, clean up, take the next
``fork_server``         the process that holds the evaluation and forks workers from itself
``fork_server_client``  start a fork server, and ask it for workers
``start_method``        that, or workers started from nothing; what is to be known of either
``supervised_worker``   the owner's side of one worker: keeps the limits, replaces one that died
``remote_executor``     what the executors with workers have in common
``cluster_worker``      in a worker of a cluster: limited worker processes of its own
======================  =======================================================================

Why no ready-made pool. Measured with pebble 5.2: a limit of 1 s on C code that never looks at
signals took 4.1 s; a learner that calls ``os._exit(0)`` is waited for without end; a worker that
is killed while it is idle breaks the pool; and Dask's workers, which are daemons, may not start
its processes. concurrent.futures, loky and joblib cannot stop a running task. Here every worker
has a pipe of its own, so that its death, at whatever moment, is seen at once and harms nobody.
"""
