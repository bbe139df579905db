"""Sentences in the reader's language: those of the scoring package, and those that a page gives its scripts."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from django.utils.translation import override

from games.common import texts
from games.play.presenters import script_messages
from games.scoring.i18n import Text, _, ngettext
from games.scoring.variants import get_variant


class Spanish(NullTranslations):
    """A catalog with a few translations, so that the test does not depend on the project's own."""

    words = {
        "{name} is not in the game.": "{name} no está en juego.",
        "The table is full.": "La mesa está llena.",
        "{game} is for {least} players.": "{game} es para {least}.",
        "Few-points Loba": "Loba de Menos",
    }

    def gettext(self, message):
        return self.words.get(message, message)

    def ngettext(self, msgid1, msgid2, n):
        plurals = {"{count} card": ("{count} carta", "{count} cartas")}
        return plurals.get(msgid1, (msgid1, msgid2))[n != 1]


@pytest.fixture
def spanish(monkeypatch):
    with override("es-ar"):
        monkeypatch.setattr("django.utils.translation.trans_real._active.value", Spanish())
        yield


def test_a_sentence_is_translated_before_its_placeholders_are_filled(spanish):
    assert "Ana no está en juego." == texts.translate(_("{name} is not in the game.", name="Ana"))


def test_a_nested_text_is_translated_too(spanish):
    text = _("{game} is for {least} players.", game=_("Few-points Loba"), least=2)

    assert "Loba de Menos es para 2." == texts.translate(text)


def test_the_translation_follows_the_plural_form(spanish):
    singular, three = (texts.translate(ngettext("{count} card", "{count} cards", count)) for count in (1, 3))

    assert ("1 carta", "3 cartas") == (singular, three)


def test_a_name_with_braces_is_kept(spanish):
    assert "{name} no está en juego." == texts.translate(_("{name} is not in the game.", name="{name}"))


def test_numbers_are_formatted_for_the_readers_language(spanish):
    assert "10.000 cartas" == texts.translate(ngettext("{count} card", "{count} cards", 10000))


def test_an_empty_text_stays_empty(spanish):
    assert "" == texts.translate(Text(""))


@pytest.mark.parametrize(
    ("language", "singular", "many"),
    [
        ("en", "{count} card is missing", "{count} cards are missing"),
        ("es", "falta {count} carta", "faltan {count} cartas"),
    ],
)
def test_the_pad_has_a_sentence_for_each_plural_form(language, singular, many):
    chinchon = get_variant("chinchon")
    with override(language):
        messages = script_messages.pad_messages(
            chinchon.build(chinchon.house()), is_own=False, takes_offers=False
        )

    assert (singular, many) == (messages["lacks_one"], messages["lacks_other"])
