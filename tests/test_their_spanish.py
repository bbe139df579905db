"""The catalogue `es`: it has only what differs from `es_AR`, to which it falls back.

`test_glossary.py` checks its words.
"""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override

LOCALES = Path(settings.BASE_DIR) / "games" / "locale"
OURS, THEIRS = (polib.pofile(str(LOCALES / name / "LC_MESSAGES" / "django.po")) for name in ("es_AR", "es"))


def shown_in(language: str, entry: polib.POEntry) -> list[str]:
    """Return what a page in this language shows for the entry: one text, or one for each plural form."""
    with override(language):
        if entry.msgid_plural:
            return [ngettext(entry.msgid, entry.msgid_plural, count) for count in (1, 2)]
        return [gettext(entry.msgid)]


def texts_of(entry: polib.POEntry) -> list[str]:
    """Return the catalogue's translations of the entry."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.fixture(scope="module")
def theirs() -> dict[str, list[str]]:
    return {entry.msgid: texts_of(entry) for entry in THEIRS}


def test_every_sentence_of_es_comes_from_es_or_from_es_ar(theirs):
    expected = [theirs.get(entry.msgid, texts_of(entry)) for entry in OURS]
    assert expected == [shown_in("es", entry) for entry in OURS]


def test_a_translation_that_is_the_same_is_in_es_ar_only():
    ours = {(entry.msgid, entry.msgid_plural): texts_of(entry) for entry in OURS}
    alike = [
        entry.msgid for entry in THEIRS if ours.get((entry.msgid, entry.msgid_plural)) == texts_of(entry)
    ]
    assert [] == [entry.msgid for entry in THEIRS if (entry.msgid, entry.msgid_plural) not in ours]
    assert [] == alike
    assert [] == [
        entry.msgid for entry in THEIRS if entry.fuzzy or entry.obsolete or not all(texts_of(entry))
    ]
