"""Names in a page that a browser translates: all of a page is exempt, but for texts that have no name in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.every_page import shown
from tests.reader import read_page
from tests.worlds import become, make_table, start, won_by

TEMPLATES = Path(settings.BASE_DIR) / "templates"
NAMES = ("Rosa", "Dolores", "Ángel", "Blanca")
TABLE = "Los Reyes"


@pytest.fixture
def pages(ana, owner, write):
    """Every page of a table with one game, and the pages that lead to it."""
    table = make_table(owner, people=NAMES, name=TABLE)
    become(owner, table.members.get(slug="rosa"))
    game = start(table, owner)
    write(game, won_by("rosa", "dolores", "angel", "blanca"))
    others = {path: ana.get(path) for path in ("/", "/you/", "/new/", "/bring/", "/example/", "/nothing/")}
    pages = {**dict(shown(ana, table, game)), **others}
    return {
        name: read_page(page) for name, page in pages.items() if page["Content-Type"].startswith("text/html")
    }


@pytest.mark.django_db
def test_no_name_of_a_person_or_a_table_stands_where_a_browser_translates(pages):
    exempt = {name for name, page in pages.items() if page.only("html").attrs.get("translate") == "no"}
    translated = [
        (name, word)
        for name, page in pages.items()
        for text in page.every(translate="yes")
        for word in (*NAMES, TABLE)
        if word in text.text or any(word in value for value in text.attrs.values())
    ]

    assert set(pages) == exempt
    assert [] == translated
    assert any(TABLE in page.text for page in pages.values())
    assert len(pages) > 20


def test_every_document_is_exempt_also_those_that_scripts_fill():
    tags = [
        (str(file.relative_to(TEMPLATES)), tag)
        for file in TEMPLATES.rglob("*.html")
        for tag in re.findall(r"<html\b[^>]*>", file.read_text(encoding="utf-8"))
    ]

    assert len(tags) >= 5
    assert [] == [file for file, tag in tags if 'translate="no"' not in tag]
