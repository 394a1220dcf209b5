"""Candidates that speak to the search in the words of their worker, or give what is no result."""

import os
import pickle
import struct

from curvewise.core._outcome import Observation, Task
from curvewise.core._predictions import Predictions
from tests.executors.troublemakers import own_sockets, sleep_long


def forge(word, content=None):
    """Write a message of the worker to all sockets that a learner finds."""
    message = pickle.dumps((word, content))
    for descriptor in own_sockets():
        os.write(descriptor, struct.pack("=Q", len(message)) + message)


def forge_answer(*, seconds=0.0, taken=0.0, **facts):
    """Answer in the worker's place, and claim that the worker goes on."""
    observation = Observation(Task(None, 0, 0), **{"loss": 0.99, **facts})
    plain = (None, "", seconds, "", pickle.dumps(observation))
    forge("answer", (plain, taken, False, []))


def say_broken(task):
    forge("broken", "The evaluation cannot be loaded.")
    sleep_long()


def say_broken_in_a_list_of_lists(task):
    """Say it with what nobody can print."""
    deep = b"]" * 20_000 + b"a" * 19_999
    message = b"\x80\x04\x8c\x06broken" + deep + b"\x86."
    for descriptor in own_sockets():
        os.write(descriptor, struct.pack("=Q", len(message)) + message)
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
    forge("answer", (("error", "failed", float("nan"), "", b""), 0.0, False, []))
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
    Gives(n_test=0),
    Gives(noise="none"),
    Gives(fit_seconds=float("inf")),
    Gives(scores=[0.5]),
    Gives(scores={"accuracy": "high"}),
    Gives(train_scores={1: 0.5}),
    Gives(row_losses="many"),
    Gives(predictions=[1, 2]),
    Gives(predictions=Predictions("guess", [0.5])),
)
