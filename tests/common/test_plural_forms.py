"""The plural forms in which a page gives its scripts a sentence with a count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import override

from games.templatetags.page import plural_forms

BASE = Path(settings.BASE_DIR)


@pytest.mark.parametrize("language", ["es-AR", "es", "en"])
def test_every_language_has_an_example_number_for_each_plural_form(language):
    with override(language):
        assert {"one": 1, "other": 0} == dict(plural_forms())


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "{count} card is missing", "{count} cards are missing"),
        ("es", "falta {count} carta", "faltan {count} cartas"),
    ],
)
def test_the_pad_has_a_sentence_for_each_plural_form(language, one, many):
    with override(language):
        pad = render_to_string("play/_leftover.html", {"entry": {}})

    assert [("one", one), ("other", many)] == re.findall(r'data-text-lacks_(\w+)="\s*(.*?)\s*"', pad)


def test_no_template_gives_scripts_a_separate_singular_sentence():
    templates = "".join(file.read_text(encoding="utf-8") for file in (BASE / "templates").rglob("*.html"))

    assert [] == re.findall(r"""data-[\w-]+="{% translate ['"][^'"]*\b1 [^'"]*['"]""", templates)
