"""The next game of a table: its people a tap away, its last rules chosen already."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, Grant, Member, Record, Role
from tests.pages.reader import fields, read_page
from tests.tables import a_key, make_table, make_user, start

pytestmark = pytest.mark.django_db


def _address(table):
    return reverse("new-game", args=[table.code])


def _payload(**changes):
    """Dani, Ana and somebody new play for 50."""
    usual = {
        "key": a_key(), "variant": "loba_menos", "seat_1": "dani", "seat_2": "ana", "new_3": "Eva",
        "option_stake": "50",
    }  # fmt: skip
    return fields(**{**usual, **changes})


def refused(client, table, *, status=422, **changes):
    before = (Member.objects.count(), Game.objects.count(), Record.objects.count())
    payload = _payload(**changes)
    response = client.post(_address(table), payload)
    page = read_page(response)

    assert status == response.status_code
    assert before == (Member.objects.count(), Game.objects.count(), Record.objects.count())
    return page


def test_members_and_somebody_new_play_in_the_order_of_the_seats(ana, table):
    response = ana.post(_address(table), _payload())
    game = Game.objects.get()

    assert f"/g/{game.code}/" == response.url
    assert ["dani", "ana", "eva"] == [player.id for player in game.state().players]
    assert "dani" == game.state().dealer
    assert "Eva" == table.members.get(slug="eva").name


def test_the_page_offers_everybody_and_the_last_rules(ana, table, owner):
    start(table, owner, stake=300, reentries="unlimited", reentry_price="linear")
    form, _button = read_page(ana.get(_address(table))).form_with("Deal")

    assert ["", "ana", "beto", "caro", "dani"] == form.allowed("seat-1")
    assert ("300", "linear") == (form.fields["option-stake"], form.fields["option-reentry_price"])
    assert "" == form.fields["option-reentry_fee"]
    assert "table-name" not in form.fields


def test_a_fee_that_was_not_the_stake_is_kept(ana, table, owner):
    start(table, owner, stake=300, reentry_fee=20)
    form, _button = read_page(ana.get(_address(table))).form_with("Deal")

    assert "20" == form.fields["option-reentry_fee"]


def test_what_the_page_shows_is_what_it_plays(ana, table, owner):
    last = start(table, owner, stake=300, reentries="unlimited", floor=-20, late_entry="on")
    form, _button = read_page(ana.get(_address(table))).form_with("Deal")
    ana.post(_address(table), {**form.fields, "seat-1": "ana", "seat-2": "beto"})
    game = Game.objects.exclude(pk=last.pk).get()

    assert last.state().house == game.state().house


def test_a_scorer_opens_games_too(phone_of, table):
    user = make_user("sonia")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)

    assert 302 == phone_of(user).post(_address(table), _payload()).status_code


def test_somebody_sits_once(ana, table):
    page = refused(ana, table, seat_1="ana")

    assert "Somebody has two seats." == page.said_at("seat-1")
    assert ("ana", "ana", "Eva") == tuple(page.typed(name) for name in ("seat-1", "seat-2", "new-3"))


def test_a_newcomer_has_a_name_of_his_own(ana, table):
    page = refused(ana, table, new_3="BETO")

    assert "There is already somebody called BETO at this table." == page.said_at("new-3")


def test_nobody_new_is_kept_when_a_later_seat_is_refused(ana, table):
    refused(ana, table, new_3="Eva", new_4="Eva")

    assert not table.members.filter(slug="eva").exists()


@pytest.mark.parametrize("slug", ["zed", "<b>", "\x00", "sara"])
def test_only_members_of_this_table_are_seated(ana, table, slug):
    make_table(make_user("sara"), people=("Sara",), name="Otra")
    page = refused(ana, table, seat_1=slug)

    assert "Choose a player." == page.said_at("seat-1")


@pytest.mark.parametrize("gone", [{"retired_at": "2026-01-01T00:00Z"}, {"merged_into_id": 1}])
def test_who_plays_no_more_is_not_seated(ana, table, gone):
    other = table.members.get(slug="beto")
    Member.objects.filter(slug="dani").update(
        **{**gone, **({"merged_into_id": other.pk} if "merged_into_id" in gone else {})}
    )
    page = refused(ana, table)

    assert "Choose a player." == page.said_at("seat-1")


def test_two_are_the_least(ana, table):
    page = refused(ana, table, seat_2="", new_3="")

    assert "Choose at least 2 players." == page.said_at("seat-1")


def test_an_option_out_of_range_opens_the_fold(ana, table):
    response = ana.post(_address(table), {**_payload(), "option-out_at": "12"})
    page = read_page(response)

    assert 422 == response.status_code
    assert "“12” is not allowed for Out at; allowed: 50…500." == page.said_at("option-out_at")
    assert ("12", "dani", "Eva") == tuple(page.typed(name) for name in ("option-out_at", "seat-1", "new-3"))
    assert "open" in page.only("details").attrs


def test_the_same_form_twice_opens_one_game(ana, table):
    payload = _payload()
    first, second = ana.post(_address(table), payload), ana.post(_address(table), payload)

    assert (302, first.url) == (second.status_code, second.url)
    assert (1, 5) == (Game.objects.count(), Member.objects.count())


def test_the_same_key_with_something_else_is_refused(ana, table):
    key = a_key()
    ana.post(_address(table), _payload(key=key))
    page = refused(ana, table, status=409, key=key, seat_1="caro")

    assert ["This was recorded already, with something else. Look at the sheet."] == page.alerts
    assert ("caro", "Eva") == (page.typed("seat-1"), page.typed("new-3"))
