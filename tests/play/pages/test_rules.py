"""The rules of a game: an introduction for newcomers, the house rules, and every rule as a sentence."""

from __future__ import annotations

import pytest

from tests.reader import Walker
from tests.worlds import start

pytestmark = pytest.mark.django_db


def test_the_rules_begin_with_an_introduction_and_the_points_of_a_hand(ana, table, owner):
    game = start(table, owner, ace=15)
    walker = Walker(ana)
    walker.open(f"/g/{game.code}/rules/")
    page = walker.page

    assert ["How it is played", "What a hand counts", "House rules", "All the rules"] == [
        heading.text for heading in page.every("h2")
    ]
    assert "A set is three or more cards of one rank in three different suits" in page.text
    assert ["44 points"] == [total.text for total in page.every("b")]  # K 10, 7, 2, A 15, ★ 10
    assert "Ace: 15" in page.only("section", class_="card prose house").text


def test_the_rules_of_any_other_game_have_no_introduction(ana, table, owner):
    game = start(table, owner, variant="points")
    walker = Walker(ana)
    walker.open(f"/g/{game.code}/rules/")

    assert ["All the rules"] == [heading.text for heading in walker.page.every("h2")]
