"""A newcomer joins a game whose rules allow it; a refusal creates no member."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Member, Record
from games.scoring.events import PlayerLeft
from games.scoring.money import pot_of
from tests.reader import fields, read_page
from tests.worlds import a_key, a_round, make_table, start

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("join", args=[game.code])


def _payload(game, **changes):
    return fields(**{
        "after": len(game.log()), "key": a_key(), "newcomer_name": "Eva", "after_player": "ana", **changes,
    })  # fmt: skip


@pytest.fixture
def game(table, owner, write):
    game = start(table, owner, stake=100, late_entry="on")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    return game


def refused(client, game, *, status=422, **changes):
    before, payload = (Record.objects.count(), Member.objects.count()), _payload(game, **changes)
    response = client.post(_address(game), payload)
    page = read_page(response)

    assert (status, before) == (response.status_code, (Record.objects.count(), Member.objects.count()))
    return page


def test_a_player_who_left_can_come_back(ana, game, write):
    write(game, PlayerLeft("caro"))
    form, _button = read_page(ana.get(reverse("more", args=[game.code]))).form_with("Sits down")
    assert ["caro"] == form.allowed("newcomer")
    response = ana.post(_address(game), _payload(game, newcomer="caro", newcomer_name=""))
    state = game.state()

    assert ["Caro sat down"] == read_page(ana.get(response.url)).last
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in state.players]
    assert (23, True, 500) == (state.player("caro").total, state.player("caro").is_in, pot_of(state))


def test_joining_a_full_table_is_refused_and_creates_no_member(ana, game):
    ana.post(_address(game), _payload(game))
    page = refused(ana, game, newcomer_name="Fede")

    assert "The table is full." == page.said_at("newcomer-name")


def test_joining_a_table_full_for_two_packs_offers_three_packs_in_one_tap(ana, game):
    ana.post(_address(game), _payload(game))
    before = game.state()
    form, button = read_page(ana.get(reverse("more", args=[game.code]))).form_with("Sits down, with 3 packs")
    response = ana.post(
        _address(game),
        {
            **form.fields,
            "newcomer-name": "Fede",
            "after-player": "ana",
            button.attrs["name"]: button.attrs["value"],
        },
    )
    after = game.state()

    assert ["Fede sat down"] == read_page(ana.get(response.url)).last
    assert ["ana", "fede", "eva", "beto", "caro", "dani"] == [player.id for player in after.players]
    assert (3, 40) == (after.house["packs"], after.player("fede").total)
    assert [before.player(player.id).total for player in before.players] == [
        after.player(player.id).total for player in before.players
    ]

    ana.post(reverse("undo-last", args=[game.code]), fields(after=len(game.log()), key=a_key()))
    assert before.house == game.state().house
    assert before.players == game.state().players


@pytest.mark.parametrize("packs", ["2", "4", "", "<b>"])
def test_a_number_of_packs_that_was_not_offered_is_refused(ana, game, packs):
    ana.post(_address(game), _payload(game))
    page = refused(ana, game, newcomer_name="Fede", packs=packs)

    assert "The table is full." == page.said_at("newcomer-name")
    assert "Fede" == page.typed("newcomer-name")


def test_joining_is_refused_when_the_table_is_full_with_all_packs(ana, owner):
    people = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo")
    full = start(make_table(owner, people=people), owner, late_entry="on", packs=3)
    page = read_page(ana.get(reverse("more", args=[full.code])))
    assert [] == page.every("button", name="packs")

    page = refused(ana, full, newcomer_name="Ines", packs="3")
    assert "The table is full." == page.said_at("newcomer-name")


def test_joining_is_offered_with_its_total_until_the_totals_are_too_high(ana, table, owner, write):
    game = start(table, owner, late_entry="on", entry_total="above", entry_limit=40)
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    (fold,) = read_page(ana.get(reverse("more", args=[game.code]))).every("details", id="join")
    assert "They pay the stake and start with 41" in fold.text

    write(game, a_round("ana", beto=0, caro=1, dani=0))
    assert ["The totals are too high for a newcomer."] == refused(ana, game).alerts
    assert [] == read_page(ana.get(reverse("more", args=[game.code]))).every("details", id="join")


def test_joining_is_refused_where_the_rules_do_not_allow_late_entry(ana, table, owner):
    page = refused(ana, start(table, owner))

    assert ["In this game nobody can join after the start."] == page.alerts
    assert [] == page.every("details", id="join")
