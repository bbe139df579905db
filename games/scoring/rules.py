"""The vocabulary every game is written in: options, and the small unions where games differ in kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias, assert_never

from games.scoring.cards import Deck
from games.scoring.errors import RuleError
from games.scoring.words import Text, _

MAX_AMOUNT = 10**9
MAX_POINTS = 10**5
MAX_FEE = 10**15

Value: TypeAlias = int | str


# --- what a game is made of -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeldPoints:
    """The cards left in hand count against their holder; `values` by rank, the joker's under `*`."""

    values: Mapping[str, int]


Scoring: TypeAlias = HeldPoints


@dataclass(frozen=True)
class Closing:
    """A way a round ends (cierre); `bonus` goes to the one who closed, nobody did where not `by_player`."""

    key: str
    name: Text
    bonus: int = 0
    by_player: bool = True


@dataclass(frozen=True)
class LastIn:
    """Who reaches `out_at` is out or re-enters; the last one in wins (RULES 1.2)."""

    out_at: int


@dataclass(frozen=True)
class FirstOut:
    """Over as soon as anyone reaches `out_at`; the best total wins, nobody re-enters."""

    out_at: int


Ending: TypeAlias = LastIn | FirstOut


@dataclass(frozen=True)
class Flat:
    """Every re-entry costs the same."""

    fee: int


@dataclass(frozen=True)
class Linear:
    """The k-th re-entry of a player costs k fees."""

    fee: int


@dataclass(frozen=True)
class Doubling:
    """Each re-entry of a player costs double his one before."""

    fee: int


Price: TypeAlias = Flat | Linear | Doubling


@dataclass(frozen=True)
class Reentry:
    """Buying back in (reenganche): how often, `None` for any number, and at what price."""

    cap: int | None
    price: Price


@dataclass(frozen=True)
class Pot:
    """Everybody puts in `stake` (apuesta), fees go in too, the winners take it all (pozo)."""

    stake: int


MoneyRule: TypeAlias = Pot


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A game as one table plays it: every number and kind the engine needs."""

    deck: Deck
    cards_dealt: int
    scoring: Scoring
    closings: tuple[Closing, ...]
    ending: Ending
    reentry: Reentry | None
    money: tuple[MoneyRule, ...]
    floor: int | None = None
    late_entry: bool = False
    lowest_wins: bool = True

    def closing(self, key: str) -> Closing | None:
        """The closing called `key`, if these rules know it."""
        return next((closing for closing in self.closings if closing.key == key), None)

    @property
    def pot(self) -> Pot | None:
        """The pot rule in force, if there is one."""
        return next((rule for rule in self.money if isinstance(rule, Pot)), None)


def price_of(price: Price, count: int) -> int:
    """What a player's re-entry number `count` costs, in whole units (RULES 1.2)."""
    match price:
        case Flat(fee):
            return fee
        case Linear(fee):
            return fee * count
        case Doubling(fee):
            return fee << (count - 1)
        case _:
            assert_never(price)


# --- house rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """Whole numbers from `low` to `high`, or one of a few words; `shortcuts` are the ones tables use."""

    low: int
    high: int
    words: Mapping[str, Text] = field(default_factory=dict)
    shortcuts: tuple[int, ...] = ()

    def read(self, value: Value) -> Value | None:
        """The value in its own type, or None where it is not allowed."""
        if value in self.words:
            return value
        if isinstance(value, str):
            if not re.fullmatch(r"-?[0-9]{1,10}", value):
                return None
            value = int(value)
        return value if self.low <= value <= self.high else None

    def __str__(self) -> str:
        return " · ".join((f"{self.low}…{self.high}", *self.words))


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
class SameAs:
    """A default that follows another option."""

    option: str


@dataclass(frozen=True)
class Option:
    """A house rule agreed before the first deal; `noted` ones are shown and change no score."""

    key: str
    label: Text
    default: Value | SameAs
    allowed: Numbers | Words
    noted: bool = False


@dataclass(frozen=True)
class Preset:
    """Several options at once, under the name players give them."""

    key: str
    name: Text
    chosen: Mapping[str, Value]


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
    """A game as it is known: its options, and how they become the rules of one table."""

    key: str
    name: Text
    summary: Text
    min_players: int
    max_players: int
    direction: str
    options: tuple[Option, ...]
    build: Callable[[House], Rules]
    presets: tuple[Preset, ...] = ()

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
                raise RuleError(
                    _(
                        "“{value}” is not allowed for {label}; allowed: {allowed}.",
                        value=str(given),
                        label=option.label,
                        allowed=str(option.allowed),
                    ),
                    field=option.key,
                )
            values[option.key] = value
        return House(tuple((option.key, values[option.key]) for option in self.options))

    def option(self, key: str) -> Option:
        """The option called `key`; KeyError where there is none."""
        return {option.key: option for option in self.options}[key]
