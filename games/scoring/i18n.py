"""Sentences for people, independent of the language they are shown in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from .frozen import Frozen, FrozenDict, freeze

if TYPE_CHECKING:
    from datetime import date

InputT = TypeVar("InputT")
StoredT = TypeVar("StoredT")


@dataclass(frozen=True, eq=False, repr=False)
class Text(Frozen):
    """An English sentence with named placeholders.

    `str` fills the placeholders; a page translates the template first.
    """

    template: str
    params: Mapping[str, Param] = field(default_factory=FrozenDict)
    plural: str = ""
    count: int = 0
    context: str = ""  # tells two senses of one English word apart

    def __post_init__(self) -> None:
        freeze(self, "params")

    def __str__(self) -> str:
        template = self.plural if self.plural and self.count != 1 else self.template
        return template.format(**self.params)

    def filled(self, **params: Param) -> Text:
        """Return a copy with these placeholders set."""
        return Text(self.template, {**self.params, **params}, self.plural, self.count, self.context)


class MoneyParam(int):
    """An amount of money in a sentence, in whole units; a page shows it in the table's currency."""


class CardsParam(str):
    """Cards in a sentence, written as in NOTATION. Pages show its jokers with the same symbol as their keys."""


Param: TypeAlias = "str | int | date | Text"


def _(template: str, /, **params: Param) -> Text:
    """Return a `Text`; the function's name marks the template for translation tools."""
    return Text(template, params)


def pgettext(context: str, template: str, /, **params: Param) -> Text:
    """Return a `Text` of a word with several senses; `context` tells them apart."""
    return Text(template, params, context=context)


def ngettext(singular: str, plural: str, count: int, /, **params: Param) -> Text:
    """Return a `Text` whose wording depends on `count`, which fills the placeholder `{count}`."""
    return Text(singular, {"count": count, **params}, plural, count)


class ConvertedField(Generic[InputT, StoredT]):
    """A field of a frozen dataclass that converts its value with `make`; the default is optional."""

    def __init__(self, make: Callable[[InputT], StoredT], *default: StoredT) -> None:
        self._make, self._default = make, default

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, _owner: type | None = None) -> StoredT:
        if instance is not None:
            return cast(StoredT, instance.__dict__[self._name])
        if not self._default:
            raise AttributeError(self._name)  # tells the dataclass that the field has no default
        return self._default[0]

    def __set__(self, instance: object, given: InputT) -> None:
        instance.__dict__[self._name] = self._make(given)


# A text for people, given as a `Text` or, in a custom game, as a plain English string.
Wording: TypeAlias = ConvertedField[str | Text, Text]
OptionalWording: TypeAlias = ConvertedField[str | Text | None, Text | None]
Wordings: TypeAlias = ConvertedField[Mapping[str, str | Text], Mapping[str, Text]]


def as_text(given: str | Text) -> Text:
    return given if isinstance(given, Text) else Text(given)


def as_optional_text(given: str | Text | None) -> Text | None:
    return None if given is None else as_text(given)


def as_texts(given: Mapping[str, str | Text]) -> Mapping[str, Text]:
    """Return the mapping as a `FrozenDict` of `Text`."""
    return FrozenDict({key: as_text(text) for key, text in given.items()})
