"""A member's name and colour: a change shows in every game ever played; the player id never changes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import read_page
from tests.tables import a_round

pytestmark = pytest.mark.django_db


def _address(table, member="beto"):
    return reverse("member", args=[table.code, member])


def test_the_form_holds_what_there_is(ana, table):
    page = read_page(ana.get(_address(table)))

    assert ("Beto", "2") == (page.typed("name"), page.typed("colour"))
    assert 8 == len(page.every("input", type="radio"))


def test_a_new_name_stands_everywhere_and_the_id_stays(ana, finished, table):
    response = ana.post(_address(table), {"name": " Alberto ", "colour": "6"})
    member = table.members.get(slug="beto")

    assert (302, reverse("table", args=[table.code])) == (response.status_code, response.url)
    assert ("Alberto", 6) == (member.name, member.colour)
    assert "Alberto" in read_page(ana.get(reverse("sheet", args=[finished.code]))).only("main").text
    assert 6 == Record.objects.count()


def test_what_is_odd_and_what_is_refused_speak_of_the_new_name(ana, game, table, write):
    ana.post(_address(table), {"name": "Alberto", "colour": "2"})
    write(game, a_round("ana", beto=1, caro=40, dani=9))
    labels = [
        link.attrs["aria-label"]
        for link in read_page(ana.get(reverse("sheet", args=[game.code]))).every("a", class_="cell")
    ]
    refused = ana.post(
        reverse("play-round", args=[game.code]),
        {"after": "2", "key": "k", "closer": "ana", "closing": "out", "hand-caro": "1", "hand-dani": "2"},
    )

    assert any("Alberto" in label for label in labels)
    assert not any("Beto" in label for label in labels)
    assert "The hand of Alberto is missing." in read_page(refused).only("main").text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."),
        ("caro", "This table already has a member called caro. Choose another name."),
        ("x" * 21, "At most 20 characters fit here."),
        ('El "Flaco"', "Write it without double quotes."),
    ],
)
def test_a_name_that_cannot_be_is_refused_at_its_field_and_stays_typed(ana, table, name, sentence):
    response = ana.post(_address(table), {"name": name, "colour": "5"})
    page = read_page(response)

    assert (422, sentence, name, "5") == (
        response.status_code,
        page.said_at("name"),
        page.typed("name"),
        page.typed("colour"),
    )
    assert "Beto" == table.members.get(slug="beto").name


@pytest.mark.parametrize("colour", ["", "0", "9", "red", "\u0661"])
def test_a_colour_there_is_not_is_refused(ana, table, colour):
    response = ana.post(_address(table), {"name": "Beto", "colour": colour})

    assert (422, "Choose one of the colours.") == (
        response.status_code,
        read_page(response).said_at("colour"),
    )


def test_ones_own_name_may_be_written_otherwise(ana, table):
    assert 302 == ana.post(_address(table), {"name": "BETO", "colour": "2"}).status_code


def test_nobody_of_this_name_is_not_there(ana, table):
    assert 404 == ana.get(_address(table, "zoe")).status_code


def test_a_member_is_led_to_the_account_where_one_stops_playing(ana, table):
    page = read_page(ana.get(_address(table)))

    assert reverse("account", args=[table.code, "beto"]) == page.link("Account of Beto")
