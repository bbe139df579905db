"""The maximum length of each form field is that of the server; no template sets its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from games.play.pages.forms import LONGEST_POINTS, read_points
from games.play.pages.opened import LENGTHS
from tests.reader import read_page

PAGES = Path(settings.BASE_DIR) / "templates"
LOGIN = "login.html"  # Django's own field


def test_no_template_holds_a_length_of_its_own():
    bare = re.compile(r"""(?:maxlength=["']?|longest=)[0-9]+""")

    assert [] == [
        (page.name, length)
        for page in sorted(PAGES.rglob("*.html"))
        if page.name != LOGIN
        for length in bare.findall(page.read_text())
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "field", "kind"),
    [
        ("lobby", "name", "name"),
        ("table-settings", "table-name", "table_name"),
        ("accounts", "amount", "amount"),
        ("season", "name", "season_name"),
    ],
)
def test_a_field_takes_as_much_as_the_server(ana, table, page, field, kind):
    inputs = read_page(ana.get(reverse(page, args=[table.code]))).every("input", name=field)

    assert {str(LENGTHS[kind])} == {box.attrs["maxlength"] for box in inputs}


@pytest.mark.django_db
def test_a_penalty_takes_as_much_as_the_server(ana, game):
    page = read_page(ana.get(reverse("more", args=[game.code])))

    assert [str(LENGTHS[kind]) for kind in ("points", "reason", "name")] == [
        page.only("input", name=name).attrs["maxlength"] for name in ("points", "reason", "to-name")
    ]


def test_points_are_read_up_to_their_length():
    longest = "-" + "9" * (LONGEST_POINTS - 1)

    assert (int(longest), None) == (read_points(longest), read_points(longest + "9"))
