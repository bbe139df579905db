"""House rules: the options agreed before the first deal, and the variants (card games) that have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from .errors import RuleError
from .frozen import Frozen, FrozenDict, freeze
from .i18n import ConvertedField, MoneyParam, OptionalWording, Text, Wording, _, as_optional_text, as_text
from .option_values import Line, Money, Numbers, SameAs, Words
from .rule_types import Direction, Rules, Value


class Topic(StrEnum):
    """The topic of an option, which decides the option's place in a one-line summary of a game."""

    NAME = "name"  # the name of the game: part of its title
    LENGTH = "length"  # when the game is over: always shown, first
    SETTLEMENT = "settlement"  # the settlement: asked first, because other options depend on it
    STAKES = "stakes"  # the stakes: shown as amounts of money
    HOUSE = "house"  # any other option: shown if it differs from the usual


@dataclass(frozen=True, eq=False, repr=False)
class Option(Frozen):
    """A house rule agreed before the first deal. If it is `noted`, it is shown but changes no score.

    `label` is a noun, because sentences use it to name the option. `matters_in` lists the settlements (ways
    to pay a game, such as "pot") where the option has an effect; None means all of them. `matters_with` maps
    other options to the values that give this option an effect. The sentences that describe a game's rules
    show most values; a value in `described_by_label` is added to them as “label: value”. If `asked_first`,
    the page of a new game shows the option beside the players, not among the house rules further down. New
    games may choose another value than the default only with the values of other options that it `needs`.
    """

    key: str
    label: Wording = ConvertedField(as_text)
    default: Value | SameAs  # type: ignore[misc]  # the label has no default either: its field is a descriptor
    allowed: Numbers | Words | Line  # type: ignore[misc]  # the same
    noted: bool = False
    topic: Topic = Topic.HOUSE
    matters_in: Collection[str] | None = None
    matters_with: Mapping[str, Collection[Value]] = field(default_factory=FrozenDict)
    described_by_label: Collection[Value] = ()
    asked_first: bool = False
    needs: Mapping[str, Collection[Value]] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        freeze(self, "matters_with", "needs")

    def matters(self, settlement: str | None, chosen: Mapping[str, Value]) -> bool:
        """Return whether the option has an effect with this settlement and these `chosen` values of options.

        `settlement` is None in games without a choice of settlement.
        """
        is_settled_so = self.matters_in is None or settlement is None or settlement in self.matters_in
        return is_settled_so and all(chosen.get(key) in values for key, values in self.matters_with.items())

    def value_in_words(self, value: Value) -> Text:
        """Return a value of the option in words, as players say it."""
        match self.allowed:
            case Line():
                return _("{value}", value=value) if value else _("no name")
            case Numbers(words=words) | Words(words) if isinstance(value, str):
                return words[value]
            case Money():
                return _("{value}", value=MoneyParam(value))
            case _:
                return _("{value}", value=value)

    @property
    def is_fixed(self) -> bool:
        """True if only one value is allowed, so that there is nothing to ask."""
        return isinstance(self.allowed, Words) and len(self.allowed.words) == 1

    @property
    def money(self) -> Money | None:
        """The allowed amounts if the option is an amount of money, None otherwise."""
        return self.allowed if isinstance(self.allowed, Money) else None


@dataclass(frozen=True, eq=False, repr=False)
class Preset(Frozen):
    """A common variation: its name, its option values, and the section of RULES that describes it.

    `is_game` is true if players know it as a game of its own, such as Pontinho. `parts` are the keys of two
    presets that it combines, which set one option: pages let players choose these, each by itself.
    """

    key: str
    name: Text
    chosen: Mapping[str, Value]
    section: str
    is_game: bool = False
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "chosen")


@dataclass(frozen=True, eq=False, repr=False)
class Hint(Frozen):
    """A hint for a new game with more than `most` players, such as to play with another pack.

    `unless` maps options to the values that make the hint unnecessary, e.g. {"packs": 3}. `remedy` is the
    text of a button that chooses these values, None for no button.
    """

    most: int
    text: Text
    unless: Mapping[str, Value] = field(default_factory=FrozenDict)
    remedy: Text | None = None

    def __post_init__(self) -> None:
        freeze(self, "unless")


@dataclass(frozen=True, eq=False, repr=False)
class House(Frozen):
    """The options in force in a game, as (key, value) pairs in the variant's order.

    `house[key]` is the value of one option.
    """

    options: tuple[tuple[str, Value], ...]

    def __getitem__(self, key: str) -> Value:
        value = dict(self.options).get(key)
        if value is None:
            raise ValueError(f"the game has no option {key}: write it in options")
        return value

    def number(self, key: str) -> int:
        """Return the value of the option with this key, which is a number. Raise ValueError for a word."""
        value = self[key]
        if not isinstance(value, int):
            raise ValueError(f"{key} is the word {value}: read it with number_or_none, or as house[{key!r}]")
        return value

    def number_or_none(self, key: str) -> int | None:
        """Return the value of the option with this key if it is a number; None for a word (unlimited)."""
        value = self[key]
        return value if isinstance(value, int) else None


@dataclass(frozen=True, eq=False, repr=False)
class Lesson(Frozen):
    """An explanation of a game for newcomers: its terms, the course of a round, and hands to count.

    A hand is written as in NOTATION (Hands), with cards of every pack that the game may be played with.
    """

    sentences: tuple[Text, ...]
    hands: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Variant(Frozen):
    """A card game: its options, and the function that builds the rules from the options of a table.

    `gist` is two words that distinguish the game from the others. `lesson` returns what newcomers read first.
    """

    key: str
    name: Wording = ConvertedField(as_text)
    summary: Wording = ConvertedField(as_text)
    min_players: int
    max_players: int
    direction: Direction
    options: tuple[Option, ...]
    build: Callable[[House], Rules]
    presets: tuple[Preset, ...] = ()
    hints: tuple[Hint, ...] = ()
    gist: OptionalWording = ConvertedField(as_optional_text, None)
    lesson: Callable[[House], Lesson] | None = None

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<Variant {self.key}>"

    def house(self, chosen: Mapping[str, Value] = MappingProxyType({})) -> House:
        """Return every option with its value: the one in `chosen` or, without one, the default.

        Raise RuleError for an unknown option or a value that is not allowed.
        """
        values = dict(self._usual_values)
        for key in chosen:
            if key not in values:
                raise RuleError(
                    _(
                        "There is no option “{key}” in {game}. Options: {keys}.",
                        key=key,
                        game=self.name,
                        keys=", ".join(values),
                    ),
                    field=key,
                )
        for option in self.options:
            if option.key in chosen:
                values[option.key] = _read_value(option, chosen[option.key])
            elif isinstance(option.default, SameAs):
                values[option.key] = _read_value(option, values[option.default.option])
        return House(tuple(values.items()))

    @cached_property
    def _usual_values(self) -> Mapping[str, Value]:
        """The default of each option, by key."""
        values: dict[str, Value] = {}
        for option in self.options:
            default = values[option.default.option] if isinstance(option.default, SameAs) else option.default
            values[option.key] = _read_value(option, default)
        return values

    @property
    def text_option_keys(self) -> frozenset[str]:
        """The keys of the options that take free text."""
        return frozenset(option.key for option in self.options if isinstance(option.allowed, Line))

    @property
    def name_option(self) -> Option | None:
        """The option that holds a name for the game, None if the variant has no such option."""
        return next((option for option in self.options if option.topic is Topic.NAME), None)

    def with_name_from(self, house: House) -> Variant:
        """Return a copy of the variant with the name that these options give it.

        Return the variant itself if they give none.
        """
        name = self._chosen_name(house)
        return replace(self, name=_("{value}", value=name)) if name else self

    def title(self, house: House) -> str:
        """Return the identifier of a game with these options, such as "chinchon" or "points:Truco".

        It is the variant's key and, if the options name the game, a colon and that name.
        """
        name = self._chosen_name(house)
        return f"{self.key}:{name}" if name else self.key

    def _chosen_name(self, house: House) -> str:
        return str(house[self.name_option.key]) if self.name_option is not None else ""

    def defaults_for(self, house: House) -> House:
        """Return the default value of every option, for a comparison with `house`.

        A default that follows another option (`SameAs`) is the value of that option in `house`.
        """
        leading = {option.default.option for option in self.options if isinstance(option.default, SameAs)}
        return self.house({key: house[key] for key in leading})

    def max_players_for(self, house: House) -> int:
        return self.build(house).max_players or self.max_players

    def hint_for_more(self, house: House, most: int) -> Hint | None:
        """Return the first hint whose values, put into `house`, allow more than `most` players.

        Return None if there is none.
        """
        for hint in self.hints:
            if self.max_players_for(self.house({**dict(house.options), **hint.unless})) > most:
                return hint
        return None

    def option(self, key: str) -> Option:
        """Return the option with this key. Raise KeyError if there is none."""
        return {option.key: option for option in self.options}[key]


def _read_value(option: Option, given: Value) -> Value:
    """Return the value in its usual form. Raise RuleError if it is not allowed."""
    value = option.allowed.read(given)
    if value is None:
        raise RuleError(_invalid_value_sentence(option, given), field=option.key)
    return value


def _invalid_value_sentence(option: Option, given: Value) -> Text:
    if isinstance(option.allowed, Line):
        return _("Write at most {longest} characters, without double quotes.", longest=option.allowed.longest)
    return _(
        "“{value}” is not allowed for {label}; allowed: {allowed}.",
        value=str(given),
        label=option.label,
        allowed=str(option.allowed),
    )


def invalid_amount_sentence(option: Option, allowed: Money, text: str) -> Text:
    """Return the refusal of a text that was typed as an amount of money."""
    return _(
        "“{value}” is not allowed for {label}; allowed: {least} to {most}.",
        value=text,
        label=option.label,
        least=MoneyParam(allowed.low),
        most=MoneyParam(allowed.high),
    )
