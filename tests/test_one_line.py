"""The rule for a line of text on every page with such a field: allowed texts are kept, others refused.

`scoring/test_one_line.py` has the rule itself.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.urls import reverse

from games.common import days
from games.models import Access, Member, Payment, Record, Role, Season, Table
from games.scoring.events import PointsAdjusted
from games.tables.services import links
from tests.factories import build_round, make_user, new_key, start
from tests.reader import read_page
from tests.text_strategies import REFUSED

pytestmark = pytest.mark.django_db

COOK = "Ana 👩\u200d🍳"


@pytest.fixture
def game_with_texts(table, owner, write, pay, confirm_as):
    """A game with an event for every text that can be recorded. Beto has paid Ana."""
    confirm_as(owner, "ana")
    game = start(table, owner, stake=100, late_entry="on")
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, PointsAdjusted("dani", 5, "se paró"))
    pay("beto", "ana", 5, by=make_user("sara"))
    return game


PAID = {"payer": "beto", "payee": "ana", "amount": "5", "method": "cash"}
FORMS = {
    # name of the form: (its field, its page, other data to send)
    "a table's name": ("table-name", "change-settings", {}),
    "a newcomer": ("name", "add-member", {}),
    "a new name": ("name", "member", {"colour": "1"}),
    "a penalty": ("reason", "adjust", {"penalty-player": "dani", "points": "5"}),
    "a penalty corrected": ("reason", "correct", {"to": "penalty", "points": "7"}),
    "who sits down": ("newcomer-name", "join", {"after-player": "ana"}),
    "who plays on": ("to-name", "replace", {"seat-player": "dani"}),
    "a payment": ("note", "pay", {**PAID, "sure": "beto ana 5"}),
    "an objection": ("objection", "payment", {"act": "dispute"}),
    "a payment taken back": ("reason", "payment", {"act": "take-back"}),
    "an alias": ("account", "account", {}),
    "a season": ("name", "change-season", {"first_day": "2026-01-01"}),
    "the next season": ("name", "begin-season", {}),
    "a new table": ("table-name", "new-table", {"new-1": "Ana", "new-2": "Beto", "variant": "loba_menos"}),
    "its unit": ("unit", "new-table", {"new-1": "Ana", "new-2": "Beto", "variant": "loba_menos"}),
    "its people": ("new-1", "new-table", {"new-2": "Beto", "variant": "loba_menos"}),
    "a table without a game": ("table-name", "bring", {"unit": "$"}),
    "its unit too": ("unit", "bring", {"table-name": "Los jueves"}),
    "who is let in": ("name", "invitation", {}),
}


def form_url(page, game):
    table = game.table
    match page:
        case "new-table" | "bring":
            return reverse(page)
        case "invitation":
            _link, token = links.create_personal(table, role=Role.SCORER, by=table.accesses.get().user)
            return reverse(page, args=[token])
        case "change-settings":
            return reverse(page, args=[table.code, "name"])
        case "member" | "account":
            return reverse(page, args=[table.code, "caro"])
        case "payment":
            return reverse(page, args=[table.code, Payment.objects.get().pk])
        case "adjust" | "join" | "replace":
            return reverse(page, args=[game.code])
        case "correct":
            return reverse(page, args=[game.code, 3])
        case _:
            return reverse(page, args=[table.code])


def stored_texts():
    """Return all stored texts that these forms can write."""
    texts = (
        Payment.objects.values_list("note", "objection", "reason"),
        Table.objects.values_list("name", "unit"),
        Member.objects.values_list("name", "account"),
        Season.objects.values_list("name"),
        Record.objects.values_list("data"),
        Access.objects.values_list("user__first_name"),
    )
    return [sorted(json.dumps(row, ensure_ascii=False) for row in rows) for rows in texts]


def send(client, form, game, text):
    """Send this form with this text. Return the response and the name of the field."""
    field, page, others = FORMS[form]
    season = game.table.seasons.get().pk
    usual = {
        "key": new_key(),
        "after": len(game.log()),
        "season": season,
        "unit": "$",
        "table-name": "Otra",
        "first_day": (days.night_for(game.started_at, game.table) + timedelta(days=1)).isoformat(),
    }
    return client.post(form_url(page, game), {**usual, **others, field: text}), field


@pytest.mark.parametrize(
    "text",
    [
        "a\u202eb",
        *(
            pytest.param(text, marks=pytest.mark.long)
            for text in ("A\u200dna", "Be\u3164to", "a\u2028b", "a\x01b")
        ),
    ],
)
def test_a_refused_text_is_reported_at_its_field_and_changes_nothing(
    rollback_subtest, ana, game_with_texts, text
):
    before = stored_texts()
    for form in FORMS:
        with rollback_subtest(form):
            response, field = send(ana, form, game_with_texts, text)

            message = read_page(response).said_at(field)
            if form == "its people":  # the member's name comes first
                message = message.partition(": ")[2]
            assert (422, before) == (response.status_code, stored_texts())
            assert REFUSED[text] == message


def test_an_allowed_text_is_accepted_everywhere(rollback_subtest, ana, game_with_texts):
    for form in FORMS:
        with rollback_subtest(form):
            response, _field = send(ana, form, game_with_texts, f" {COOK} ")

            if form == "a penalty corrected":  # its consequences are shown first
                assert "Dani 14 → 16" in read_page(response).only("main").text
            elif form == "its unit":
                assert (302, COOK) == (response.status_code, Table.objects.latest("pk").unit)
            else:
                assert 302 == response.status_code
                assert any(COOK in text for texts in stored_texts() for text in texts)
