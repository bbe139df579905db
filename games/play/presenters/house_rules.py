"""House rules as form fields, built from the options of the variant, and the stakes in words.

`inputs` has the text typed for each option, by its key. For a table that is not opened yet, `table` is an
unsaved one with the unit and decimals that it will have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from games.common import amounts, parsing, regions, texts
from games.common.regions import Region
from games.models import Table
from games.money.presenters import stakes
from games.scoring.errors import RuleError
from games.scoring.option_values import Line, Money, Numbers, SameAs, Words
from games.scoring.options import House, Option, Topic, Variant, invalid_amount_sentence
from games.scoring.rule_types import Direction, Value
from games.scoring.text.describe import option_differences
from games.scoring.text_line import MAX_TEXT_LENGTH

DIRECTION = "direction"
SHORT_RANGE = 12  # the widest range, highest minus lowest number, whose numbers are all offered


@dataclass(frozen=True)
class OptionChoice:
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class HouseRuleField:
    """One house rule as a form field: chosen from `choices`, or typed if `choices` is empty.

    The field `other_name` takes any other number, which then overrides the choice; `other` is its text.
    `shortcuts` are commonly typed numbers. An amount has a `unit`, unless its table is not opened yet.
    """

    key: str
    name: str
    label: str
    value: str
    choices: tuple[OptionChoice, ...]
    error: str
    other_name: str = ""
    other: str = ""
    shortcuts: tuple[int, ...] = ()
    blank_means: str = ""
    noted: bool = False
    longest: int = MAX_TEXT_LENGTH
    unit: str = ""
    keyboard: str = "text"


def field_name(option: str) -> str:
    return f"option-{option}"


def option_fields(
    variant: Variant, inputs: Mapping[str, str], errors: Mapping[str, str], table: Table
) -> tuple[HouseRuleField, ...]:
    """Return a form field for each option that players may change, with its typed text and any error."""
    return tuple(
        _build_field(option, inputs.get(option.key, ""), errors.get(option.key, ""), variant, table)
        for option in variant.options
        if not option.is_fixed
    )


def direction_field(direction: str, error: str = "") -> HouseRuleField:
    choices = tuple(
        OptionChoice(value, label, value == direction) for value, label in _direction_labels().items()
    )
    return HouseRuleField(DIRECTION, DIRECTION, _("The deal goes"), direction, choices, error)


def direction_label(direction: str) -> str:
    """Return the direction of the deal in words, such as “to the left”; "" for an unknown direction."""
    return _direction_labels().get(direction, "")


def _direction_labels() -> dict[str, str]:
    return {Direction.LEFT: _("to the left"), Direction.RIGHT: _("to the right")}


def input_value(option: Option, value: Value, table: Table) -> str:
    """Return the text of this option's form field for a value."""
    if option.money is not None and isinstance(value, int):
        return parsing.input_amount(value, table)
    return str(value)


def input_values(variant: Variant, chosen: Mapping[str, Value], table: Table) -> dict[str, str]:
    """Return the texts of the form fields for these values of options."""
    return {key: input_value(variant.option(key), value, table) for key, value in chosen.items()}


def house_input_values(variant: Variant, house: House, table: Table) -> dict[str, str]:
    """Return the texts of the form fields for these house rules; "" for an option that follows another."""
    inputs = input_values(variant, dict(house.options), table)
    for option in variant.options:
        if isinstance(option.default, SameAs) and house[option.key] == house[option.default.option]:
            inputs[option.key] = ""
    return inputs


def house_summary(
    variant: Variant, chosen: Mapping[str, Value], direction: str, table: Table, *, but: Collection[str]
) -> str:
    """Return, in one line, the `chosen` values that differ from the defaults, and the direction if it does.

    The options in `but` are left out. Raise RuleError for a value that is not allowed.
    """
    house = variant.house(chosen)
    changes = [
        texts.translate(change, amounts.money_formatter(table))
        for change in option_differences(variant, house, excluded=but)
    ]
    if direction in _direction_labels() and direction != variant.direction:
        changes.append(f"{_('The deal goes')}: {direction_label(direction)}")
    return " · ".join(changes)


def posted_values(variant: Variant, post: Mapping[str, str]) -> dict[str, str]:
    """Return the posted text of each option, by the option's key; "" for options that were not posted.

    A number typed beside the choices overrides the choice.
    """
    return {
        option.key: post.get(f"{field_name(option.key)}-other", "").strip()
        or post.get(field_name(option.key), "").strip()
        for option in variant.options
    }


def parse_options(
    variant: Variant, inputs: Mapping[str, str], table: Table, region: Region
) -> dict[str, Value]:
    """Return the texts that are not blank, parsed for `Variant.house`. A blank option keeps its default.

    Amounts are read in the number format of `region`. Raise RuleError for a text that is not an amount.
    """
    return {
        key: _parse_option(variant.option(key), text, table, region) for key, text in inputs.items() if text
    }


def _parse_option(option: Option, text: str, table: Table, region: Region) -> Value:
    if option.money is not None and text not in option.money.words:
        return _parse_amount(option, option.money, text, table, region)
    return text if isinstance(option.allowed, Line) else parsing.strip_separators(text).replace("\u2212", "-")


def _parse_amount(option: Option, allowed: Money, text: str, table: Table, region: Region) -> int:
    amount = parsing.parse_amount(text, table, region)
    if amount is not None and allowed.read(amount) is not None:
        return amount
    if parsing.has_unexpected_cents(text, table, region):
        raise RuleError(parsing.NO_CENTS if table.pk else parsing.NO_CENTS_YET, field=option.key)
    raise RuleError(invalid_amount_sentence(option, allowed, text), field=option.key)


def _build_field(option: Option, text: str, error: str, variant: Variant, table: Table) -> HouseRuleField:
    allowed = option.allowed
    value = text or ("" if isinstance(option.default, SameAs) else input_value(option, option.default, table))
    choices = tuple(_build_choices(option, value))
    takes_others = bool(choices) and _is_wide(allowed)
    is_word = value in allowed.words and not choices
    return HouseRuleField(
        key=option.key,
        name=field_name(option.key),
        label=texts.translate(option.label),
        value="" if is_word else value,
        choices=choices,
        error=error,
        other_name=f"{field_name(option.key)}-other" if takes_others else "",
        other=value if takes_others and not any(choice.chosen for choice in choices) else "",
        shortcuts=allowed.shortcuts if isinstance(allowed, Numbers) and not choices else (),
        blank_means=_blank_meaning(option, variant),
        noted=option.noted,
        longest=allowed.longest if isinstance(allowed, Line) else MAX_TEXT_LENGTH,
        unit=table.unit if option.money is not None and table.pk else "",
        keyboard="text" if option.money is None else parsing.input_mode(table),
    )


def _build_choices(option: Option, value: str) -> Iterator[OptionChoice]:
    allowed = option.allowed
    if isinstance(allowed, Numbers):
        if _is_wide(allowed) and set(allowed.words) <= {option.default}:
            return  # no choices: users type a number, or leave the field blank for the option's only word
        for number in _offered_numbers(option, allowed, value):
            yield OptionChoice(str(number), str(number), str(number) == value)
    for word, label in allowed.words.items():
        yield OptionChoice(word, texts.translate(label), word == value)


def _is_wide(allowed: Numbers | Words | Line) -> bool:
    """Return whether an option with these allowed values has too many numbers to offer each as a choice."""
    return isinstance(allowed, Numbers) and not allowed.only and allowed.high - allowed.low > SHORT_RANGE


def _offered_numbers(option: Option, allowed: Numbers, value: str) -> Sequence[int]:
    """Return the numbers to offer.

    These are all allowed numbers or, if there are too many, the common, the default and the chosen ones.
    """
    if not _is_wide(allowed):
        return allowed.only or range(allowed.low, allowed.high + 1)
    used = (option.default, allowed.read(value))
    return sorted({*allowed.shortcuts, *(number for number in used if isinstance(number, int))})


def _blank_meaning(option: Option, variant: Variant) -> str:
    if isinstance(option.default, SameAs):
        return texts.translate(variant.option(option.default.option).label)
    if isinstance(option.allowed, Line):
        return texts.translate(variant.name)
    word = option.default
    return texts.translate(option.allowed.words[word]) if isinstance(word, str) else ""


def fields_by_section(
    variant: Variant, fields: Sequence[HouseRuleField], table: Table
) -> tuple[list[HouseRuleField], list[dict[str, object]], list[HouseRuleField], list[HouseRuleField]]:
    """Return the form fields of a new game by their place on the page. `table` is that of `option_fields`.

    The places are the rules asked first, such as the settlement; the amounts of money; the rules that the
    page folds away; and the rules without an effect beside the other choices, which keep their values hidden.
    A field with an error is never hidden, so that its message is shown.
    """
    first: list[HouseRuleField] = []
    money_fields: list[dict[str, object]] = []
    collapsed_fields: list[HouseRuleField] = []
    unseen: list[HouseRuleField] = []
    values = {rule_field.key: rule_field.value for rule_field in fields}
    chosen = _settlement_value(variant, values)
    for rule_field in fields:
        option = variant.option(rule_field.key)
        amount = option.money
        if not (rule_field.error or option.matters(chosen, values)):
            unseen.append(rule_field)
        elif option.asked_first or option.topic is Topic.SETTLEMENT:
            first.append(rule_field)
        elif amount is not None and amount.step:
            money_fields.append(_amount_context(rule_field, amount, table, values))
        else:
            collapsed_fields.append(rule_field)
    return first, money_fields, collapsed_fields, unseen


def _amount_context(
    rule_field: HouseRuleField, option_money: Money, table: Table, inputs: Mapping[str, str]
) -> dict[str, object]:
    """Return the field of an amount, with the commonly played amounts (`usual`): typed, and as people read them.

    Plus and minus change the amount by `step`. An amount that is usually the stake divided by `part` follows
    the stake.
    """
    usual = set(usual_amounts(option_money, table))
    stake = parsing.parse_amount(inputs.get("stake", ""), table)
    if option_money.part and stake:
        usual = {0, stake // option_money.part}
    if option_money.is_stake:
        usual.add(0)
    pairs = [(parsing.input_amount(each, table), amounts.short_amount(each, table)) for each in sorted(usual)]
    return {
        "field": rule_field,
        "step": option_money.step,
        "part": option_money.part,
        "usual": pairs,
        "is_stake": option_money.is_stake,
    }


def usual_amounts(option_money: Money, table: Table) -> tuple[int, ...]:
    """Return the commonly played amounts of an option, in the smallest coin of the table, the lowest first.

    Stakes fit the table's money, if it is known what people play for in it.
    """
    stakes = regions.usual_stakes(table.unit) if option_money.is_stake else ()
    return tuple(stake * 10**table.decimals for stake in stakes) or option_money.usual


def first_stakes(variant: Variant, table: Table) -> dict[str, Value]:
    """Return the stakes of the first game of a table: the lowest usual one, for each option that is a stake."""
    usual = {
        option.key: usual_amounts(option.money, table)
        for option in variant.options
        if option.money is not None and option.money.is_stake
    }
    return {key: amounts_of_option[0] for key, amounts_of_option in usual.items() if amounts_of_option}


def stakes_label(variant: Variant, chosen: Mapping[str, Value], table: Table) -> str:
    """Return the stakes in one line: every amount that somebody may pay, and the re-entries.

    Raise RuleError for a value that is not allowed.
    """
    rules = variant.build(variant.house(chosen))
    labels = (*stakes.stake_labels(rules, table), stakes.reentries_label(rules, table))
    return " · ".join(filter(None, labels)) or _("points only")


def primary_option_keys(variant: Variant) -> frozenset[str]:
    """Return the keys of the options that the page asks before the other house rules."""
    return frozenset(
        option.key
        for option in variant.options
        if option.asked_first or option.topic is Topic.SETTLEMENT or (option.money and option.money.step)
    )


def carry_amounts(
    old_variant: Variant, inputs: Mapping[str, str], house: Mapping[str, str]
) -> dict[str, str]:
    """Return the amounts in `inputs`, typed for `old_variant`, that stay when another card game is chosen.

    They belong to options that the new game, whose texts are `house`, has too. Amounts without an effect also
    stay, because a user may look at another game between two that are played for money.
    """
    with_amounts = (
        option for option in old_variant.options if option.money is not None and option.money.step
    )
    return {
        option.key: inputs[option.key]
        for option in with_amounts
        if inputs.get(option.key) and option.key in house
    }


def convert_amounts(
    variant: Variant, inputs: Mapping[str, str], before: Table, new_table: Table, region: Region
) -> dict[str, str]:
    """Return `inputs`, typed for the money of the table `before`, converted to the money of `new_table`.

    An amount keeps its number of units, but in another unit a default amount becomes the default there, and
    the first stake the first one there. An invalid text stays as it is.
    """
    house, was_first, first = dict(inputs), first_stakes(variant, before), first_stakes(variant, new_table)
    for option in variant.options:
        amount = parsing.parse_amount(inputs.get(option.key, ""), before, region) if option.money else None
        if amount is not None:
            units = Fraction(amount, 10**before.decimals) * 10**new_table.decimals
            is_usual = amount == was_first.get(option.key, option.default) and before.unit != new_table.unit
            usual = first.get(option.key, option.default)
            if is_usual and isinstance(usual, int):
                house[option.key] = parsing.input_amount(usual, new_table)
            elif units.denominator == 1:
                house[option.key] = parsing.input_amount(int(units), new_table)
    return house


def _settlement_value(variant: Variant, inputs: Mapping[str, str]) -> str | None:
    keys = (option.key for option in variant.options if option.topic is Topic.SETTLEMENT)
    return next((inputs.get(key, "") for key in keys), None)
