"""How things are shown in few words: labels, names, and values in messages.

Three dots say that something is left out; with them, a text is never longer than it may be.
"""

from __future__ import annotations

import re

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
DOTS = "..."
# Names of candidates, wherever they are shown.
LONGEST_NAME = 80
# What a user gave, in a message that refuses it.
LONGEST_VALUE = 60


def one_line(text: str) -> str:
    r"""Put a text on one line, without characters that a terminal would obey.

    Examples
    --------
    >>> one_line("SVC(\n  C=1)"), one_line("red \x1b[31m")
    ('SVC( C=1)', 'red [31m')
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())


def plain_repr(thing: object) -> str:
    """Give what ``repr`` gives, without addresses, which differ from process to process.

    Examples
    --------
    >>> def f(): ...
    >>> plain_repr(f)
    '<function f>'
    """
    return ADDRESS.sub("", repr(thing))


def cut(text: str, longest: int) -> str:
    """Leave out the end of a text that is too long.

    Examples
    --------
    >>> cut("RandomForestClassifier", 10), cut("SVC", 10)
    ('RandomF...', 'SVC')
    """
    return text if len(text) <= longest else text[: longest - len(DOTS)] + DOTS


def cut_middle(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long, where beginning and end both matter.

    Examples
    --------
    >>> cut_middle("C=0.1, gamma=0.001, kernel=rbf", 19)
    'C=0.1, g...rnel=rbf'
    """
    if len(text) <= longest:
        return text
    end = (longest - len(DOTS)) // 2
    start = longest - len(DOTS) - end
    return text[:start] + DOTS + text[-end:]
