"""Refusals of the forms that start a game, at a new table and at one with members, and their fields."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.variants import VARIANTS
from tests.factories import count_first_game_rows, make_table, make_user, new_key
from tests.reader import read_page

pytestmark = pytest.mark.django_db

NEXT_GAME = {"variant": "loba_menos", "seat-1": "dani", "seat-2": "ana", "new-3": "Eva", "option-stake": "50"}
NEW_TABLE = {
    "variant": "loba_menos", "table-name": "Los jueves", "unit": "fichas", "option-stake": "50",
    "new-1": "Ana", "new-2": "Beto", "new-3": "Caro",
}  # fmt: skip
FEW, CHOOSE = "Choose at least 2 players.", "Choose a player."
TAKEN = "This table already has a member called Beto. Choose another name."
DIRECTION = "The deal can go to the left or to the right."
ONE_LINE = "Write it without double quotes."


def refusal_sentence(value, label, bounds):
    return f"“{value}” is not allowed for {label}; allowed: {bounds}."


AT_A_NEW_TABLE = [
    ({"new-3": 'Pepe "el loco"'}, "new-3", f'Pepe "el loco": {ONE_LINE}'),
    ({"new-3": "\uff22eto"}, "new-3", f"\uff22eto: {TAKEN}"),
    ({"new-2": "   ", "new-3": ""}, "new-1", FEW),
    ({"seat-1": "ana"}, "new-1", CHOOSE),
    (
        {"option-stake": "<b>"},
        "option-stake",
        refusal_sentence("<b>", "Stake", "0 fichas to 1,000,000,000 fichas"),
    ),
    ({"option-out_at": "49"}, "option-out_at", refusal_sentence("49", "Limit", "50…500")),
    ({"option-floor": "1"}, "option-floor", refusal_sentence("1", "Minimum total", "-100000…0 · none")),
    (
        {"option-reentry_fee": "-5"},
        "option-reentry_fee",
        refusal_sentence("-5", "Re-entry fee", "0 fichas to 1,000,000,000 fichas"),
    ),
    ({"table-name": '"'}, "table-name", ONE_LINE),
    ({"table-name": "x" * 61}, "table-name", "At most 60 characters fit here."),
    ({"unit": ""}, "unit", "Enter a name."),
    ({"unit": "x" * 13}, "unit", "At most 12 characters fit here."),
]
AT_A_TABLE = [
    ({"seat-1": "ana"}, "seat-1", "A player has two seats."),
    ({"new-3": "BETO"}, "new-3", f"BETO: {TAKEN}"),
    *(({"seat-1": slug}, "seat-1", CHOOSE) for slug in ("zed", "sara")),
    ({"seat-2": "", "new-3": ""}, "seat-1", FEW),
    *(({"seat-2": "", "new-3": "", "draw": what}, "seat-1", FEW) for what in ("seats", "dealer")),
    *(({"direction": direction}, "direction", DIRECTION) for direction in ("", "up")),
    (
        {"variant": "chinchon", "option-wilds": "jokers", "option-pack": "48"},
        "option-wilds",
        "Jokers need the 50-card pack, and the 50-card pack needs jokers.",
    ),
    *(
        (
            {"variant": "points", "option-name": name},
            "option-name",
            "Write at most 20 characters, without double quotes.",
        )
        for name in ("x" * 21, 'el "juego"')
    ),
]
FOLDED_FIELDS = ("option-out_at", "option-floor", "option-reentry_fee", "direction")


def check_refusal(client, address, usual, changes, field, sentence):
    """Send the form. Assert that it is refused beside this field and keeps the typed values."""
    before, payload = count_first_game_rows(), {**usual, "key": new_key(), **changes}
    response = client.post(address, payload)
    page = read_page(response)

    assert (422, sentence) == (response.status_code, page.said_at(field))
    assert before == count_first_game_rows()
    for name in usual.keys() - changes.keys() - {field, "variant", "unit"}:
        assert usual[name] == page.typed(name)
    if field in FOLDED_FIELDS:
        assert "open" in page.only("details", id="house").attrs


def test_a_wrong_field_of_a_new_table_is_refused_beside_it_and_stores_nothing(subtests, nobody):
    for changes, field, sentence in AT_A_NEW_TABLE:
        with subtests.test(**changes):
            check_refusal(nobody, reverse("new-table"), NEW_TABLE, changes, field, sentence)


def test_a_wrong_field_of_a_next_game_is_refused_beside_it_and_stores_nothing(subtests, ana, table):
    make_table(make_user("sara"), people=("Sara",), name="Otra")
    for changes, field, sentence in AT_A_TABLE:
        with subtests.test(**changes):
            check_refusal(ana, reverse("new-game", args=[table.code]), NEXT_GAME, changes, field, sentence)


@pytest.mark.parametrize(
    ("changes", "alert"),
    [
        *(
            ({"variant": key}, f"There is no game called “{key}”. Games: {', '.join(VARIANTS)}.")
            for key in ("canasta", "points:canasta", "")
        ),
        *(({"key": key}, "A key must have 1 to 64 characters.") for key in ("", "x" * 65)),
    ],
)
def test_an_unknown_game_or_a_wrong_key_is_refused_over_the_form(nobody, changes, alert):
    before = count_first_game_rows()
    response = nobody.post(reverse("new-table"), {**NEW_TABLE, "key": new_key(), **changes})
    page = read_page(response)

    assert (422, [alert], before) == (response.status_code, page.alerts, count_first_game_rows())
    assert ("Los jueves", "Ana") == (page.typed("table-name"), page.typed("new-1"))
    assert changes.get("key") != page.typed("key")  # the returned form has a new key
