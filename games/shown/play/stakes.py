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
    """What the game is called, where its table says so, how it is settled, where there is a choice, and its amounts.

    `first` are rules asked for beside the players. Other rules are `folded` away; those that mean nothing as it is settled are `unseen`, and keep what they say.
    """

    naming: OptionField | None
    first: tuple[OptionField, ...]
    settlement: OptionField | None
    amounts: tuple[Amount, ...]
    folded: tuple[OptionField, ...]
    unseen: tuple[OptionField, ...]


def stakes_of(variant: Variant, fields: Sequence[OptionField]) -> Stakes:
    """The fields of a house, those of its money first; what is wrong with an amount is never folded away."""
    naming: OptionField | None = None
    settlement: OptionField | None = None
    first: list[OptionField] = []
    amounts: list[Amount] = []
    folded: list[OptionField] = []
    unseen: list[OptionField] = []
    values = {found.key: found.value for found in fields}
    chosen = _settled(variant, values)
    for option, found in zip(variant.options, fields, strict=True):
        money = option.money
        if option.topic is Topic.SETTLEMENT:
            settlement = found
        elif option is variant.naming:
            naming = found
        elif not (found.error or option.matters(chosen, values)):
            unseen.append(found)
        elif option.asked_first:
            first.append(found)
        elif money is not None and money.step:
            amounts.append(Amount(found, money.step, money.usual))
        else:
            folded.append(found)
    return Stakes(naming, tuple(first), settlement, tuple(amounts), tuple(folded), tuple(unseen))


def asked_first(variant: Variant) -> frozenset[str]:
    """The options that stand beside the players, and not among the house rules."""
    return frozenset(option.key for option in variant.options if _is_asked_first(option))


def amounts_kept(shown: Variant, typed: Mapping[str, str], house: Mapping[str, str]) -> dict[str, str]:
    """The amounts typed for the game that was `shown` that matter in another, whose rules are `house`."""
    settled = _settled(shown, typed)
    asked = (option for option in shown.options if option.money is not None and option.money.step)
    return {
        option.key: typed[option.key]
        for option in asked
        if option.matters(settled, typed) and typed.get(option.key) and option.key in house
    }


def _is_asked_first(option: Option) -> bool:
    is_amount = option.money is not None and option.money.step > 0
    return option.asked_first or option.topic is Topic.SETTLEMENT or is_amount


def _settled(variant: Variant, typed: Mapping[str, str]) -> str | None:
    """How a game is settled as these texts have it; None in a game that leaves no choice."""
    for option in variant.options:
        if option.topic is Topic.SETTLEMENT:
            return typed.get(option.key, "")
    return None
