"""The page of a game's rules in words."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import read_page
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db


def _text(client, game):
    response = client.get(reverse("rules", args=[game.code]))
    assert 200 == response.status_code
    return read_page(response).only("main").text


def test_every_number_of_this_table_is_said(ana, table, owner):
    text = _text(ana, start(table, owner, out_at=151, stake=1500, joker=25))

    for part in ("151", "$ 1,500", "25"):
        assert part in text


def test_the_rules_are_told_in_spanish_with_the_money_of_the_reader(phone_of, owner, table):
    text = _text(phone_of(owner, language="es-AR"), start(table, owner, stake=1500))

    assert "$ 1.500" in text


@pytest.mark.parametrize("name", ["play-round", "settlement", "money", "more", "paper", "seats"])
def test_back_leads_to_the_page_that_linked_here(ana, game, name):
    origin = reverse(name, args=[game.code])
    page = read_page(
        ana.get(reverse("rules", args=[game.code]), headers={"referer": f"http://testserver{origin}?a=1"})
    )

    assert f"{origin}?a=1" == page.link("Back")


@pytest.mark.parametrize(
    "origin", ["", "/", "http://elsewhere/x", "/g/zzzzzzzzzzz/money/", "changes", "rules"]
)
def test_back_leads_to_the_sheet_from_any_other_page(ana, game, origin):
    where = reverse(origin, args=[game.code]) if origin in ("changes", "rules") else origin
    page = read_page(ana.get(reverse("rules", args=[game.code]), headers={"referer": where}))

    assert reverse("sheet", args=[game.code]) == page.link("Back")


def test_every_screen_of_a_game_has_the_rules_a_tap_away(ana, game, finished, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))
    pages = [
        reverse(name, args=[game.code])
        for name in ("sheet", "reentry", "money", "more", "paper", "seats", "board", "correct-rules")
    ]
    pages += [
        reverse("correct", args=[game.code, 2]),
        reverse("insert-round", args=[game.code, 2]),
        reverse("correct", args=[finished.code, 3]),
        reverse("settlement", args=[finished.code]),
    ]
    for address in pages:
        heads = read_page(ana.get(address)).only("header", class_="bar").every("a")
        assert (address, 1) == (address, len([link for link in heads if "data-rules" in link.attrs]))
