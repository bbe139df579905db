"""The sheet as a watching phone polls it: an empty response without news, else the present sheet."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Grant, Role
from games.people.members import change_member, rename_table
from games.play import recording as services
from games.play.flags import raise_flag, settle_flags
from games.scoring.events import PlayerReentered, Struck
from tests.reader import read_page
from tests.tables import a_key, a_round, make_user

pytestmark = pytest.mark.django_db


def shown_by(client, game):
    """Return the address that the phone polls while it shows the present sheet."""
    page = read_page(client.get(reverse("sheet", args=[game.code])))
    return page.only(id="news").attrs["data-live"]


def news(client, where):
    """Return the sentence about the last entry in the response to a poll; None if there is no news."""
    response = client.get(where)
    if response.status_code == 204:
        assert b"" == response.content
        return None
    assert 200 == response.status_code
    return read_page(response).only(id="news").attrs["data-latest"]


def test_while_nothing_is_new_there_is_nothing_to_show(waldo, game):
    assert None is news(waldo, shown_by(waldo, game))


def test_a_round_is_news(waldo, game, write):
    where = shown_by(waldo, game)
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert "Round 1: Ana went out" == news(waldo, where)
    assert None is news(waldo, shown_by(waldo, game))


def test_the_answer_is_the_whole_page_with_the_next_address(waldo, game, write):
    where = shown_by(waldo, game)
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert shown_by(waldo, game) == read_page(waldo.get(where)).only(id="news").attrs["data-live"]


def _rename(game):
    change_member(game.table.members.get(slug="ana"), name="Anita", colour=1)


@pytest.mark.parametrize(
    "change",
    [
        lambda game, by: services.record(game, Struck(2), after=2, key=a_key(), by=by),
        lambda game, by: services.undo(game, after=2, key=a_key(), by=by),
        lambda game, by: services.discard_game(game),
        lambda game, by: raise_flag(game, game.state(), 2, "beto", note="", by=by),
        lambda game, by: _rename(game),
        lambda game, by: rename_table(game.table, "Otra"),
    ],
    ids=["a correction", "an undo", "a discarded game", "a doubt", "another name", "the table's name"],
)
def test_whatever_the_sheet_shows_is_news(waldo, owner, game, write, change):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    where = shown_by(waldo, game)
    change(game, owner)

    assert None is not news(waldo, where)


def test_a_doubt_that_is_settled_and_a_game_brought_back_are_news(waldo, owner, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    raise_flag(game, game.state(), 2, "beto", note="", by=owner)
    services.discard_game(game)
    for change in (lambda: settle_flags(game, 2, "beto"), lambda: services.restore_game(game)):
        where = shown_by(waldo, game)
        change()
        assert None is not news(waldo, where)


def test_the_next_game_is_news_for_who_watches_the_last(waldo, owner, finished):
    where = shown_by(waldo, finished)
    rematch = services.start_game(finished.table, services.rematch_of(finished), key=a_key(), by=owner)

    assert f"/g/{rematch.code}/" == read_page(waldo.get(where)).link("The next game")


def test_what_a_witness_did_not_see_is_said_once(waldo, game, write):
    where = shown_by(waldo, game)
    write(game, a_round("ana", beto=101, caro=40, dani=9))
    write(game, PlayerReentered("beto"))

    assert "Beto re-entered for $ 100" == news(waldo, where).replace("\u00a0", " ")


def test_a_scorers_other_phone_is_live_too(ana, game, write):
    where = shown_by(ana, game)
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert "Record round 2" in read_page(ana.get(where)).only("main").text


def test_somebody_let_in_no_longer_learns_nothing_new(waldo, game, write):
    where = shown_by(waldo, game)
    Grant.objects.filter(role=Role.WITNESS).delete()

    assert 404 == waldo.get(where).status_code
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    assert 404 == waldo.get(where).status_code


def test_a_version_nobody_has_seen_gets_the_page(waldo, game):
    for version in (0, 10**9, 10**30):
        assert 200 == waldo.get(f"/g/{game.code}/sheet/{version}/").status_code


def test_a_poll_without_news_takes_few_queries(waldo, game, write, django_assert_max_num_queries):
    for _ in range(30):
        write(game, a_round("caro", ana=1, beto=2, dani=3))
    where = shown_by(waldo, game)

    with django_assert_max_num_queries(5):
        assert 204 == waldo.get(where).status_code


def test_answers_are_kept_in_no_cache(waldo, game):
    for where in (shown_by(waldo, game), f"/g/{game.code}/sheet/0/"):
        assert "private, no-store" == waldo.get(where)["Cache-Control"]


def test_polls_reveal_nothing_of_another_table(stranger, phone_of, game):
    where = f"/g/{game.code}/sheet/1/"

    assert [404, 404] == [client.get(where).status_code for client in (stranger, phone_of(make_user("eva")))]


# --- drawn once for all who watch ------------------------------------------------------------------------------------


def with_ticket(client, where):
    """Return the response to a poll with a ticket, as `live.js` sends it; the ticket is an invalid one."""
    return client.get(where, headers={"X-Ticket": "spent"})


@pytest.fixture
def wanda(game, phone_of):
    """The phone of a second witness."""
    user = make_user("wanda")
    Grant.objects.create(user=user, table=game.table, role=Role.WITNESS)
    return phone_of(user)


@pytest.mark.parametrize("name", ["live-sheet", "live-board"])
def test_those_who_watch_are_shown_what_was_drawn_for_the_first_of_them(
    waldo, wanda, game, write, name, monkeypatch
):
    where = reverse(name, args=[game.code, 0])
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    first = with_ticket(waldo, where)
    monkeypatch.setattr("games.views.common.live.open_game", None)  # without a ticket it is not rendered

    assert first.content == with_ticket(wanda, where).content


def test_it_is_what_the_page_itself_shows(waldo, wanda, game, write):
    where = reverse("live-sheet", args=[game.code, 0])
    for number in range(3):
        write(game, a_round("ana", beto=23, caro=number, dani=9))
        with_ticket(waldo, where)
        page, shown = read_page(wanda.get(f"/g/{game.code}/")), read_page(with_ticket(wanda, where))
        for part in ("sheet", "news"):
            assert page.only(id=part).text == shown.only(id=part).text
        assert page.only(id="news").attrs["data-live"] == shown.only(id="news").attrs["data-live"]


def test_what_is_drawn_for_all_says_of_nobody_who_they_are(waldo, game):
    where = reverse("live-sheet", args=[game.code, 0])
    shown = read_page(with_ticket(waldo, where))

    assert "" == shown.only("main").attrs["data-person"]
    assert "" == shown.only(id="news").attrs["data-ticket"]


def test_each_phone_has_a_ticket_of_its_own_for_it(waldo, wanda, game, django_assert_num_queries):
    where = reverse("live-sheet", args=[game.code, 0])
    given = [with_ticket(phone, where) for phone in (waldo, wanda)]
    tickets = [answer["X-Ticket"] for answer in given]
    live = read_page(given[0]).only(id="news").attrs["data-live"]

    for phone, ticket in zip((waldo, wanda), tickets, strict=True):
        with django_assert_num_queries(1):
            assert 204 == phone.get(live, headers={"X-Ticket": ticket}).status_code
    assert tickets[0] != tickets[1]


def test_each_reads_it_in_their_language(waldo, wanda, game):
    where = reverse("live-sheet", args=[game.code, 0])
    with_ticket(waldo, where)
    page = wanda.get(where, headers={"X-Ticket": "spent", "accept-language": "es-AR"})

    assert "Mirás en vivo" in read_page(page).only("main").text
    assert "You are watching live" in read_page(with_ticket(waldo, where)).only("main").text


def test_who_records_is_shown_a_page_with_keys_of_their_own(waldo, ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    where = reverse("live-sheet", args=[game.code, 0])
    with_ticket(waldo, where)

    assert "Record round 2" in read_page(with_ticket(ana, where)).only("main").text


def test_only_the_user_who_flagged_a_hand_reads_that_they_did(waldo, wanda, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    raise_flag(game, game.state(), 2, "beto", note="", by=User.objects.get(username="waldo"))
    where = reverse("live-sheet", args=[game.code, 0])

    sentence = "You reported this as wrong"
    assert [False, True, False] == [sentence in with_ticket(one, where).text for one in (wanda, waldo, wanda)]
