"""House rules: the options a table agrees on before the first deal, and the game they belong to."""

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
    """Whole numbers from `low` to `high`, or just those in `only`, or one of a few words.

    `shortcuts` are the numbers tables use.
    """

    low: int
    high: int
    words: Mapping[str, Text] = field(default_factory=dict)
    shortcuts: tuple[int, ...] = ()
    only: tuple[int, ...] = ()

    def read(self, value: Value) -> Value | None:
        """The value in its own type, or None where it is not allowed."""
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
    """An amount in the table's money; where it has a `step` it is asked for first, beside the players.

    It goes up and down by the step; `usual` are the amounts tables often play for.
    """

    low: int = 0
    high: int = MAX_AMOUNT
    step: int = 0
    usual: tuple[int, ...] = ()


@dataclass(frozen=True)
class Words:
    """One of a few words, each with its label."""

    words: Mapping[str, Text]

    def read(self, value: Value) -> Value | None:
        """The value, or None where it is not allowed."""
        return value if value in self.words else None

    def __str__(self) -> str:
        return " · ".join(self.words)


@dataclass(frozen=True)
class Line:
    """A line of text of at most `longest` letters, "" where there is none: the name a table gives what it plays."""

    longest: int

    @property
    def words(self) -> Mapping[str, Text]:
        """None: no word stands for another thing here."""
        return {}

    def read(self, value: Value) -> Value | None:
        """The line in whole letters (NFC), with single blanks and none at its ends; None where no game is written so."""
        line = normalize("NFC", " ".join(str(value).split()))
        return line if len(line) <= self.longest and (not line or is_writable(line)) else None


@dataclass(frozen=True)
class SameAs:
    """A default that follows another option."""

    option: str


class Topic(StrEnum):
    """What an option is about, where a game is told in one line."""

    NAME = "name"  # what the game is called: stands in its title
    LENGTH = "length"  # when the game is over: said in any case, at the front
    SETTLEMENT = "settlement"  # how it is settled: asked for first, since what else matters depends on it
    STAKES = "stakes"  # what it is played for: said as the money it comes to
    HOUSE = "house"  # anything else: said where it differs from the usual


@dataclass(frozen=True)
class Option:
    """A house rule agreed before the first deal; `noted` ones are shown and change no score.

    `matters_in` are the ways to settle a game in which it says anything, None for all of them; `matters_with` are the
    values of another option with which it does. Values in `told` show in no number of the rules, and are told by label
    and value. Where `asked_first`, it stands beside the players of a new game, as its money does.
    """

    key: str
    label: Text
    default: Value | SameAs
    allowed: Numbers | Words | Line
    noted: bool = False
    topic: Topic = Topic.HOUSE
    matters_in: Collection[str] | None = None
    matters_with: Mapping[str, Collection[Value]] = field(default_factory=dict)
    told: Collection[Value] = ()
    asked_first: bool = False

    def matters(self, settlement: str | None, chosen: Mapping[str, Value]) -> bool:
        """Whether it says anything in a game settled like this, None where there is no choice, with these `chosen`."""
        is_settled_so = self.matters_in is None or settlement is None or settlement in self.matters_in
        return is_settled_so and all(chosen.get(key) in values for key, values in self.matters_with.items())

    def value_in_words(self, value: Value) -> Text:
        """A value of it as players say it."""
        match self.allowed:
            case Line():
                return _("{value}", value=value) if value else _("no name")
            case Numbers(words=words) | Words(words) if isinstance(value, str):
                return words[value]
            case _:
                return _("{value}", value=value)

    @property
    def money(self) -> Money | None:
        """Its amounts where it is money, None where it is anything else."""
        return self.allowed if isinstance(self.allowed, Money) else None


@dataclass(frozen=True)
class Preset:
    """Several options at once, under the name players give them."""

    key: str
    name: Text
    chosen: Mapping[str, Value]


@dataclass(frozen=True)
class Hint:
    """What to think of with more players than `most`, unless one of these options is chosen like this.

    Where choosing them is what there is to do, `remedy` says so on a button.
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
        """The option's number; 0 where a word stands for it is never asked."""
        value = self[key]
        assert isinstance(value, int), f"{key} is a word here"
        return value

    def number_or_none(self, key: str) -> int | None:
        """The option's number, or None where a word (none, unlimited) takes its place."""
        value = self[key]
        return value if isinstance(value, int) else None


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A game as it is known: its options, and how they become the rules of one table.

    `gist` is what tells it from the others, in two words.
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
        """Every option in force when a table chose these; RuleError for an option or value there is not."""
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
        """The options that are text."""
        return frozenset(option.key for option in self.options if isinstance(option.allowed, Line))

    @property
    def naming(self) -> Option | None:
        """The option that says what the game is called, where its table does."""
        return next((option for option in self.options if option.topic is Topic.NAME), None)

    def called(self, house: House) -> Variant:
        """The game under the name this house gives it."""
        name = self._name_in(house)
        return replace(self, name=_("{value}", value=name)) if name else self

    def title(self, house: House) -> str:
        """The key, and behind a colon the name this house gives the game."""
        name = self._name_in(house)
        return f"{self.key}:{name}" if name else self.key

    def _name_in(self, house: House) -> str:
        return str(house[self.naming.key]) if self.naming is not None else ""

    def usual(self, house: House) -> House:
        """The defaults beside this house: what follows another option follows it as it is there."""
        leading = {found.default.option for found in self.options if isinstance(found.default, SameAs)}
        return self.house({key: house[key] for key in leading})

    def option(self, key: str) -> Option:
        """The option called `key`; KeyError where there is none."""
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
