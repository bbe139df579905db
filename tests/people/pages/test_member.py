"""A member's name and colour: a change shows in every game ever played; the player id never changes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def _address(table, member="beto"):
    return reverse("member", args=[table.code, member])


def test_the_form_holds_the_members_present_name_and_colour(ana, table):
    page = read_page(ana.get(_address(table)))

    assert ("Beto", "2") == (page.typed("name"), page.typed("colour"))
    assert 8 == len(page.every("input", type="radio"))


def test_a_renamed_member_keeps_their_id_and_shows_the_new_name_in_old_games(ana, finished, table):
    response = ana.post(_address(table), {"name": " Alberto ", "colour": "6"})
    member = table.members.get(slug="beto")

    assert (302, reverse("table", args=[table.code])) == (response.status_code, response.url)
    assert ("Alberto", 6) == (member.name, member.colour)
    assert "Alberto" in read_page(ana.get(reverse("sheet", args=[finished.code]))).only("main").text
    assert 6 == Record.objects.count()


def test_an_empty_or_taken_name_is_refused_beside_its_field_and_stays_in_the_form(subtests, ana, table):
    for name, sentence in [
        ("", "Enter a name."),
        ("caro", "This table already has a member called Caro. Choose another name."),
    ]:
        with subtests.test(name=name):
            response = ana.post(_address(table), {"name": name, "colour": "5"})
            page = read_page(response)

            assert (422, sentence, name, "5") == (
                response.status_code,
                page.said_at("name"),
                page.typed("name"),
                page.typed("colour"),
            )
            assert "Beto" == table.members.get(slug="beto").name


def test_a_member_can_be_renamed_to_their_own_name_in_capitals(ana, table):
    assert 302 == ana.post(_address(table), {"name": "BETO", "colour": "2"}).status_code


def test_the_page_of_an_unknown_member_is_a_404(ana, table):
    assert 404 == ana.get(_address(table, "zoe")).status_code


def test_the_page_of_a_member_links_to_the_members_account(ana, table):
    page = read_page(ana.get(_address(table)))

    assert reverse("account", args=[table.code, "beto"]) == page.link("Account of Beto")
