"""A pasted link of this site opens its page; any other link is refused."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Role
from games.people.invitations import LASTS, make_invite
from games.people.sign_in_links import make_link
from tests.reader import read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/link/"


@pytest.fixture
def invitation(table, owner):
    """The address of an invitation on this site."""
    _invite, token = make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)
    return reverse("invitation", args=[token])


@pytest.mark.parametrize(
    "pasted",
    [
        "http://testserver{}",
        "  HTTP://TESTSERVER{}  ",
        "Vení a la mesa, se anota acá:\n http://testserver{}",
        "{}",
        "http://testserver{}?utm_source=chat#top",
    ],
)
def test_a_link_opens_what_it_leads_to_with_the_words_it_came_in(nobody, invitation, pasted):
    response = nobody.post(ADDRESS, {"link": pasted.format(invitation)})

    assert (302, invitation) == (response.status_code, response.url)
    assert 200 == nobody.get(response.url).status_code


def test_a_link_that_lost_its_last_stroke_opens_too(nobody, invitation):
    assert invitation == nobody.post(ADDRESS, {"link": f"http://testserver{invitation[:-1]}"}).url


def test_a_sign_in_link_opens_too(nobody, owner):
    page = f"/in/{make_link(owner)}/"

    assert page == nobody.post(ADDRESS, {"link": f"http://testserver{page}"}).url


def test_a_link_under_another_name_of_this_site_opens_here(nobody, invitation, settings):
    settings.ALLOWED_HOSTS = ["testserver", "mesa.casa"]

    assert invitation == nobody.post(ADDRESS, {"link": f"http://mesa.casa:8000{invitation}"}).url


@pytest.mark.parametrize("name", ["table", "sheet"])
def test_what_is_shared_of_a_table_opens_too(nobody, game, name):
    code = game.table.code if name == "table" else game.code
    page = reverse(name, args=[code])

    assert page == nobody.post(ADDRESS, {"link": f"http://testserver{page}"}).url


ELSEWHERE = "This link is from another site. Only links to this site open here."
NOWHERE = "This link is incomplete. Copy the whole link as you received it."
NO_LINK = "That doesn't look like a link. Links start with http."


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("https://example.com{}", ELSEWHERE),
        ("//example.com{}", ELSEWHERE),
        ("http://testserver@example.com{}", ELSEWHERE),
        ("http://testserver.example.com{}", ELSEWHERE),
        ("http://[{}", NO_LINK),
        ("http://testserver/i/", NOWHERE),
        ("http://testserver/logout/", NOWHERE),
        ("http://testserver/api/v1/me/", NOWHERE),
        ("", NO_LINK),
        ("los jueves", NO_LINK),
        ("javascript:alert(1)", NO_LINK),
    ],
)
def test_any_other_is_refused_at_its_field_with_what_was_pasted(nobody, invitation, pasted, sentence):
    response = nobody.post(ADDRESS, {"link": pasted.format(invitation)})
    page = read_page(response)

    assert (422, sentence) == (response.status_code, page.said_at("link"))
    assert pasted.format(invitation) == page.typed("link")
