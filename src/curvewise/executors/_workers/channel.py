"""Messages between an owner and a worker, over a socket: the owner never waits.

A worker runs the code of candidates, which may write half a message and then sleep, write without
end, or read nothing. So the owner's end takes what is there and keeps it until a message is whole,
keeps what could not be sent until there is room, and gives up on a message that is too long.

A message to the owner is a word with its content in JSON, and bytes that nobody reads here: JSON
names nothing, calls nothing, and takes no more memory than its length explains. An order to a
worker is a pickled task and a pickled candidate; a large candidate does not travel, but the
descriptor of a file that has it.
"""

from __future__ import annotations

import json
import mmap
import socket
import struct
from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

from curvewise.executors._workers.unnamed_file import UnnamedFile

# The lengths of a message to the owner: of its JSON, and of the bytes after it.
LENGTHS = struct.Struct("=QQ")
# Of an order: the bytes of the task, those of the candidate, and whether these come in a file.
ORDER = struct.Struct("=QQ?")
# The largest JSON of a message: a text of 10,000 characters, and thousands of names of modules.
MOST_JSON_BYTES = 2**20
# The most bytes after it: a fitted model of gigabytes is better fitted where it is used.
MOST_BYTES = 2**31
# How much is taken at once, and in one go: whoever writes without end is not listened to for ever.
CHUNK_BYTES = 2**18
MOST_CHUNKS = 256


# Whether processes can hand open files to each other (POSIX).
CAN_SEND_FILES = hasattr(socket, "send_fds")


class Message(NamedTuple):
    """What a worker has said: a word, its content, and bytes that belong to it."""

    word: str
    content: Any
    data: bytes = b""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What a worker gets: a pickled task, and its candidate as bytes or in a file."""

    task: bytes
    candidate: bytes = b""
    file: UnnamedFile | None = None
    # What a candidate in a file is called, wherever it goes: no other has the same name.
    name: str = ""

    def content(self) -> bytes:
        """Give the pickled candidate, wherever it is."""
        return self.candidate if self.file is None else self.file.read()


class Channel:
    """The owner's end; ``closed`` by the worker, or ``broken`` by one that has written nonsense."""

    def __init__(self, connection: socket.socket, *, most_bytes: int = MOST_BYTES) -> None:
        connection.settimeout(0)
        self._socket = connection
        self._most_bytes = min(most_bytes, MOST_BYTES)
        self._arrived = bytearray()
        self._waiting: deque[memoryview] = deque()
        self._file: UnnamedFile | None = None
        self.broken = False
        self.closed = False

    @classmethod
    def pair(cls, *, most_bytes: int = MOST_BYTES) -> tuple[Channel, socket.socket]:
        """Make both ends; the other one is for a worker, which may send so many bytes at once."""
        ours, theirs = socket.socketpair()
        return cls(ours, most_bytes=most_bytes), theirs

    def fileno(self) -> int:
        """Give what `select` takes."""
        return self._socket.fileno()

    @property
    def sending(self) -> bool:
        """Whether something waits until there is room for it."""
        return bool(self._waiting) and not (self.broken or self.closed)

    def send(self, order: Order) -> None:
        """Send an order, as far as there is room for it now."""
        n_inline = len(order.candidate)
        head = ORDER.pack(len(order.task), n_inline, order.file is not None)
        self._file = order.file
        self._waiting.extend(memoryview(part) for part in (head + order.task, order.candidate))
        self.flush()

    def flush(self) -> None:
        """Send more of what waits; a worker that has gone is noticed elsewhere."""
        try:
            while self._waiting:
                part = self._waiting[0]
                self._waiting[0] = part[self._send_some(part) :]
                if not self._waiting[0]:
                    self._waiting.popleft()
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()

    def _send_some(self, part: memoryview) -> int:
        if not part or self._file is None:
            return self._socket.send(part) if part else 0
        n_sent = socket.send_fds(self._socket, [part], [self._file.fileno()])
        self._file = None
        return n_sent

    def receive(self) -> list[Message]:
        """Take the messages that are whole."""
        self._take()
        messages = []
        while not self.broken and len(self._arrived) >= LENGTHS.size:
            n_json, n_data = LENGTHS.unpack_from(self._arrived)
            start = LENGTHS.size + n_json
            end = start + n_data
            if n_json > MOST_JSON_BYTES or n_data > self._most_bytes:
                self.broken = True
            if self.broken or len(self._arrived) < end:
                break
            try:
                word, content = _word(self._arrived[LENGTHS.size : start])
                # A slice would be another copy.
                data = bytes(memoryview(self._arrived)[start:end])
                messages.append(Message(word, content, data))
            except (ValueError, TypeError, RecursionError):
                self.broken = True
            del self._arrived[:end]
        return messages

    def _take(self) -> None:
        """Take what has arrived, but not for ever."""
        try:
            for _ in range(MOST_CHUNKS):
                chunk = self._socket.recv(CHUNK_BYTES)
                self._arrived += chunk
                if len(chunk) < CHUNK_BYTES:
                    self.closed = self.closed or not chunk
                    return
        except BlockingIOError:
            return
        except OSError:
            self.closed = True

    def close(self) -> None:
        """Close this end: the worker ends."""
        self._waiting.clear()
        self._socket.close()


def _word(message: bytearray) -> tuple[str, Any]:
    """Read a word and its content."""
    found = json.loads(message)
    if not isinstance(found, list) or len(found) != 2 or not isinstance(found[0], str):
        raise TypeError("a message is a word with its content")
    return found[0], found[1]


def say(connection: socket.socket, word: str, content: object = None, data: bytes = b"") -> None:
    """Tell the owner something; the worker waits until it is said."""
    message = json.dumps((word, content)).encode()
    connection.sendall(LENGTHS.pack(len(message), len(data)) + message)
    connection.sendall(data)


def take_order(connection: socket.socket) -> tuple[bytes, bytes | mmap.mmap] | None:
    """Wait for an order: a pickled task and candidate; None if the owner has gone."""
    try:
        head, descriptors = b"", list[int]()
        if CAN_SEND_FILES:
            head, descriptors, _, _ = socket.recv_fds(connection, ORDER.size, 1)
        head += _exactly(connection, ORDER.size - len(head))
        n_task, n_candidate, by_file = ORDER.unpack(head)
        task = _exactly(connection, n_task)
        if not by_file:
            return task, _exactly(connection, n_candidate)
    except (EOFError, OSError):
        return None
    with open(descriptors[0], "rb") as file:  # noqa: PTH123 - a descriptor
        return task, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _exactly(connection: socket.socket, n_bytes: int) -> bytes:
    arrived = bytearray()
    while len(arrived) < n_bytes:
        chunk = connection.recv(min(n_bytes - len(arrived), CHUNK_BYTES))
        if not chunk:
            raise EOFError
        arrived += chunk
    return bytes(arrived)
