"""House rules: the options a table agrees on before the first deal, and the variants they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from unicodedata import normalize

from games.scoring.errors import RuleError
from games.scoring.one_line import is_writable
from games.scoring.rules import MAX_AMOUNT, Direction, Rules, Value
from games.scoring.words import Text, _


@dataclass(frozen=True)
class Numbers:
    """Allowed values: whole numbers from `low` to `high`, or just those in `only`, or one of a few words.

    `shortcuts` are the numbers tables commonly use.
    """

    low: int
    high: int
    words: Mapping[str, Text] = field(default_factory=dict)
    shortcuts: tuple[int, ...] = ()
    only: tuple[int, ...] = ()

    def read(self, value: Value) -> Value | None:
        """Return the value in its own type, None if it is not allowed."""
        if value in self.words:
            return value
        if isinstance(value, str):
            if not re.fullmatch(r"-?[0-9]{1,10}", value):
                return None
            value = int(value)
        allowed = value in self.only if self.only else self.low <= value <= self.high
        return value if allowed else None

    def __str__(self) -> str:
        numbers = map(str, self.only) if self.only else (f"{self.low}…{self.high}",)
        return " · ".join((*numbers, *self.words))


@dataclass(frozen=True)
class Money(Numbers):
    """Allowed amounts of the table's money.

    With a `step`, the amount is asked for first, beside the players, and goes up and down by the step.
    `usual` are the amounts tables often play for.
    """

    low: int = 0
    high: int = MAX_AMOUNT
    step: int = 0
    usual: tuple[int, ...] = ()


@dataclass(frozen=True)
class Words:
    """Allowed words, each with its label."""

    words: Mapping[str, Text]

    def read(self, value: Value) -> Value | None:
        """Return the value, None if it is not allowed."""
        return value if value in self.words else None

    def __str__(self) -> str:
        return " · ".join(self.words)


@dataclass(frozen=True)
class Line:
    """A line of text of at most `longest` letters, "" for none: the name a table gives what it plays."""

    longest: int

    @property
    def words(self) -> Mapping[str, Text]:
        """No words: here a word has no meaning of its own."""
        return {}

    def read(self, value: Value) -> Value | None:
        """Return the line in NFC with single blanks, none at its ends; None if no game can contain it."""
        line = normalize("NFC", " ".join(str(value).split()))
        return line if len(line) <= self.longest and (not line or is_writable(line)) else None


@dataclass(frozen=True)
class SameAs:
    """A default that follows another option."""

    option: str


class Topic(StrEnum):
    """The topic of an option, which decides its place in a one-line summary of a game."""

    NAME = "name"  # the name of the game: part of its title
    LENGTH = "length"  # when the game is over: always shown, first
    SETTLEMENT = "settlement"  # how it is settled: asked first, because other options depend on it
    STAKES = "stakes"  # the stakes: shown as amounts of money
    HOUSE = "house"  # anything else: shown if it differs from the usual


@dataclass(frozen=True)
class Option:
    """A house rule agreed before the first deal; `noted` ones are shown and change no score.

    `matters_in` are the settlements in which the option has an effect, None for all; `matters_with` are the
    values of other options with which it has one. Values in `described_by_label` show in no number of the
    rules, and are described by label and value. If `asked_first`, the option is asked beside the players of a
    new game, as its money is.
    """

    key: str
    label: Text
    default: Value | SameAs
    allowed: Numbers | Words | Line
    noted: bool = False
    topic: Topic = Topic.HOUSE
    matters_in: Collection[str] | None = None
    matters_with: Mapping[str, Collection[Value]] = field(default_factory=dict)
    described_by_label: Collection[Value] = ()
    asked_first: bool = False

    def matters(self, settlement: str | None, chosen: Mapping[str, Value]) -> bool:
        """Return whether the option has an effect with this settlement and these `chosen` values.

        `settlement` is None in games without a choice of settlement.
        """
        is_settled_so = self.matters_in is None or settlement is None or settlement in self.matters_in
        return is_settled_so and all(chosen.get(key) in values for key, values in self.matters_with.items())

    def value_in_words(self, value: Value) -> Text:
        """Return a value of the option as players say it."""
        match self.allowed:
            case Line():
                return _("{value}", value=value) if value else _("no name")
            case Numbers(words=words) | Words(words) if isinstance(value, str):
                return words[value]
            case _:
                return _("{value}", value=value)

    @property
    def money(self) -> Money | None:
        """The allowed amounts of an option that is money, None for others."""
        return self.allowed if isinstance(self.allowed, Money) else None


@dataclass(frozen=True)
class Preset:
    """A set of option values, under the name players give it."""

    key: str
    name: Text
    chosen: Mapping[str, Value]


@dataclass(frozen=True)
class Hint:
    """A hint for more than `most` players, unless one of the `unless` options has this value.

    If choosing those options is the solution, `remedy` is the text of a button that does it.
    """

    most: int
    text: Text
    unless: Mapping[str, Value] = field(default_factory=dict)
    remedy: Text | None = None


@dataclass(frozen=True)
class House:
    """Every option in force at a table, in the variant's order."""

    options: tuple[tuple[str, Value], ...]

    def __getitem__(self, key: str) -> Value:
        return dict(self.options)[key]

    def number(self, key: str) -> int:
        """Return the option's number; only for options with no word in place of a number."""
        value = self[key]
        assert isinstance(value, int), f"{key} is a word here"
        return value

    def number_or_none(self, key: str) -> int | None:
        """Return the option's number, None if it is a word (none, unlimited)."""
        value = self[key]
        return value if isinstance(value, int) else None


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game as it is known: its options, and the function that builds a table's rules from them.

    `gist` are two words that distinguish it from the other games.
    """

    key: str
    name: Text
    summary: Text
    min_players: int
    max_players: int
    direction: Direction
    options: tuple[Option, ...]
    build: Callable[[House], Rules]
    presets: tuple[Preset, ...] = ()
    hint: Hint | None = None
    gist: Text | None = None

    def house(self, chosen: Mapping[str, Value] = MappingProxyType({})) -> House:
        """Return every option in force for a table that chose these.

        Raise RuleError for an unknown option or a value that is not allowed.
        """
        known = {option.key for option in self.options}
        for key in chosen:
            if key not in known:
                raise RuleError(
                    _("There is no option “{key}” in {game}.", key=key, game=self.name), field=key
                )
        values: dict[str, Value] = {}
        for option in self.options:
            default = values[option.default.option] if isinstance(option.default, SameAs) else option.default
            given = chosen.get(option.key, default)
            value = option.allowed.read(given)
            if value is None:
                raise RuleError(_not_allowed(option, given), field=option.key)
            values[option.key] = value
        return House(tuple((option.key, values[option.key]) for option in self.options))

    @property
    def lines(self) -> frozenset[str]:
        """The keys of the options that are text."""
        return frozenset(option.key for option in self.options if isinstance(option.allowed, Line))

    @property
    def naming(self) -> Option | None:
        """The option in which the table names the game, None if there is none."""
        return next((option for option in self.options if option.topic is Topic.NAME), None)

    def called(self, house: House) -> Variant:
        """Return the variant under the name this house gives it."""
        name = self._name_in(house)
        return replace(self, name=_("{value}", value=name)) if name else self

    def title(self, house: House) -> str:
        """Return the key and, after a colon, the name this house gives the game."""
        name = self._name_in(house)
        return f"{self.key}:{name}" if name else self.key

    def _name_in(self, house: House) -> str:
        return str(house[self.naming.key]) if self.naming is not None else ""

    def usual(self, house: House) -> House:
        """Return the defaults for this house: a default that follows another option follows its value here."""
        leading = {option.default.option for option in self.options if isinstance(option.default, SameAs)}
        return self.house({key: house[key] for key in leading})

    def option(self, key: str) -> Option:
        """Return the option called `key`. Raise KeyError if there is none."""
        return {option.key: option for option in self.options}[key]


def _not_allowed(option: Option, given: Value) -> Text:
    if isinstance(option.allowed, Line):
        return _("Write at most {longest} letters, without double quotes.", longest=option.allowed.longest)
    return _(
        "“{value}” is not allowed for {label}; allowed: {allowed}.",
        value=str(given),
        label=option.label,
        allowed=str(option.allowed),
    )
