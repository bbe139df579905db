"""The re-entry desk: each bust player is asked, with price, score and margin; polls show others' answers."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring.events import (
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PointsAdjusted,
    SeatHandedOver,
)
from games.tables.services import membership
from tests.factories import build_round, new_key, start
from tests.reader import fields, read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("reentry", args=[game.code])


def _payload(game, **changes):
    return fields(
        **{"after": len(game.log()), "key": new_key(), "player": "beto", "answer": "reenter", **changes}
    )


@pytest.fixture
def game(game, write):
    """A game in which Beto and Caro are bust after round 1. The highest score still in is 60."""
    write(game, build_round("ana", beto=101, caro=120, dani=60))
    return game


def seat_states(game):
    return {player.id: (str(player.seat), player.total) for player in game.state().players}


def test_each_bust_player_is_asked_and_the_last_answer_leads_to_the_sheet(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert (302, _address(game)) == (response.status_code, response.url)
    assert ("in", 60) == seat_states(game)["beto"]
    assert "Is Caro coming back?" == read_page(ana.get(response.url)).only("p", class_="ask").text

    response = ana.post(_address(game), _payload(game, player="caro", answer="stay_out"))
    assert (f"/g/{game.code}/", ("out", 120)) == (response.url, seat_states(game)["caro"])
    assert ["Caro stays out"] == read_page(ana.get(response.url)).last
    assert f"/g/{game.code}/" == ana.get(_address(game)).url, "nobody is bust any more"


def test_the_page_links_to_a_correction_of_the_round_or_penalty_that_made_a_player_bust(
    ana, table, owner, write
):
    first, second = start(table, owner), start(table, owner)
    write(first, build_round("ana", beto=101, caro=20, dani=60))
    write(second, build_round("ana", beto=1, caro=20, dani=60))
    write(second, PointsAdjusted("beto", 100, "renuncio"))

    for game, question, number in [(first, "round 1", 2), (second, "the penalty", 3)]:
        link = read_page(ana.get(_address(game))).link(f"Is {question} wrong? Correct it")
        assert reverse("correct", args=[game.code, number]) == link


def test_the_page_shows_price_score_margin_and_pot(ana, game):
    page = read_page(ana.get(_address(game)))

    text = page.only("main").text
    assert "Bust: 101" in page.only("h1").text
    assert "101 0 + 101 from the round" in text
    assert "Comes back at same as Dani 60 41 to bust Puts in 1st re-entry $100 Pot $400 → $500" in text
    assert ["Stays out", "Comes back $100"] == [button.text for button in page.only("form").buttons]
    assert "Then: Caro (120), $100" in page.only("main").text


def test_the_total_of_who_left_is_struck_out_beside_the_others(ana, table, owner, write):
    game = start(table, owner)
    write(game, build_round("ana", beto=1, caro=70, dani=60), PlayerLeft("caro"))
    write(game, build_round("ana", beto=101, dani=0))
    page = read_page(ana.get(_address(game)))
    assert "Ana 0 · Beto 102 · Caro 70 · Dani 60" in page.only("main").text
    assert ["70"] == [total.text for total in page.every("s")]


def test_who_takes_the_seat_of_a_bust_player_is_asked_with_the_sum_of_the_seat(ana, table, game, write):
    membership.add(table, "Eva")
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))

    page = read_page(ana.get(_address(game)))
    text = page.only("main").text
    assert "Is Eva coming back?" in text
    assert "Bust: 101" in page.only("h1").text
    assert "101 0 + 101 from the round" in text


BUST = [build_round("ana", beto=101, caro=20, dani=60)]
PENALTY = [build_round("ana", beto=1, caro=20, dani=60), PointsAdjusted("beto", 100, "renuncio")]
RISING = {"stake": 100, "reentry_price": "linear"}


@pytest.mark.parametrize(
    ("options", "events", "text"),
    [
        ({}, PENALTY, "1 + 100 from the penalty"),
        ({}, [build_round("ana", beto=101, caro=100, dani=60)], "100 one more point is bust Puts in"),
        ({**RISING, "reentries": "unlimited"}, BUST, "Puts in 1st re-entry; the next costs $200 $100"),
        ({**RISING, "reentries": 1}, BUST, "Puts in 1st re-entry, the last $100"),
        ({"stake": 100, "reentries": "unlimited"}, BUST, "Puts in 1st re-entry $100"),
    ],
)
def test_the_page_tells_a_penalty_a_margin_of_one_point_and_the_next_price_if_there_is_one_and_it_differs(
    ana, table, owner, write, options, events, text
):
    game = start(table, owner, **options)
    write(game, *events)

    assert text in read_page(ana.get(_address(game))).only("main").text


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_an_invalid_answer_or_one_of_a_player_who_is_not_bust_is_refused(subtests, ana, game):
    before = Record.objects.count()
    for changes, alert in [
        *(({"answer": answer}, "Is Beto coming back?") for answer in ("", "maybe", "REENTER")),
        ({"player": "dani"}, "Dani has no re-entry to decide on."),
    ]:
        with subtests.test(**changes):
            response = ana.post(_address(game), _payload(game, **changes))
            page = read_page(response)

            assert (422, before) == (response.status_code, Record.objects.count())
            assert ([alert], "Is Beto coming back?") == (page.alerts, page.only("p", class_="ask").text)


def test_a_stale_answer_gets_409_with_the_news_and_asks_the_next_player(ana, game, write):
    payload = _payload(game)
    write(game, PlayerStayedOut("beto"))
    response = ana.post(_address(game), payload)
    page = read_page(response)

    assert 409 == response.status_code
    assert ["Recorded in the meantime:", "Beto stays out"] == page.notices
    assert "Is Caro coming back?" == page.only("p", class_="ask").text


# --- polled ------------------------------------------------------------------------------------------------------------


def test_a_poll_after_an_answer_asks_the_next_player_and_after_the_last_one_gets_the_sheet(ana, game, write):
    where = read_page(ana.get(_address(game))).only(id="news").attrs["data-live"]
    assert 204 == ana.get(where).status_code
    write(game, PlayerStayedOut("beto"))
    response = ana.get(where)
    page = read_page(response)

    assert 200 == response.status_code
    assert ["Recorded in the meantime:", "Beto stays out"] == page.notices
    assert "Is Caro coming back?" == page.only("p", class_="ask").text
    assert 204 == ana.get(page.only(id="news").attrs["data-live"]).status_code

    write(game, PlayerReentered("caro"))
    response = ana.get(where)
    page = read_page(response)
    notices = ["Recorded in the meantime:", "Beto stays out", "Caro came back for $100"]
    assert (200, notices) == (response.status_code, page.notices)
    assert f"/g/{game.code}/sheet/" in page.only(id="news").attrs["data-live"]
