"""The Spanish of each country: `es` has every sentence, the other catalogs only what differs there.

`test_glossary.py` checks their words.
"""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override, pgettext, to_locale

from tests.test_translations import Message, catalogue, translations

SPANISH = [code for code, _name in settings.LANGUAGES if code != "en"]
COUNTRIES = [code for code in SPANISH if code != "es"]

# Django has these too, and its texts would take precedence over those of `es`, so each country repeats ours.
# Its Argentine weekdays have capitals and no accents.
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "sep")
BY_DJANGO = {"Add", "Remove", "The two password fields didn’t match.", *DAYS}


def translated_texts(language: str, message: Message) -> list[str]:
    """Return the texts that a page in this language shows for the message: one, or one for each plural form."""
    single, plural, context = message
    with override(language):
        if context:
            return [pgettext(context, single)]
        return [ngettext(single, plural, count) for count in (1, 2)] if plural else [gettext(single)]


def catalogue_texts(language: str) -> dict[Message, list[str]]:
    return translations(catalogue(to_locale(language)))


@pytest.mark.parametrize("language", SPANISH)
def test_what_a_country_does_not_say_differently_comes_from_es(language):
    everywhere = catalogue_texts("es")
    theirs = catalogue_texts(language)
    assert everywhere | theirs == {
        message: translated_texts(language, message) for message in everywhere | theirs
    }


@pytest.mark.parametrize("language", COUNTRIES)
def test_a_country_has_only_what_differs(language):
    everywhere = catalogue_texts("es")
    theirs = catalogue_texts(language)
    assert [] == [
        message
        for message, texts in theirs.items()
        if everywhere.get(message, texts) == texts and message[0] not in BY_DJANGO
    ]


# --- no English left --------------------------------------------------------------------------------------------------

ENGLISH = re.compile(r"\b(the|and|your?|this|that|with|not|for|from|who|of|is|are|was|to|it|have|by)\b", re.I)
UNCHANGED = re.compile(r"\{[^{}]*\}|%\([^()]*\)s|“[^”]*”")  # placeholders, and what programs send
ALIKE = {
    *(
        "pizza",
        "argentina",
        "asia",
        "australia",
        "chile",
        "costa",
        "rica",
        "paraguay",
        "chinchón",
        "conga",
        "loba",
    ),
    *("pool", "rummy", "yaniv", "101", "201", "de", "más", "menos", "no", "plan", "provisional", "sota"),
    *(
        "pontinho",
        "cacheta",
        "ramino",
        "rabino",
        "kalookie",
        "points",
        "rummikub",
        "tonk",
        "conquián",
        "continental",
        *("gin", "rum", "500"),
    ),
    "total",
    "color",
}


@pytest.mark.parametrize("language", SPANISH)
def test_no_english_is_left(language):
    messages = catalogue_texts("es")
    english = [
        text
        for message in messages
        for text in translated_texts(language, message)
        if ENGLISH.search(UNCHANGED.sub("", text))
        or (text in message and not set(re.findall(r"\w+", UNCHANGED.sub("", text).lower())) <= ALIKE)
    ]
    assert [] == english
