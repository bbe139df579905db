"""The maximum length of each form field is that of the server; no template sets its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.play.pages.forms import LONGEST_POINTS, read_points
from games.play.pages.opened import LENGTHS
from tests.every_page import address
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
        ("more", "points", "points"),
        ("more", "reason", "reason"),
        ("more", "to-name", "name"),
    ],
)
def test_a_field_takes_as_much_as_the_server(ana, table, game, page, field, kind):
    inputs = read_page(ana.get(address(page, game=game, table=table))).every("input", name=field)

    assert {str(LENGTHS[kind])} == {box.attrs["maxlength"] for box in inputs}


def test_points_are_read_up_to_their_length():
    longest = "-" + "9" * (LONGEST_POINTS - 1)

    assert (int(longest), None) == (read_points(longest), read_points(longest + "9"))
