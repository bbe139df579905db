"""The options of a new game by their place on its page; the settlement, who pays whom at the end, decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from games.common.regions import Region
from games.common.typed import read_amount, typed_amount
from games.models import Table
from games.money.pages.prices import prices_in_words, reentries_in_words
from games.play.pages.house import OptionField
from games.scoring.kinds import Value
from games.scoring.options import Money, Topic, Variant


def placed(
    variant: Variant, fields: Sequence[OptionField], table: Table
) -> tuple[list[OptionField], list[dict[str, object]], list[OptionField], list[OptionField]]:
    """Return the form fields of a new game by their place on the page. `table` is that of `option_fields`.

    They are the rules asked first, such as the settlement; the amounts of money; the rules that the page folds
    away; and those that have no effect with the other choices, which keep their values unseen. A field with an
    error is never unseen, so that its message is shown.
    """
    first: list[OptionField] = []
    amounts: list[dict[str, object]] = []
    folded: list[OptionField] = []
    unseen: list[OptionField] = []
    values = {shown_field.key: shown_field.value for shown_field in fields}
    chosen = _settled(variant, values)
    for shown_field in fields:
        option = variant.option(shown_field.key)
        amount = option.money
        if not (shown_field.error or option.matters(chosen, values)):
            unseen.append(shown_field)
        elif option.asked_first or option.topic is Topic.SETTLEMENT:
            first.append(shown_field)
        elif amount is not None and amount.step:
            amounts.append(_amount(shown_field, amount, table, values))
        else:
            folded.append(shown_field)
    return first, amounts, folded, unseen


def _amount(
    shown_field: OptionField, amounts: Money, table: Table, typed: Mapping[str, str]
) -> dict[str, object]:
    """Return the field of an amount, with the commonly played amounts (`usual`) as they are typed.

    Plus and minus change it by `step`. An amount that is usually the stake divided by `part` follows the stake.
    """
    usual, stake = set(amounts.usual), read_amount(typed.get("stake", ""), table)
    if amounts.part and stake:
        usual = {0, stake // amounts.part}
    shown = [typed_amount(each, table) for each in sorted(usual)]
    return {"field": shown_field, "step": amounts.step, "part": amounts.part, "usual": shown}


def stakes_in_words(variant: Variant, chosen: Mapping[str, Value], table: Table) -> str:
    """Return what is played for, in one line: every amount that somebody may pay, and the re-entries.

    Raise RuleError for a value that is not allowed.
    """
    rules = variant.build(variant.house(chosen))
    amounts = (*prices_in_words(rules, table), reentries_in_words(rules, table))
    return " · ".join(filter(None, amounts)) or _("points only")


def asked_first(variant: Variant) -> frozenset[str]:
    """Return the keys of the options that the page asks before the other house rules."""
    return frozenset(
        option.key
        for option in variant.options
        if option.asked_first or option.topic is Topic.SETTLEMENT or (option.money and option.money.step)
    )


def amounts_kept(shown: Variant, typed: Mapping[str, str], house: Mapping[str, str]) -> dict[str, str]:
    """Return the texts `typed` for the game `shown` that are kept when the user chooses another card game.

    They are amounts of options that the new game with the texts `house` has too; also those without an effect,
    because another game may come between two for money.
    """
    with_amounts = (option for option in shown.options if option.money is not None and option.money.step)
    return {
        option.key: typed[option.key]
        for option in with_amounts
        if typed.get(option.key) and option.key in house
    }


def with_parts(
    variant: Variant, house: Mapping[str, str], kept: Mapping[str, str], table: Table
) -> dict[str, str]:
    """Return the texts `house` with the usual part of a stake that was `kept`, where no other amount was."""
    stake = read_amount(kept.get("stake", ""), table)
    parts = {
        option.key: option.money.part for option in variant.options if option.money and option.money.part
    }
    return {
        **house,
        **{
            key: typed_amount(stake // part, table)
            for key, part in parts.items()
            if stake and key not in kept
        },
    }


def in_other_money(
    variant: Variant, typed: Mapping[str, str], before: Table, now: Table, region: Region
) -> dict[str, str]:
    """Return the texts `typed` for the money of the table `before`, as they are typed for that of `now`.

    An amount stays the same number of units, and the usual amount in another unit the usual one. A wrong text
    stays as it is.
    """
    house = dict(typed)
    for option in variant.options:
        amount = read_amount(typed.get(option.key, ""), before, region) if option.money else None
        if amount is not None:
            units = Fraction(amount, 10**before.decimals) * 10**now.decimals
            is_usual = amount == option.default and before.unit != now.unit
            if is_usual or units.denominator == 1:
                house[option.key] = typed_amount(amount if is_usual else int(units), now)
    return house


def _settled(variant: Variant, typed: Mapping[str, str]) -> str | None:
    """Return the value of the settlement option in the typed texts; None in a game without that option."""
    keys = (option.key for option in variant.options if option.topic is Topic.SETTLEMENT)
    return next((typed.get(key, "") for key in keys), None)
