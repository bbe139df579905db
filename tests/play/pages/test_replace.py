"""A seat handed over to another person, with its total, its re-entries and its money."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Member, Record
from games.people.members import add_member
from tests.reader import fields, read_page
from tests.tables import a_key, a_round

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("replace", args=[game.code])


def _payload(game, **changes):
    return fields(
        **{"after": len(game.log()), "key": a_key(), "seat_player": "dani", "to_name": "Eva", **changes}
    )


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    return game


def refused(client, game, *, status=422, **changes):
    before, payload = (Record.objects.count(), Member.objects.count()), _payload(game, **changes)
    response = client.post(_address(game), payload)
    page = read_page(response)

    assert (status, before) == (response.status_code, (Record.objects.count(), Member.objects.count()))
    if payload["to-name"].isprintable():
        assert payload["to-name"].strip() == page.typed("to-name").strip()
    return page


def test_a_new_player_takes_over_a_seat(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert ["ana", "beto", "caro", "eva"] == [player.id for player in game.state().players]
    assert 9 == game.state().player("eva").total
    assert ["Eva plays on for Dani"] == read_page(ana.get(response.url)).last


def test_a_member_takes_over_a_seat(ana, game):
    add_member(game.table, "Eva")
    ana.post(_address(game), _payload(game, to="eva", to_name=""))

    assert (5, "eva") == (Member.objects.count(), game.state().players[-1].id)


def test_an_unknown_seat_is_refused_at_its_field(subtests, ana, game):
    for player in ["", "zed", "<b>"]:
        with subtests.test(player=player):
            page = refused(ana, game, seat_player=player)

            assert page.said_at("seat-player") == (
                "Choose a player." if not player else f"{player} is not at this table."
            )
            assert "open" in page.only("details", id="replace").attrs


def test_an_invalid_name_is_refused_at_its_field(subtests, ana, game):
    for name, sentence in [
        ("", "Choose a player or enter a name."),
        ("caro", "This table already has a member called Caro. Choose another name."),
    ]:
        with subtests.test(name=name):
            assert sentence == refused(ana, game, to_name=name).said_at("to-name")


def test_a_player_or_an_unknown_member_cannot_take_over_a_seat(subtests, ana, game):
    for to in ["zed", "beto", "\x00"]:
        with subtests.test(to=to):
            expected = "Beto is at the table already." if to == "beto" else "Choose a player."

            assert expected == refused(ana, game, to=to).said_at("to-name")
