"""The head-to-head table on a phone: everybody against everybody, without horizontal scrolling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.play import recording as services
from tests.tables import a_key, a_round, loba, make_table

SIX = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fabi")
OVERFLOW = "(box) => box.scrollWidth - box.clientWidth"


def test_the_table_of_six_people_fits_the_width_of_a_phone(phone, page, owner, let_in):
    let_in(phone, owner)
    table = make_table(owner, people=SIX)
    begun = loba(table, ending="first_out")
    for seated in (begun.players[:5], begun.players[1:]):
        game = services.start_game(table, replace(begun, players=seated), key=a_key(), by=owner)
        first, *others = (player.id for player in seated)
        hands: dict[str, Any] = {other: 98 + place for place, other in enumerate(others)}
        services.record(game, a_round(first, **hands), after=1, key=a_key(), by=owner)
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(f"/t/{table.code}/head-to-head/")

    assert 6 == page.locator(".duels thead th").count()
    assert 0 == page.locator(".across").evaluate(OVERFLOW)
