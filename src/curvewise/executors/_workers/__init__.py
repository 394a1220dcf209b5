"""Worker processes that keep hard limits: what the executors with processes are made of.

======================  =======================================================================
``pickles``             what travels: the evaluation, of which all share one copy, tasks, answers
``observation_bytes``   what a worker gave: as bytes and back, and looked at before it is used
``shelf``               large candidates that are kept for their next tasks
``unnamed_file``        a file that is handed over and left behind by nobody
``channel``             messages between an owner, who never waits, and a worker
``process_tree``        a process and its children: end them all, also those that hide
``memory``              what a task may claim, and what all its processes hold together
``known_code``          which candidates are made of known packages alone
``worker_loop``         inside a worker: take a task, answer it, clean up, take the next
``module_imports``      what workers needed, imported where workers come from
``fork_server``         the process that holds the evaluation and forks workers from itself
``running_fork_server`` a fork server as its owner has it: started, asked, ended
``fork_server_client``  workers from a fork server, and another one if that has gone
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
