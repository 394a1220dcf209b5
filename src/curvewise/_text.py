"""How things are shown in few words: labels, names, values in messages, and what was raised.

Three dots say that something is left out; with them, a text is never longer than it may be.
"""

from __future__ import annotations

import re
import traceback

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
DOTS = "..."
# Names of candidates, wherever they are shown.
LONGEST_NAME = 80
# What a user gave, in a message that refuses it.
LONGEST_VALUE = 60


def one_line(text: str) -> str:
    """Put a text on one line, without characters that a terminal would obey."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())


def plain_repr(thing: object) -> str:
    """Give what ``repr`` gives, without addresses, which differ from process to process."""
    return ADDRESS.sub("", repr(thing))


def counted(n: int, what: str) -> str:
    """Say how many of a thing there are."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def cut(text: str, longest: int) -> str:
    """Leave out the end of a text that is too long."""
    return text if len(text) <= longest else text[: longest - len(DOTS)] + DOTS


def cut_middle(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long, where beginning and end both matter."""
    if len(text) <= longest:
        return text
    end = (longest - len(DOTS)) // 2
    start = longest - len(DOTS) - end
    return text[:start] + DOTS + text[-end:]


def describe_error(error: BaseException) -> str:
    """Say what was raised in the first line, and give the whole traceback below."""
    what = "".join(traceback.format_exception_only(error)).strip()
    where = "".join(traceback.format_exception(error)).strip()
    return f"{what}\n{where}"
