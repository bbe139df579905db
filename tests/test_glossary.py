"""The vocabulary of all Spanish: the words of the project and of each country, vos or tú, no foreign words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.test_regional_spanish import catalogue_texts, translated_texts

BASE = Path(settings.BASE_DIR)


class Rule(NamedTuple):
    """Forbidden words, with the replacement, the reason, and a sentence the rule must catch."""

    never: str
    say: str
    reason: str
    bad: str


FILE = Path(__file__).with_name("glossary.toml")
WORDS = {
    name: tuple(Rule(**rule) for rule in rules)
    for name, rules in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
}
# The general rules whose word differs in countries with tú, or in Spain.
IN_VOS_ALONE = {"plata", "planilla"}
NOT_IN_SPAIN = {"salió, cortó", "pozo", "celular", "mazo", "adelante, atrás", "ustedes"}


def select_rules(*names: str, but: Collection[str] = ()) -> list[Rule]:
    """Return the rules of these parts of the glossary, except those for these words."""
    return [rule for name in names for rule in WORDS[name] if rule.say not in but]


WITH_TU = ("ours", "books", "everybody", "plain", "tu", "friends", "neutral")
RULES = {
    "es-ar": select_rules("ours", "books", "everybody", "vos", "friends", "plain", "outside_chile"),
    "es": select_rules(*WITH_TU, "outside_chile", but=IN_VOS_ALONE),
    "es-es": select_rules(*WITH_TU, "outside_chile", "spain", but=IN_VOS_ALONE | NOT_IN_SPAIN),
    "es-cl": select_rules(*WITH_TU, "chile", but=IN_VOS_ALONE),
}
GAP = re.compile(r"\{[^{}]*\}|%\([^()]*\)s")  # a placeholder, whose name no reader sees

# Spanish outside the catalog would be shown to readers of English.
SPANISH_LETTERS = re.compile("[áéíóúñÁÉÍÓÚÑ¿¡ºª]")


def finds(rule: Rule, text: str) -> bool:
    return re.search(rf"(?<!\w)(?:{rule.never})(?!\w)", text, re.IGNORECASE | re.MULTILINE) is not None


def complaints(texts: Iterable[str], language: str) -> list[str]:
    """Return a sentence for each rule that these texts break."""
    visible = [GAP.sub("…", text) for text in texts]
    broken = [rule for rule in RULES[language] if finds(rule, "\n".join(visible))]
    return [
        f"“{text}”: say {rule.say} ({rule.reason})"
        for rule in broken
        for text in visible
        if finds(rule, text)
    ]


@cache
def spanish(language: str) -> list[str]:
    """Return every translation into this language, from all catalogs of the pages."""
    return [text for message in catalogue_texts("es") for text in translated_texts(language, message)]


@pytest.mark.parametrize("language", RULES)
def test_only_words_of_the_glossary_are_used(language):
    assert [] == complaints(spanish(language), language)


def test_the_words_that_no_sentence_may_use_are_found():
    assert [] == [rule for rules in WORDS.values() for rule in rules if not finds(rule, rule.bad)]


def test_no_template_contains_spanish():
    """Names of games are exempt: they are the same in English."""
    pages = sorted((BASE / "templates").rglob("*.html"))
    assert [] == [
        str(page.relative_to(BASE))
        for page in pages
        if SPANISH_LETTERS.search(page.read_text(encoding="utf-8").replace("Chinchón", ""))
    ]
