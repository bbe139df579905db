"""Sentences for people, independent of the language they are shown in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from .frozen import FrozenDict, freeze

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True)
class Text:
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
        """Return the same sentence with these placeholders set to other values."""
        return Text(self.template, {**self.params, **params}, self.plural, self.count, self.context)


class Amount(int):
    """An amount of money in a sentence, in whole units; a page shows it in the table's currency."""


class CardSigns(str):
    """Cards in a sentence, written as in NOTATION; a page shows a joker as it does on its keys."""


Param: TypeAlias = "str | int | date | Text"


def _(template: str, /, **params: Param) -> Text:
    """Return a `Text`; the function's name marks the template for translation tools."""
    return Text(template, params)


def pgettext(context: str, template: str, /, **params: Param) -> Text:
    """Return a `Text` of a word with several senses; `context` says which."""
    return Text(template, params, context=context)


def ngettext(singular: str, plural: str, count: int, /, **params: Param) -> Text:
    """Return a `Text` whose wording depends on `count`, which fills the placeholder `{count}`."""
    return Text(singular, {"count": count, **params}, plural, count)
