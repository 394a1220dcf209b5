r"""Text from bytes: which encoding a file has.

A byte order mark says it. Without one, zeros in every second byte are UTF-16, what decodes as UTF-8
is UTF-8 (the whole file is tried: the first umlaut may come late), and the rest is Windows-1252, or
Latin-1 where Windows-1252 has no letter. Zeros and many control characters are no text at all.

charset-normalizer is no help with tables: it takes ``José,São Paulo`` in Windows-1252 for
Windows-1250, and a thousand lines ``Müller;5,5`` in Latin-1 for DOS' code page 775.

The readers only ever see UTF-8 with ``\n`` at the ends of lines.
"""

from __future__ import annotations

import codecs

from curvewise.errors import TableError

_MARKS = (
    # The mark of UTF-32 begins with that of UTF-16, so it has to be looked for first.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_LOOKED_AT = 65_536
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))
_MOST_CONTROLS = 0.002
_NAMES = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32"}
_NAMES |= {"cp1252": "Windows-1252", "latin-1": "Latin-1"}


def to_utf8(data: bytes, label: str) -> tuple[bytes, str]:
    """Find out the encoding and give the same text in UTF-8."""
    encoding = _encoding(data)
    try:
        if encoding == "utf-8-sig":
            text = data[len(codecs.BOM_UTF8) :]
            text.decode()
        elif encoding == "utf-8":
            text = data
        else:
            text = data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError:
        raise TableError(f"{label} starts as {encoding} text but is not all of it.") from None
    if _is_binary(text):
        raise TableError(f"{label} is a binary file, not text.")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text, _NAMES.get(encoding, "")


def _encoding(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    start = data[:_LOOKED_AT]
    half = max(len(start) // 2, 1)
    even, odd = start[0::2].count(0) / half, start[1::2].count(0) / half
    if odd > 0.5 and even < 0.1:
        return "utf-16-le"
    if even > 0.5 and odd < 0.1:
        return "utf-16-be"
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _is_binary(text: bytes) -> bool:
    start = text[:_LOOKED_AT]
    n_controls = len(start) - len(start.translate(None, _CONTROLS))
    return b"\0" in text or n_controls > _MOST_CONTROLS * len(start) + 1
