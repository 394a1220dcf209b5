"""How things are shown in few words: labels, names, values in messages, and what was raised.

Three dots say that something is left out; with them, a text is never longer than it may be.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
DOTS = "..."
# Names of candidates, wherever they are shown.
LONGEST_NAME = 80
# What a user gave, in a message that refuses it.
LONGEST_VALUE = 60
# An estimator as code: one that holds a table shows it, too.
LONGEST_CODE = 100_000
# What was raised, in a failure that is kept: a learner may say as much as it likes.
LONGEST_MESSAGE = 10_000
# What a terminal obeys instead of showing it: control characters but for tabs and ends of lines,
# marks that turn the direction of text round, and halves of surrogate pairs, which are no text.
OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def one_line(text: str) -> str:
    """Put a text on one line, without characters that a terminal would obey."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())


def visible(text: str) -> str:
    r"""Write what a terminal would obey as it stands in Python's source, such as ``\x1b``."""
    return OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def valid_text(text: str) -> str:
    """Write halves of surrogate pairs, which no file takes, as they stand in Python's source."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def plain_repr(thing: object) -> str:
    """Give what ``repr`` gives, without addresses, which differ from process to process."""
    return ADDRESS.sub("", repr(thing))


def said_by(tell: Callable[[], str], thing: object) -> str:
    """Give what a stranger's object says of itself; if it cannot, what kind it is and why not."""
    try:
        return tell()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"<{type(thing).__qualname__} that raises {type(error).__name__}>"


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
    what = cut("".join(traceback.format_exception_only(error)).strip(), LONGEST_MESSAGE // 4)
    where = "".join(traceback.format_exception(error)).strip()
    return cut_middle(f"{what}\n{where}", LONGEST_MESSAGE)
