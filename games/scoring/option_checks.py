"""Options that cannot be met (RULES 1.4): refused in new games, while recorded games keep them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from .errors import RuleError
from .i18n import _
from .options import House, Option, Variant
from .rule_types import Value


@contextmanager
def naming_option(variant: Variant) -> Iterator[None]:
    """Begin the refusal of an option in the `with` block with its key, as texts and programs write it."""
    try:
        yield
    except RuleError as refusal:
        if refusal.field not in {option.key for option in variant.options}:
            raise
        sentence = _("{option}: {sentence}", option=refusal.field, sentence=refusal.text)
        raise RuleError(sentence, code=refusal.code, field=refusal.field) from None


def check_options(variant: Variant, house: House, *, named: Collection[str] = ()) -> None:
    """Raise RuleError for an option that cannot be met together with the others.

    An option that needs another one of `named` is not refused: the text of a recorded game names every
    option, and must be read.
    """
    values = dict(house.options)
    for option in variant.options:
        missing = {key: words for key, words in _missing_options(option, values).items() if key not in named}
        if missing:
            needed = " ".join(f"{key}={'/'.join(map(str, words))}" for key, words in missing.items())
            text = _(
                "“{value}” for {label} needs {needed}.",
                value=str(values[option.key]),
                label=option.label,
                needed=needed,
            )
            raise RuleError(text, field=option.key)


def clear_unmet_options(variant: Variant, house: House) -> House:
    """Return the options with the default in place of each one that cannot be met."""
    values = dict(house.options)
    unmet = {option.key for option in variant.options if _missing_options(option, values)}
    return variant.house({key: values[key] for key in values.keys() - unmet}) if unmet else house


def _missing_options(option: Option, values: Mapping[str, Value]) -> dict[str, tuple[Value, ...]]:
    """Return what the option needs and these values lack, as the allowed values of each option."""
    if values[option.key] == option.default:
        return {}
    return {key: tuple(allowed) for key, allowed in option.needs.items() if values[key] not in allowed}
