"""A pasted link of this site opens its page; any other link is refused."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Role
from games.tables.services import links
from tests.reader import read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/link/"


@pytest.fixture
def invitation(table, owner):
    """The address of a personal link to the table."""
    _link, token = links.create_personal(table, role=Role.SCORER, by=owner)
    return reverse("invitation", args=[token])


@pytest.mark.parametrize(
    "pasted",
    [
        "http://testserver{}",
        "  HTTP://TESTSERVER{}  ",
        "Vení a la mesa, se anota acá:\n http://testserver{}",
        "{}",
        "http://testserver{}?utm_source=chat#top",
        "Entrá por http://testserver{}.",
        "Es este: http://testserver{}, ¿venís?",
        "la mesa (http://testserver{}).",
        "<http://testserver{}>",
        "\u201chttp://testserver{}\u201d",
        "«http://testserver{}»…",
        "*http://testserver{}* _",
        "http://testserver{}\u2069",
    ],
)
def test_a_pasted_invitation_opens_with_anything_around_its_address(nobody, invitation, pasted):
    response = nobody.post(ADDRESS, {"link": pasted.format(invitation)})

    assert (302, invitation) == (response.status_code, response.url)
    assert invitation == nobody.post(ADDRESS, {"link": pasted.format(invitation[:-1])}).url


@pytest.mark.parametrize(
    "following", [".", ",", "!", ")", ").", "”.", "»", "'", ">", "/.", "_", "%E2%80%A6", "\u2069"]
)
def test_an_address_with_the_punctuation_that_follows_it_leads_to_its_page(
    nobody, invitation, game, following
):
    sheet = reverse("sheet", args=[game.code])
    for page in (invitation, sheet):
        response = nobody.get(f"{page}{following}")

        assert (302, page) == (response.status_code, response.get("Location"))


def test_an_address_without_its_slash_but_with_a_full_stop_leads_to_its_page(nobody, invitation):
    assert invitation == nobody.get(f"{invitation.rstrip('/')}.").url


def test_an_address_in_italics_is_one_without_the_underscores(nobody, invitation):
    assert invitation == nobody.post(ADDRESS, {"link": f"_http://testserver{invitation}_!"}).url


def test_any_other_address_with_a_full_stop_is_unknown(subtests, nobody, invitation):
    for path in (f"{invitation}more/.", "/i/.", "/.", "/logout/.", "/t/"):
        with subtests.test(path):
            assert 404 == nobody.get(path).status_code
    assert 404 == nobody.post(f"{invitation}.").status_code


def test_a_pasted_sign_in_link_and_the_address_of_a_table_or_game_open(nobody, owner, game):
    table, sheet = reverse("lobby", args=[game.table.code]), reverse("sheet", args=[game.code])
    for page in (f"/in/{links.create_sign_in(owner)}/", table, sheet):
        assert page == nobody.post(ADDRESS, {"link": f"http://testserver{page}"}).url


def test_a_pasted_link_with_another_allowed_host_opens_here(nobody, invitation, settings):
    settings.ALLOWED_HOSTS = ["testserver", "mesa.casa"]

    assert invitation == nobody.post(ADDRESS, {"link": f"http://mesa.casa:8000{invitation}"}).url


FOREIGN_LINK = "This link is from another site. Only links to this site open here."
INCOMPLETE_LINK = "This link is incomplete. Copy the whole link as you received it."
NO_LINK = "That doesn't look like a link. Links start with http."


def test_any_other_link_is_refused_beside_its_field_and_stays_in_the_form(subtests, nobody, invitation):
    for pasted, sentence in [
        ("https://example.com{}", FOREIGN_LINK),
        ("//example.com{}", FOREIGN_LINK),
        ("http://testserver@example.com{}", FOREIGN_LINK),
        ("http://testserver.example.com{}", FOREIGN_LINK),
        ("http://[{}", NO_LINK),
        ("http://testserver/i/", INCOMPLETE_LINK),
        ("http://testserver/logout/", INCOMPLETE_LINK),
        ("http://testserver/api/v1/me/", INCOMPLETE_LINK),
        ("", NO_LINK),
        ("los jueves", NO_LINK),
        ("javascript:alert(1)", NO_LINK),
    ]:
        with subtests.test(pasted=pasted):
            response = nobody.post(ADDRESS, {"link": pasted.format(invitation)})
            page = read_page(response)

            assert (422, sentence) == (response.status_code, page.said_at("link"))
            assert pasted.format(invitation) == page.typed("link")
