"""The sheet and the board when polled, and the board: totals and the next step in digits for a distance."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common.tickets import Version
from games.models import Access, Role
from games.play import recording as services
from games.scoring.events import Struck
from games.tables.members import change_member
from games.tables.tables import change_settings
from tests.reader import open_page, read_page
from tests.worlds import a_key, a_round, make_user

pytestmark = pytest.mark.django_db


def shown_by(client, game, view="sheet"):
    """Return the address that the phone polls while it shows the present sheet, or the board."""
    page = read_page(client.get(reverse(view, args=[game.code])))
    return page.only(id="news").attrs["data-live"]


def news(client, where):
    """Return the sentence about the last entry in the response to a poll; None if there is no news."""
    response = client.get(where)
    if response.status_code == 204:
        assert b"" == response.content
        return None
    assert 200 == response.status_code
    return read_page(response).only(id="news").attrs["data-latest"]


@pytest.mark.parametrize("view", ["sheet", "board"])
def test_a_poll_gets_204_without_news_and_names_a_round_that_was_recorded_since(waldo, game, write, view):
    where = shown_by(waldo, game, view)
    assert None is news(waldo, where)
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert "Round 1: Ana went out" == news(waldo, where)
    assert None is news(waldo, shown_by(waldo, game, view))


def _rename(game):
    change_member(game.table.members.get(slug="ana"), name="Anita", colour=1)


@pytest.mark.parametrize(
    "change",
    [
        lambda game, by: services.record(game, Struck(2), after=2, key=a_key(), by=by),
        lambda game, by: services.undo(game, after=2, key=a_key(), by=by),
        lambda game, by: services.discard_game(game),
        lambda game, by: _rename(game),
        lambda game, by: change_settings(game.table, name="Otra"),
    ],
    ids=["a correction", "an undo", "a discarded game", "another name", "the table's name"],
)
def test_every_change_that_the_sheet_shows_is_news(waldo, owner, game, write, change):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    where = shown_by(waldo, game)
    change(game, owner)

    assert None is not news(waldo, where)


def test_a_poll_of_a_finished_game_links_to_the_rematch(waldo, owner, finished):
    where = shown_by(waldo, finished)
    rematch = services.start_game(finished.table, services.rematch_of(finished), key=a_key(), by=owner)

    assert f"/g/{rematch.code}/" == read_page(waldo.get(where)).link("The next game")


# --- drawn once for all who watch ------------------------------------------------------------------------------------


def with_ticket(client, where):
    """Return the response to a poll with an invalid ticket, sent as `live.js` sends tickets."""
    return client.get(where, headers={"X-Ticket": "spent"})


@pytest.fixture
def wanda(game, phone_of):
    """The phone of a second witness."""
    user = make_user("wanda")
    Access.objects.create(user=user, table=game.table, role=Role.WITNESS)
    return phone_of(user)


@pytest.mark.parametrize("name", ["live-sheet", "live-board"])
def test_witnesses_share_a_rendering_without_users_data_and_a_scorer_gets_buttons(
    waldo, wanda, ana, game, write, name, monkeypatch
):
    where = reverse(name, args=[game.code, Version(0)])
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    first = with_ticket(waldo, where)
    shown = read_page(first)
    assert "data-person" not in shown.only("main").attrs
    assert "" == shown.only(id="news").attrs["data-ticket"]
    if name == "live-sheet":
        assert "Round 2 · Who went out?" in read_page(with_ticket(ana, where)).only("main").text
    monkeypatch.setattr("games.play.views.sheet.render_to_string", None)  # not even without a ticket

    assert first.content == with_ticket(wanda, where).content


def test_who_gave_a_new_name_reads_after_a_poll_that_it_waits_for_a_yes(waldo, game, write):
    where = reverse("live-sheet", args=[game.code, Version(0)])
    Access.objects.filter(role=Role.WITNESS).update(name="Nina")
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert "Nina waits for a yes" in read_page(with_ticket(waldo, where)).only("main").text


def test_the_shared_rendering_equals_the_sheet_itself(waldo, wanda, game, write):
    where = reverse("live-sheet", args=[game.code, Version(0)])
    for number in range(3):
        write(game, a_round("ana", beto=23, caro=number, dani=9))
        with_ticket(waldo, where)
        page, shown = read_page(wanda.get(f"/g/{game.code}/")), read_page(with_ticket(wanda, where))
        for part in ("sheet", "news"):
            assert page.only(id=part).text == shown.only(id=part).text
        assert page.only(id="news").attrs["data-live"] == shown.only(id="news").attrs["data-live"]


def test_each_phone_gets_a_ticket_of_its_own_with_the_shared_rendering(
    waldo, wanda, game, django_assert_num_queries
):
    where = reverse("live-sheet", args=[game.code, Version(0)])
    given = [with_ticket(phone, where) for phone in (waldo, wanda)]
    tickets = [answer["X-Ticket"] for answer in given]
    live = read_page(given[0]).only(id="news").attrs["data-live"]

    for phone, ticket in zip((waldo, wanda), tickets, strict=True):
        with django_assert_num_queries(1):
            assert 204 == phone.get(live, headers={"X-Ticket": ticket}).status_code
    assert tickets[0] != tickets[1]


def test_the_shared_rendering_is_in_each_witnesss_language(waldo, wanda, game):
    where = reverse("live-sheet", args=[game.code, Version(0)])
    with_ticket(waldo, where)
    page = wanda.get(where, headers={"X-Ticket": "spent", "accept-language": "es-AR"})

    assert "Mirás en vivo" in read_page(page).only("main").text
    assert "You are watching live" in read_page(with_ticket(waldo, where)).only("main").text


# --- the board ---------------------------------------------------------------------------------------------------------


def test_the_board_shows_seats_totals_margins_dealer_and_pot(waldo, game, write):
    write(game, a_round("ana", beto=23, caro=92, dani=9))
    page = open_page(waldo, reverse("board", args=[game.code]))

    assert [
        "A Ana 0 leads 0 101 to bust",
        "B Beto deals 23 23 78 to bust",
        "C Caro 92 92 9 to bust",
        "D Dani 9 9 92 to bust",
    ] == [spot.text for spot in page.every("ul")[0].every("li")]
    assert "Pot $ 400" in page.only("header").text
    assert "Round 1: Ana went out" == page.only(id="news").text
    assert "Round 2" in page.only("h1").text
    assert "Limit 101" in page.only("h1").text


def test_the_board_shows_the_newest_five_rounds_of_each_player_and_what_coming_back_costs(waldo, game, write):
    for number in range(1, 7):
        write(game, a_round("ana", beto=number, caro=2, dani=3))
    page = open_page(waldo, reverse("board", args=[game.code]))

    assert ["2", "3", "4", "5", "6"] == [
        hand.text for hand in page.every("p", class_="hands")[1].every("span")
    ]
    assert "Coming back costs $ 100" == page.only("p", class_="stakes soft").text
