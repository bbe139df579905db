"""The faces of people whose names begin alike: each person has the same letters on every page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common.naming import avatar_letters
from games.scoring.text.notation import parse_line
from tests.factories import make_table, start
from tests.page_urls import visible_pages
from tests.reader import open_page, picture_data, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

PEOPLE = ("Mariela", "Martín", "Marcos", "Marta", "Mónica", "Manuel", "Miguel", "Mercedes")
LETTERS = dict(zip(PEOPLE, avatar_letters(dict(enumerate(PEOPLE))).values(), strict=True))


@pytest.fixture
def alike(owner, write):
    """A finished and a running game of eight people whose names begin with M."""
    table = make_table(owner, people=PEOPLE)
    first, *others = [member.slug for member in table.members.all()]
    for points in (101, 7):
        game = start(table, owner, packs=3, stake=100)
        write(game, *parse_line(f"round {first} out {' '.join(f'{player}={points}' for player in others)}"))
    return table


def test_eight_names_with_one_initial_are_eight_faces_on_every_page_and_picture(ana, alike):
    seen = set()
    for name, response in visible_pages(ana, alike, *alike.games.order_by("pk")):
        if "html" not in response.headers["Content-Type"]:
            continue
        page = read_page(response)
        faces = [node.text for node in page.every() if "av" in node.attrs.get("class", "").split()]
        letters = [
            node.attrs["data-initial"] for node in page.every("option") if "data-initial" in node.attrs
        ]
        assert set() == {*faces, *letters} - {*LETTERS.values(), "+", ""}, name
        seen |= {*faces}
    assert {*LETTERS.values()} <= seen
    assert 8 == len({*LETTERS.values()})

    over = alike.games.get(ended_at__isnull=False)
    poster = picture_data(open_page(ana, reverse("settlement", args=[over.code])))
    assert LETTERS == {person["name"]: person["initial"] for person in poster["people"]}
