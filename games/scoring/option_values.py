"""The values that an option allows: numbers, amounts of money, words, or a line of text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import normalize

from .frozen import Frozen, FrozenDict
from .i18n import ConvertedField, Text, Wordings, as_texts
from .rule_types import MAX_AMOUNT, Value
from .text_line import RAW_FACTOR, is_writable


@dataclass(frozen=True, eq=False, repr=False)
class Numbers(Frozen):
    """The allowed values of an option: whole numbers, or one of a few words.

    The numbers go from `low` to `high`, or are only those in `only`. `shortcuts` are the numbers that are
    commonly played.
    """

    low: int
    high: int
    words: Wordings = ConvertedField(as_texts, FrozenDict())
    shortcuts: tuple[int, ...] = ()
    only: tuple[int, ...] = ()

    def read(self, value: Value) -> Value | None:
        """Return the value, with a number in text (“10”) turned into an int; None if it is not allowed."""
        if value in self.words:
            return value
        if isinstance(value, str):
            if not re.fullmatch(r"-?[0-9]{1,10}", value):
                return None
            value = int(value)
        if type(value) is not int:  # neither 1.5 nor True
            return None
        allowed = value in self.only if self.only else self.low <= value <= self.high
        return value if allowed else None

    def __str__(self) -> str:
        numbers = map(str, self.only) if self.only else (f"{self.low}…{self.high}",)
        return " · ".join((*numbers, *self.words))


@dataclass(frozen=True, eq=False, repr=False)
class Money(Numbers):
    """The amounts of money allowed as the value of an option.

    If there is a `step`, the page of a new game asks for the amount beside the players, with buttons that
    change it by the step. The page suggests the amounts in `usual`, which are commonly played for. If there
    is a `part` and a stake, it suggests 0 and the stake divided by `part` instead; if it `is_stake`, amounts
    that fit the table's money.
    """

    low: int = 0
    high: int = MAX_AMOUNT
    step: int = 0
    usual: tuple[int, ...] = ()
    part: int = 0
    is_stake: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Words(Frozen):
    """The words allowed as the value of an option, each with its label."""

    words: Wordings = ConvertedField(as_texts)

    def read(self, value: Value) -> Value | None:
        return value if value in self.words else None

    def __str__(self) -> str:
        return " · ".join(self.words)


@dataclass(frozen=True, eq=False, repr=False)
class Line(Frozen):
    """Free text as an allowed value, such as a name for the game.

    It is one line of at most `longest` letters, or "".
    """

    longest: int

    @property
    def words(self) -> Mapping[str, Text]:
        """An empty mapping: a free text has no words with a fixed meaning."""
        return {}

    def read(self, value: Value) -> Value | None:
        """Return the line in NFC, with single spaces between words and none at its ends.

        Return None if the line is too long or cannot be written in the text of a game.
        """
        if len(str(value)) > self.longest * RAW_FACTOR:
            return None
        line = normalize("NFC", " ".join(str(value).split()))
        return line if len(line) <= self.longest and (not line or is_writable(line)) else None


@dataclass(frozen=True, eq=False, repr=False)
class SameAs(Frozen):
    """A default that is the value of another option, given by its key."""

    option: str
