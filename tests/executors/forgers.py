"""Candidates that speak to the search in the words of their worker, or give what is no result."""

import json
import os
import pickle
from collections import deque

from curvewise.core._outcome import Observation, Task
from curvewise.core._predictions import Predictions
from curvewise.executors._workers.channel import LENGTHS
from curvewise.executors._workers.observation_bytes import to_bytes
from tests.executors.troublemakers import own_sockets, sleep_long


def write(message, data=b""):
    """Write a message of the worker to all sockets that a learner finds."""
    for descriptor in own_sockets():
        os.write(descriptor, LENGTHS.pack(len(message), len(data)) + message + data)


def forge(word, content=None, data=b""):
    """Say something in the worker's place."""
    write(json.dumps((word, content)).encode(), data)


def forge_answer(*, seconds=0.0, taken=0.0, result=None, modules=(), **facts):
    """Answer in the worker's place, and claim that the worker goes on."""
    if result is None:
        result = to_bytes(Observation(Task(None, 0, 0), **{"loss": 0.99, **facts}))
    forge("answer", ((None, "", seconds, ""), taken, False, list(modules)), result)


def say_broken(task):
    forge("broken", "The evaluation cannot be loaded.")
    sleep_long()


def say_broken_in_a_list_of_lists(task):
    """Say it with what nobody can print."""
    write(b'["broken", ' + b"[" * 20_000 + b"]" * 20_000 + b"]")
    sleep_long()


def say_it_in_a_pickle(task):
    """Say it in a pickle, of tuples of the same two tuples, which is without end as text."""
    text = b"\x80\x04\x8c\x01x\x94"
    for level in range(60):
        text += b"h" + bytes([level]) + b"h" + bytes([level]) + b"\x86\x94"
    write(text + b"N\x86.")
    sleep_long()


def answer_with_an_endless_pickle(task):
    """Give a result that takes for ever to be unpickled."""

    class Endless:
        def __reduce__(self):
            return deque, (range(10**15), 0)

    forge_answer(result=pickle.dumps(Endless()))
    sleep_long()


def answer_with_a_huge_array(task):
    """Give a result that says that it is much larger than it is."""
    head = {"class": "Observation", "values": {"loss": 0.5}}
    parts = [["row_losses", "<f8", 10**15], ["row_losses", "<f99", 0]]
    forge_answer(result=json.dumps({**head, "parts": parts}).encode() + b"\n")
    sleep_long()


def answer_with_numbers_without_end(task):
    forge_answer(result=b'{"class": "Observation", "values": {"loss": ' + b"9" * 10**5 + b"}}\n")
    sleep_long()


def answer_without_measure(task):
    """Give a result that is larger than what a task may claim."""
    head = b'["answer", [[null, "", 0.0, ""], 0.0, false, []]]'
    for descriptor in own_sockets():
        os.write(descriptor, LENGTHS.pack(len(head), 10**9) + head)
        while True:
            os.write(descriptor, bytes(10**6))


def name_programs(task):
    """Name modules that end or stop whoever imports them."""
    programs = ("venv.__main__", "idlelib.idle", "this.is.none", "a b", "..", "os\x00")
    forge_answer(modules=programs)
    sleep_long()


def name_modules_without_end(task):
    forge_answer(modules=[f"os.{hash(task)}x{i}" for i in range(20_000)])
    sleep_long()


def answer_for_others(task):
    """Answer, and then whatever comes next."""
    (descriptor,) = own_sockets()
    while True:
        forge_answer()
        os.read(descriptor, 2**20)
        forge("taken", 0)
        forge("started")


def take_endless_seconds(task):
    forge_answer(taken=float("inf"))
    sleep_long()


def fail_in_no_time(task):
    forge("answer", (("error", "failed", float("nan"), ""), 0.0, False, []))
    sleep_long()


class Gives:
    """Gives an observation with something in it that is not what it should be."""

    def __init__(self, **facts):
        self.facts = {"loss": 0.25, **facts}

    def __call__(self, task):
        return Observation(task, **self.facts)

    def __str__(self):
        return " ".join(f"{name}={value!r}" for name, value in self.facts.items())


FORGERS = (
    say_broken,
    say_broken_in_a_list_of_lists,
    say_it_in_a_pickle,
    answer_with_an_endless_pickle,
    answer_with_a_huge_array,
    answer_with_numbers_without_end,
    answer_without_measure,
    name_programs,
    name_modules_without_end,
    answer_for_others,
    take_endless_seconds,
    fail_in_no_time,
)
NO_RESULTS = (
    Gives(loss="small"),
    Gives(loss=1j),
    Gives(loss=None),
    Gives(seconds=-1.0),
    Gives(seconds=float("nan")),
    Gives(seconds=1e308),
    Gives(n_test=0),
    Gives(n_test=2**64),
    Gives(noise="none"),
    Gives(noise=1e308),
    Gives(fit_seconds=float("inf")),
    Gives(scores=[0.5]),
    Gives(scores={"accuracy": "high"}),
    Gives(scores={"accuracy": 10**309}),
    Gives(train_scores={1: 0.5}),
    Gives(row_losses="many"),
    Gives(predictions=[1, 2]),
    Gives(predictions=Predictions("guess", [0.5])),
)
