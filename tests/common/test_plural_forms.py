"""The plural forms in which a page gives its scripts a sentence with a count."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override


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
