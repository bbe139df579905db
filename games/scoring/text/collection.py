"""Many games in one file, read one at a time, and their tags (NOTATION, Many games).

Tags are facts about a game, such as its date, in a line like `tags date="2026-11-22"` above the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from ..errors import NotationError
from ..frozen import Frozen, FrozenDict
from ..i18n import _
from .file_lines import Row, first_word, numbered_lines
from .game_file import GameFileLine, at_line, parse_rows
from .notation import parse_pairs, split_line

TAGS = "tags"
_VALUE = re.compile(r'"([^"]+)"|([^"]+)')


@dataclass(frozen=True, eq=False, repr=False)
class GameText(Frozen):
    """The text of one game in a file: the numbers and texts of its lines, without blank lines and comments."""

    rows: tuple[Row, ...]

    @property
    def line(self) -> int:
        """The number, in the file, of the first line of the game; 1 if the game has no lines."""
        return self.rows[0][0] if self.rows else 1

    def tags(self) -> Mapping[str, str]:
        """Return the game's tags by name. Raise UnreadableLine for a malformed line or a repeated tag."""
        tags: dict[str, str] = {}
        for number, row in self.rows:
            if not _begins_with_tags(row):
                break
            with at_line(number):
                for key, value in _parse_tags(row).items():
                    if key in tags:
                        raise NotationError(_("{key} appears twice.", key=key))
                    tags[key] = value
        return FrozenDict(tags)

    def parse_lines(self) -> tuple[GameFileLine, ...]:
        """Return the lines below the tags. Raise UnreadableLine at the first line that fits no form."""
        below = [row for row in self.rows if not _begins_with_tags(row[1])]
        return parse_rows(below, first=self.line)


def split_games(lines: str | Iterable[str | bytes]) -> Iterator[GameText]:
    """Yield the games of a file, given as text or as its lines. Lines are read only when they are needed.

    A line that begins with `tags` begins a game, unless it continues the tags of the same game. A file
    without such lines is one game, even if the file is empty. Raise UnreadableLine at a line that is not
    UTF-8.
    """
    rows: list[Row] = []
    for row in numbered_lines(lines):
        if _begins_with_tags(row[1]) and rows and not _begins_with_tags(rows[-1][1]):
            yield GameText(tuple(rows))
            rows = []
        rows.append(row)
    yield GameText(tuple(rows))


def write_tags(tags: Mapping[str, str]) -> str:
    """Return the tags as a line of text, to be written above the game."""
    return " ".join((TAGS, *(f'{key}="{value}"' for key, value in tags.items())))


def _begins_with_tags(row: str) -> bool:
    return first_word(row) == TAGS


def _parse_tags(row: str) -> dict[str, str]:
    statements = split_line(row)
    if len(statements) != 1:
        raise NotationError(_("A semicolon has no statement next to it."))
    tags = parse_pairs(statements[0][1:], _value)
    if "date" in tags and not _is_day(tags["date"]):
        raise NotationError(_("“{text}” is not a date. Write it like 2026-11-22.", text=tags["date"]))
    return tags


def _value(text: str) -> str:
    match = _VALUE.fullmatch(text)
    if match is None:
        raise NotationError(_("{text} must be in double quotes.", text=text))
    return match[1] or match[2]


def _is_day(text: str) -> bool:
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
