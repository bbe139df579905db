"""Polls of the sheet and the board; and the board, with totals and the next step in large digits."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common.poll_tickets import PageVersion
from games.play.services import recording
from games.scoring.events import PlayerLeft, PlayerReentered
from tests.factories import build_round, grant_access, make_user, new_key
from tests.reader import open_page, read_page

pytestmark = pytest.mark.django_db


def poll_address(client, game, view="sheet"):
    """Return the address that the phone polls while it shows the present sheet, or the board."""
    page = read_page(client.get(reverse(view, args=[game.code])))
    return page.only(id="news").attrs["data-live"]


def poll_news(client, where):
    """Return the sentence about the last entry in the response to a poll; None if there is no news."""
    response = client.get(where)
    if response.status_code == 204:
        assert b"" == response.content
        return None
    assert 200 == response.status_code
    return read_page(response).only(id="news").attrs["data-latest"]


@pytest.mark.parametrize("view", ["sheet", "board"])
def test_a_poll_gets_204_without_news_and_names_a_round_that_was_recorded_since(waldo, game, write, view):
    where = poll_address(waldo, game, view)
    assert None is poll_news(waldo, where)
    write(game, build_round("ana", beto=23, caro=40, dani=9))

    assert "Round 1: Ana went out" == poll_news(waldo, where)
    assert None is poll_news(waldo, poll_address(waldo, game, view))


def test_a_poll_of_a_finished_game_links_to_the_rematch(waldo, owner, finished):
    where = poll_address(waldo, finished)
    rematch = recording.start_game(finished.table, recording.build_rematch(finished), key=new_key(), by=owner)

    assert f"/g/{rematch.code}/" == read_page(waldo.get(where)).link("The next game")


# --- drawn once for all who watch (what was drawn for one is shown to no other: test_shared_pages.py) ------------------


@pytest.mark.parametrize("name", ["live-sheet", "live-board"])
def test_witnesses_share_a_rendering_without_users_data(waldo, client_for, game, write, name, monkeypatch):
    wanda = client_for(grant_access(make_user("wanda"), game.table).user)
    where, spent = reverse(name, args=[game.code, PageVersion(0)]), {"X-Ticket": "spent"}
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    first = waldo.get(where, headers=spent)
    page = read_page(first)
    assert "data-person" not in page.only("main").attrs
    assert "" == page.only(id="news").attrs["data-ticket"]
    monkeypatch.setattr("games.play.views.sheet.render_to_string", None)  # not even without a ticket

    assert first.content == wanda.get(where, headers=spent).content


# --- the board ---------------------------------------------------------------------------------------------------------


def test_the_board_shows_totals_by_place_margins_dealer_and_pot(waldo, game, write):
    write(game, build_round("ana", beto=23, caro=92, dani=9))
    page = open_page(waldo, reverse("board", args=[game.code]))

    assert [
        "A Ana 0 leads 0 101 to bust",
        "D Dani 9 9 92 to bust",
        "B Beto deals 23 23 78 to bust",
        "C Caro 92 92 9 to bust",
    ] == [spot.text for spot in page.every("ul")[0].every("li")]
    assert "Pot $400" in page.only("header").text
    assert "Round 1: Ana went out" == page.only(id="news").text
    assert "Round 2" in page.only("h1").text
    assert "Limit 101" in page.only("h1").text


def test_the_board_orders_players_who_are_gone_or_tied_as_their_places_would_be_now(waldo, game, write):
    def initials():
        page = open_page(waldo, reverse("board", args=[game.code]))
        return "".join(seat.text[0] for seat in page.every("ul")[0].every("li"))

    write(game, build_round("caro", ana=101, beto=20, dani=20))
    assert "CBDA" == initials()  # Ana is bust and asked
    write(game, PlayerReentered("ana"))
    assert "CABD" == initials()  # back in at 20; equal totals are in the order of the seats
    write(game, PlayerLeft("caro"))
    write(game, build_round("dani", ana=1, beto=2))
    assert "DABC" == initials()


def test_the_board_shows_the_newest_five_rounds_of_each_player_and_what_coming_back_costs(waldo, game, write):
    for number in range(1, 7):
        write(game, build_round("ana", beto=number, caro=2, dani=3))
    page = open_page(waldo, reverse("board", args=[game.code]))

    assert ["2", "3", "4", "5", "6"] == [
        hand.text
        for hand in page.every("p", class_="hands")[-1].every("span")  # Beto is last
    ]
    assert "Coming back costs $100" == page.only("p", class_="coming-back soft").text
