"""The owner's end of a socket never waits, and executes nothing."""

import json
import pickle
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.executors._workers import channel as channels
from curvewise.executors._workers.channel import LENGTHS, Channel, Order, take_order
from curvewise.executors._workers.unnamed_file import UnnamedFile

contents = st.none() | st.integers() | st.text() | st.lists(st.floats(0, 1))
words = st.tuples(st.text(), contents, st.binary())


@pytest.fixture
def pair():
    ours, theirs = Channel.pair()
    with theirs:
        yield ours, theirs
    ours.close()


@given(st.lists(words, max_size=5), st.data())
def test_messages_arrive_whole_however_they_are_cut(messages, data):
    stream = b""
    for word, content, more in messages:
        head = json.dumps((word, content)).encode()
        stream += LENGTHS.pack(len(head), len(more)) + head + more
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=4)))
    ours, theirs = Channel.pair()
    arrived = []
    with theirs:
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
            theirs.sendall(stream[start:end])
            arrived += ours.receive()
    ours.close()

    assert arrived == messages


@given(st.binary(max_size=200))
def test_whatever_a_learner_writes_raises_nothing(nonsense):
    ours, theirs = Channel.pair()
    with theirs:
        theirs.sendall(nonsense)
        ours.receive()
    ours.close()


def test_an_owner_says_how_long_a_message_may_be():
    ours, theirs = Channel.pair(most_bytes=10)
    with theirs:
        theirs.sendall(LENGTHS.pack(8, 10) + b'["a", 1]' + bytes(10) + LENGTHS.pack(8, 11))
        arrived = ours.receive()
    ours.close()

    assert arrived == [("a", 1, bytes(10))]
    assert ours.broken


def test_half_a_message_is_nothing_yet(pair):
    ours, theirs = pair
    theirs.sendall(LENGTHS.pack(1000, 0) + b"half")

    assert ours.receive() == []
    assert not ours.broken


@pytest.mark.parametrize(
    "lengths", [(channels.MOST_JSON_BYTES + 1, 0), (10, channels.MOST_BYTES + 1)]
)
def test_a_message_that_is_too_long_is_not_waited_for(pair, lengths):
    ours, theirs = pair
    theirs.sendall(LENGTHS.pack(*lengths))

    assert ours.receive() == []
    assert ours.broken


@pytest.mark.parametrize(
    "message",
    [
        pickle.dumps(("answer", print)),
        b'["answer"]',
        b'{"answer": 1}',
        b"[1, 2]",
        b'"ab"',
        b"[" * 9999,
    ],
)
def test_a_message_that_is_none_is_refused(pair, message):
    ours, theirs = pair
    theirs.sendall(LENGTHS.pack(len(message), 0) + message)

    assert ours.receive() == []
    assert ours.broken


def test_an_order_that_nobody_reads_keeps_nobody_waiting(pair):
    ours, theirs = pair
    ours.send(Order(b"task", bytes(10**7)))
    waits = ours.sending
    theirs.settimeout(0)
    n_read = 0
    while ours.sending:
        n_read += len(theirs.recv(10**6))
        ours.flush()

    assert waits
    assert n_read > 9 * 10**6


def test_an_order_arrives_as_it_was_sent(pair):
    ours, theirs = pair
    ours.send(Order(b"task", b"candidate"))

    assert take_order(theirs) == (b"task", b"candidate")


@pytest.mark.skipif(not hasattr(socket, "send_fds"), reason="POSIX sends descriptors")
def test_a_large_candidate_stays_in_its_file(pair):
    ours, theirs = pair
    file = UnnamedFile(b"candidate")
    for _ in range(2):
        ours.send(Order(b"task", file=file))
        task, candidate = take_order(theirs)

        assert (task, bytes(candidate)) == (b"task", b"candidate")
    assert Order(b"task", file=file).content() == b"candidate"


def test_an_owner_that_has_gone_sends_no_order(pair):
    ours, theirs = pair
    ours.close()

    assert take_order(theirs) is None
