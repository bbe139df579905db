"""House rules as form fields, made from the options of the variant (the card game).

An *option* is one house rule of a variant. `typed` has the text typed for each option, by the option's key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.scoring.errors import RuleError
from games.scoring.kinds import Direction, Value
from games.scoring.one_line import LONGEST
from games.scoring.options import House, Line, Numbers, Option, SameAs, Variant, Words
from games.scoring.text.describe import changed_options
from games.shown.common.sentences import translate
from games.shown.common.typed import ungrouped

DIRECTION = "direction"
SHORT_RANGE = 12  # the widest range, as highest less lowest number, that is offered number by number


@dataclass(frozen=True)
class Choice:
    """A value to choose for a house rule, and its label."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class OptionField:
    """One house rule as a form field: chosen from `choices`, or typed if `choices` is empty.

    `blank_means` tells the user what a blank field means. If `other_name` is set, the field of that name
    takes any other number, which then overrides the choice; `other` is its text. `shortcuts` are numbers
    often typed. A typed text has at most `longest` letters.
    """

    key: str
    name: str
    label: str
    value: str
    choices: tuple[Choice, ...]
    other_name: str
    other: str
    shortcuts: tuple[int, ...]
    blank_means: str
    noted: bool
    error: str
    longest: int = LONGEST


def field_name(option: str) -> str:
    """Return the name of the form field for the option with this key."""
    return f"option-{option}"


def _other_name(option: str) -> str:
    return f"{field_name(option)}-other"


def option_fields(
    variant: Variant, typed: Mapping[str, str], errors: Mapping[str, str]
) -> tuple[OptionField, ...]:
    """Return a form field for each option that players may change, with the typed text and any error.

    `errors` has the message for each wrong text, by the option's key.
    """
    return tuple(
        _field(option, typed.get(option.key, ""), errors.get(option.key, ""), variant)
        for option in variant.options
        if not option.is_fixed
    )


def direction_field(direction: str, error: str = "") -> OptionField:
    """Return the form field for the direction of the deal, which the players choose for each game."""
    return OptionField(
        key=DIRECTION,
        name=DIRECTION,
        label=_("The deal goes"),
        value=direction,
        choices=tuple(Choice(value, label, value == direction) for value, label in _directions().items()),
        other_name="",
        other="",
        shortcuts=(),
        blank_means="",
        noted=False,
        error=error,
    )


def direction_in_words(direction: str) -> str:
    """Return the direction of the deal in words, such as “to the left”; "" for an unknown direction."""
    return _directions().get(direction, "")


def _directions() -> dict[str, str]:
    return {Direction.LEFT: _("to the left"), Direction.RIGHT: _("to the right")}


def typed_house(variant: Variant, house: House) -> dict[str, str]:
    """Return the texts with which the form fields are filled in for the house rules `house`, by option key.

    If an option's default is "the same as another option" and the two are equal, its text is "".
    """
    typed = {key: str(value) for key, value in house.options}
    for option in variant.options:
        if isinstance(option.default, SameAs) and house[option.key] == house[option.default.option]:
            typed[option.key] = ""
    return typed


def house_in_short(
    variant: Variant, typed: Mapping[str, str], direction: str, *, but: Collection[str]
) -> str:
    """Return, in one line, the house rules that differ from the defaults, without the options in `but`.

    The direction of the deal is named too if it differs. Return "" if nothing differs, or if a text is wrong.
    """
    try:
        house = variant.house(chosen_house(variant, typed))
    except RuleError:
        return ""
    changes = [translate(changed) for changed in changed_options(variant, house, but=but)]
    if direction in _directions() and direction != variant.direction:
        changes.append(f"{_('The deal goes')}: {direction_in_words(direction)}")
    return " · ".join(changes)


def posted_house(variant: Variant, post: Mapping[str, str]) -> dict[str, str]:
    """Return the posted text of each option, by the option's key; "" for options that were not posted.

    A number typed beside the choices overrides the choice.
    """
    return {
        option.key: post.get(_other_name(option.key), "").strip()
        or post.get(field_name(option.key), "").strip()
        for option in variant.options
    }


def chosen_house(variant: Variant, typed: Mapping[str, str]) -> dict[str, Value]:
    """Return the texts that are not blank, by the option's key, in the form that `Variant.house` reads.

    An option with a blank text is left out and keeps its default. Thousands separators are removed.
    """
    return {
        key: text if key in variant.lines else ungrouped(text).replace("\u2212", "-")
        for key, text in typed.items()
        if text
    }


def _field(option: Option, typed: str, error: str, variant: Variant) -> OptionField:
    allowed, follows = option.allowed, isinstance(option.default, SameAs)
    value = typed or ("" if follows else str(option.default))
    choices = tuple(_choices(option, value))
    takes_others = bool(choices) and _is_wide(allowed)
    typed_word = value in allowed.words and not choices
    return OptionField(
        key=option.key,
        name=field_name(option.key),
        label=translate(option.label),
        value="" if typed_word else value,
        choices=choices,
        other_name=_other_name(option.key) if takes_others else "",
        other=value if takes_others and not any(choice.chosen for choice in choices) else "",
        shortcuts=allowed.shortcuts if isinstance(allowed, Numbers) and not choices else (),
        blank_means=_blank_means(option, variant),
        noted=option.noted,
        error=error,
        longest=allowed.longest if isinstance(allowed, Line) else LONGEST,
    )


def _choices(option: Option, value: str) -> Iterator[Choice]:
    allowed = option.allowed
    if isinstance(allowed, Numbers):
        if _is_wide(allowed) and set(allowed.words) <= {option.default}:
            return  # no choices: users type a number, or leave the field blank for the option's only word
        for number in _numbers_offered(option, allowed, value):
            yield Choice(str(number), str(number), str(number) == value)
    for word, label in allowed.words.items():
        yield Choice(word, translate(label), word == value)


def _is_wide(allowed: Numbers | Words | Line) -> bool:
    """Return whether an option with these allowed values has too many numbers to offer each as a choice."""
    return isinstance(allowed, Numbers) and not allowed.only and allowed.high - allowed.low > SHORT_RANGE


def _numbers_offered(option: Option, allowed: Numbers, value: str) -> Sequence[int]:
    """Return the numbers to offer as choices for an option, in ascending order.

    They are all allowed numbers or, if these are too many, the common ones, the default and the chosen one
    (`value`).
    """
    if not _is_wide(allowed):
        return allowed.only or range(allowed.low, allowed.high + 1)
    used = {
        *allowed.shortcuts,
        *(number for number in (option.default, allowed.read(value)) if isinstance(number, int)),
    }
    return sorted(used)


def _blank_means(option: Option, variant: Variant) -> str:
    if isinstance(option.default, SameAs):
        return translate(variant.option(option.default.option).label)
    if isinstance(option.allowed, Line):
        return translate(variant.name)
    word = option.default
    return translate(option.allowed.words[word]) if isinstance(word, str) else ""
