"""`es` holds only what differs from `es_AR`, and everything else is read there; `test_glossary.py` says in which words."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override

LOCALES = Path(settings.BASE_DIR) / "games" / "locale"
OURS, THEIRS = (polib.pofile(str(LOCALES / name / "LC_MESSAGES" / "django.po")) for name in ("es_AR", "es"))


def said_in(language: str, entry: polib.POEntry) -> list[str]:
    """What a page says for this sentence: one text, or that of one and that of several."""
    with override(language):
        if entry.msgid_plural:
            return [ngettext(entry.msgid, entry.msgid_plural, count) for count in (1, 2)]
        return [gettext(entry.msgid)]


def texts_of(entry: polib.POEntry) -> list[str]:
    """What the catalogue has for it."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.fixture(scope="module")
def theirs() -> dict[str, list[str]]:
    return {entry.msgid: texts_of(entry) for entry in THEIRS}


def test_a_sentence_is_theirs_or_ours_and_never_anybody_elses(theirs):
    expected = [theirs.get(entry.msgid, texts_of(entry)) for entry in OURS]
    assert expected == [said_in("es", entry) for entry in OURS]


def test_what_is_said_the_same_way_stands_in_one_place():
    ours = {(entry.msgid, entry.msgid_plural): texts_of(entry) for entry in OURS}
    alike = [
        entry.msgid for entry in THEIRS if ours.get((entry.msgid, entry.msgid_plural)) == texts_of(entry)
    ]
    assert [] == [entry.msgid for entry in THEIRS if (entry.msgid, entry.msgid_plural) not in ours]
    assert [] == alike
    assert [] == [
        entry.msgid for entry in THEIRS if entry.fuzzy or entry.obsolete or not all(texts_of(entry))
    ]
