"""What a game is played for: the amounts asked for on the page of a new game, by how it is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.scoring.options import Option, Topic, Variant
from games.shown.play.house import OptionField


@dataclass(frozen=True)
class Amount:
    """An amount with a place of its own on the page, its steps, and what tables often play for."""

    field: OptionField
    step: int
    usual: tuple[int, ...]


@dataclass(frozen=True)
class Stakes:
    """The fields of a game's money: its name where the table gave one, its settlement where there is a
    choice, its amounts.

    `first` are rules shown beside the players. Other rules are `folded` away. Those without a meaning
    under this
    settlement are `unseen`, and keep their values.
    """

    naming: OptionField | None
    first: tuple[OptionField, ...]
    settlement: OptionField | None
    amounts: tuple[Amount, ...]
    folded: tuple[OptionField, ...]
    unseen: tuple[OptionField, ...]


def stakes_of(variant: Variant, fields: Sequence[OptionField]) -> Stakes:
    """Return the fields of a house, those of its money first; a wrong amount is never folded away."""
    naming: OptionField | None = None
    settlement: OptionField | None = None
    first: list[OptionField] = []
    amounts: list[Amount] = []
    folded: list[OptionField] = []
    unseen: list[OptionField] = []
    values = {shown_field.key: shown_field.value for shown_field in fields}
    chosen = _settled(variant, values)
    for option, shown_field in zip(variant.options, fields, strict=True):
        money = option.money
        if option.topic is Topic.SETTLEMENT:
            settlement = shown_field
        elif option is variant.naming:
            naming = shown_field
        elif not (shown_field.error or option.matters(chosen, values)):
            unseen.append(shown_field)
        elif option.asked_first:
            first.append(shown_field)
        elif money is not None and money.step:
            amounts.append(Amount(shown_field, money.step, money.usual))
        else:
            folded.append(shown_field)
    return Stakes(naming, tuple(first), settlement, tuple(amounts), tuple(folded), tuple(unseen))


def asked_first(variant: Variant) -> frozenset[str]:
    """Return the options that stand beside the players, and not among the house rules."""
    return frozenset(option.key for option in variant.options if _is_asked_first(option))


def amounts_kept(shown: Variant, typed: Mapping[str, str], house: Mapping[str, str]) -> dict[str, str]:
    """Return the amounts typed for the game `shown` that also matter in another, whose rules are `house`."""
    settled = _settled(shown, typed)
    with_amounts = (option for option in shown.options if option.money is not None and option.money.step)
    return {
        option.key: typed[option.key]
        for option in with_amounts
        if option.matters(settled, typed) and typed.get(option.key) and option.key in house
    }


def _is_asked_first(option: Option) -> bool:
    is_amount = option.money is not None and option.money.step > 0
    return option.asked_first or option.topic is Topic.SETTLEMENT or is_amount


def _settled(variant: Variant, typed: Mapping[str, str]) -> str | None:
    """Return how a game is settled according to these texts; None in a game without a choice."""
    for option in variant.options:
        if option.topic is Topic.SETTLEMENT:
            return typed.get(option.key, "")
    return None
