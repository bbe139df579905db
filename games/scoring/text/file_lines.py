"""Reading the lines of a game file, from bytes or text, as they come from editors, chats and web pages.

A file is UTF-8 and may begin with a byte order mark. Its lines end with LF, CRLF or CR. Outside double
quotes, every kind of blank counts as a plain blank, zero-width ones included, and marks of the writing
direction are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ..errors import NotationError, UnreadableLine
from ..i18n import _

Row: TypeAlias = tuple[int, str]  # the number of a line in its file, and its text

# The byte order mark, U+FEFF, is one of the blanks.
_BLANKS = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"
_MARKS = "\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_QUOTED_OR_SPECIAL = re.compile(f'"[^"]*"?|[{_BLANKS}]|[{_MARKS}]')
_BLANK = re.compile(f"[{_BLANKS}]")


def numbered_lines(source: str | Iterable[str | bytes]) -> Iterator[Row]:
    """Yield the number and the text of each line that is neither blank nor a comment.

    `source` is a whole text or its lines, which may be bytes. Raise UnreadableLine at a line that is not
    UTF-8.
    """
    for number, line in enumerate(_split_lines(source), start=1):
        row = normalize_blanks(line).strip(" \t")
        if row and not row.startswith("#"):
            yield number, row


def first_word(row: str) -> str:
    """Return the first word of a line, which a blank, a comment or a semicolon ends."""
    return re.split("[ \t#;]", row, maxsplit=1)[0]


def normalize_blanks(line: str) -> str:
    """Return the line with plain blanks and without marks of direction, outside double quotes."""
    return line if line.isascii() else _QUOTED_OR_SPECIAL.sub(_normalize_piece, line)


def _normalize_piece(match: re.Match[str]) -> str:
    piece = match[0]
    if piece.startswith('"'):
        return piece
    return " " if _BLANK.fullmatch(piece) else ""


def _split_lines(source: str | Iterable[str | bytes]) -> Iterator[str]:
    number = 0
    for piece in source.split("\n") if isinstance(source, str) else source:
        text = piece if isinstance(piece, str) else _decode(piece, after=number)
        lines = text.removesuffix("\n").removesuffix("\r").split("\r")
        number += len(lines)
        yield from lines


def _decode(piece: bytes, *, after: int) -> str:
    """Return the text of these bytes, which follow line number `after`.

    Raise UnreadableLine, with the number of the line in the file, if they are not UTF-8.
    """
    try:
        return piece.decode()
    except UnicodeDecodeError as error:
        line = after + 1 + piece[: error.start].count(b"\r")
        raise UnreadableLine(line, NotationError(_("The text is not UTF-8. Save it as UTF-8."))) from None
