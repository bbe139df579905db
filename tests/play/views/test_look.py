"""A viewer opens a figure of the sheet: every hand of that round with its cards, and who entered it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.events import Corrected, PointsAdjusted
from games.scoring.text.notation import parse_line
from tests.factories import build_round, confirm_as_member
from tests.reader import open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def test_a_figure_opens_the_hands_with_their_cards_the_asked_one_first(waldo, game, write):
    write(game, *parse_line("round ana out beto=[K 9 4] caro=29 dani=8"))
    sheet = open_page(waldo, reverse("sheet", args=[game.code]))
    page = open_page(waldo, sheet.link("Beto, round 1: 23, view"))

    assert "Round 1: Ana went out" == page.only("h2").text
    hands = page.every("section", class_="card")
    assert "B Beto 23 K 10 9 9 4 4" == hands[0].text
    assert ["A Ana 0", "C Caro 29", "D Dani 8"] == [hand.text for hand in hands[1:]]
    assert [] == page.every("form")


def test_it_says_who_entered_the_round_or_corrected_it_last(waldo, table, owner, game, write):
    confirm_as_member(owner, table.members.get(slug="ana"))
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    address = reverse("correct", args=[game.code, 2])
    assert "Entered by Ana, " in open_page(waldo, address).only("main").text

    write(game, Corrected(2, build_round("ana", beto=24, caro=40, dani=9)))
    text = open_page(waldo, address).only("main").text
    assert "Corrected by Ana, " in text
    assert "B Beto 24" in text


def test_whoever_records_corrects_there_and_nobody_looks_at_what_is_no_round(ana, waldo, game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, PointsAdjusted("beto", 10, "renuncio"))

    assert "Correct round 1" in read_page(ana.get(reverse("correct", args=[game.code, 2]))).only("h1").text
    assert [403, 404] == [
        waldo.get(reverse("correct", args=[game.code, number])).status_code for number in (3, 9)
    ]
    assert 403 == waldo.post(reverse("correct", args=[game.code, 2]), {}).status_code
