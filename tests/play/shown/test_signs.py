"""The card that identifies a table."""

from __future__ import annotations

import pytest

from games.models import Table
from games.scoring.cards import FRENCH_RANKS, FRENCH_SUITS
from games.shown.common.signs import sign_of


@pytest.mark.parametrize(("code", "card"), [("a5r9dv7cfw3", ("Q", "H")), ("wqa6kr2gs4c", ("A", "D"))])
def test_a_table_always_has_the_same_card(code, card):
    assert card == sign_of(Table(code=code, name="Los jueves"))


def test_the_cards_of_tables_use_the_whole_deck():
    cards = {sign_of(Table(code=f"{number:011}", name="Mesa")) for number in range(2000)}

    assert {(rank, suit) for rank in FRENCH_RANKS for suit in FRENCH_SUITS} == cards


@pytest.mark.parametrize("name", ["Jueves 🍷", "⚽ Los del club", "Mesa 🇦🇷"])
def test_a_table_with_an_emoji_in_its_name_needs_no_card(name):
    assert sign_of(Table(code="a5r9dv7cfw3", name=name)) is None
