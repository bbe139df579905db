"""Names with right-to-left letters: isolated where they are shown (`test_every_page.py`), and nowhere else."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common.names import has_right_to_left, isolated, read_name, same_name
from tests.reader import read_page

pytestmark = pytest.mark.django_db

LAYLA, DAVID = "ليلى", "דוד"


def test_the_page_of_a_member_keeps_the_readers_pseudonym(subtests, ana, table):
    reader = read_page(ana.get("/")).only("main").attrs["data-person"]
    for page in ("account", "player"):
        with subtests.test(page):
            main = read_page(ana.get(reverse(page, args=[table.code, "beto"]))).only("main")
            assert reader == main.attrs["data-person"] != ""


def test_only_names_with_right_to_left_letters_are_isolated():
    names = ["Ana", "Zoë 2", "李", "♠", "", LAYLA, f"Ana {DAVID}", isolated(LAYLA)]
    marked = [isolated(name) for name in names]

    assert [*names[:5], "\u2068ليلى\u2069", "\u2068Ana דוד\u2069", "\u2068ليلى\u2069"] == marked


def test_a_name_copied_with_its_marks_is_the_same_name():
    assert LAYLA == read_name(isolated(LAYLA), longest=20)
    assert same_name(LAYLA, isolated(LAYLA))


@pytest.fixture
def layla(table):
    """Ana, who gets an Arabic name before the first game."""
    table.members.filter(slug="ana").update(name=LAYLA)


def test_files_notation_and_the_api_have_no_marks(layla, ana, table, finished, pay):
    pay("beto", "ana", 7)
    for page, args in [
        ("export", [finished.code]),
        *(("download", [table.code, what]) for what in ("results", "payments")),
        ("api-table-detail", [table.code]),
        ("api-game-detail", [finished.code]),
    ]:
        text = ana.get(reverse(page, args=args)).getvalue().decode()
        assert has_right_to_left(text), page
        assert "\u2068" not in text, page
