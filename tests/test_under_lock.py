"""The write lock: no text is normalized and no hand is solved while it is held, because everybody else waits."""

from __future__ import annotations

import json
import unicodedata
from datetime import timedelta
from unittest import mock

import pytest
from django.db import connection, transaction
from django.urls import reverse
from django.utils.timezone import localdate, now

from games.common import locks
from games.common.locks import ConcurrentChange
from games.play.services import recording
from games.scoring.events import GameStarted
from games.scoring.step_budget import AnswerCache
from games.seasons.services import season_setup
from games.tables.services import confirmations, erasure, lobby, tokens
from tests.factories import make_table, make_user, new_key, table_players
from tests.hard_rounds import CONGA
from tests.test_version import decompose, run_game_services

pytestmark = pytest.mark.django_db(transaction=True)

# Rounds of Chinchón with jokers, whose hands have not been solved before.
OTHER = str.maketrans("oceb", "ecbo")
CUT = (
    "[5b 5b 6b 6b 7b 4e *]",
    "[8b 9b 9e 10b 10b 11b *]",
    "[12b 2c 2c 1o 3e 4e *]",
    "[10c 4c 4c 5c 6e 6c *]",
)


@pytest.fixture
def violations():
    """Fail if a typed text is normalized, or a hand is solved, inside a transaction."""
    seen: list[str] = []

    solved = AnswerCache._solve

    def normalize(form, text):
        if connection.in_atomic_block and not unicodedata.is_normalized(form, text):
            seen.append(f"read {text}")
        return unicodedata.normalize(form, text)

    def solve(answers, question, work):
        if connection.in_atomic_block:
            seen.append(f"solve {question}")
        return solved(answers, question, work)

    with (
        mock.patch("games.scoring.text_line.normalize", normalize),
        mock.patch("games.scoring.option_values.normalize", normalize),
        mock.patch.object(AnswerCache, "_solve", solve),
    ):
        yield seen
    assert [] == seen


@pytest.fixture
def owner():
    return make_user("ana")


@pytest.fixture
def table(owner):
    return make_table(owner)


def test_no_service_does_so(owner, table, violations):
    def one(name, act):
        before = len(violations)
        came_to = act()
        assert [] == violations[before:], name
        return came_to

    run_game_services(table, owner, one)
    guest = make_user("rosa")
    access = one(
        "come_in", lambda: lobby.enter(table, guest, until=now() + timedelta(days=1), name=decompose("Rósa"))
    )
    one("sit_down", lambda: lobby.claim(table, owner, name=decompose("Ólga")))
    one("confirm", lambda: confirmations.confirm(access, by=owner, member=None))
    one("make_token", lambda: tokens.create(owner, decompose("mi prográma")))
    one("begin_season", lambda: season_setup.create(table, name=decompose("Ótra"), first_day=localdate()))
    one("erase", lambda: erasure.erase(table, name=table.name, by=owner))


def test_nor_does_a_form_or_a_program(owner, table, client_for, violations):
    client = client_for(owner)
    game = recording.start_game(
        table, GameStarted("chinchon", CONGA, table_players(table)), key=new_key(), by=owner
    )
    people = ("ana", "beto", "caro", "dani")
    hands = dict(zip(people, CUT, strict=True))
    forms: dict[str, dict[str, object]] = {
        reverse("new-table"): {
            "variant": "points",
            "new-1": "Ana",
            "new-2": "Beto",
            "option-name": decompose("Trúco"),
        },
        reverse("new-game", args=[table.code]): {
            "variant": "loba_menos",
            "seat-1": "ana",
            "new-2": decompose("Éva"),
        },
        reverse("play-round", args=[game.code]): {
            **{"closer": "ana", "closing": "cut", "after": 1, "sure": "1"},
            **{f"hand-{player}": hand for player, hand in hands.items()},
        },
        reverse("replace", args=[game.code]): {
            "seat-player": "dani",
            "to-name": decompose("Féde"),
            "after": 2,
        },
        reverse("adjust", args=[game.code]): {
            "penalty-player": "ana",
            "points": "5",
            "reason": decompose("mostró"),
            "after": 3,
        },
        reverse("pay", args=[table.code]): {
            "payer": "ana",
            "payee": "beto",
            "amount": "5",
            "note": decompose("la picáda"),
            "method": "cash",
            "sure": "ana beto 5",
        },
        reverse("change-settings", args=[table.code, "name"]): {"table-name": decompose("Los sábados")},
        reverse("change-settings", args=[table.code, "money"]): {"unit": "€", "confirm": "€"},
    }
    for address, fields in forms.items():
        response = client.post(address, {"key": new_key(), **fields})
        assert (response.status_code, violations) == (302, []), (address, response.content.decode()[-3000:])

    handover = {"kind": "seat_handed_over", "data": {"player": "fede", "to": {"name": decompose("Gína")}}}
    others = (hand.translate(OTHER) for hand in CUT)
    hands_text = " ".join(
        f"{slug}={hand}" for slug, hand in zip(("ana", "beto", "caro", "gina"), others, strict=True)
    )
    answer = client.post(
        reverse("api-game-events", args=[game.code]),
        json.dumps({"after": 4, "events": [handover, {"line": f"round beto cut {hands_text}"}]}),
        content_type="application/json",
        headers={"Idempotency-Key": new_key()},
    )
    assert (200, []) == (answer.status_code, violations), answer.content


def test_what_is_slow_is_computed_anew_outside_the_lock_a_few_times_if_the_table_changes_meanwhile(
    owner, table
):
    computed: list[bool] = []

    def compute(times: int) -> int:
        computed.append(connection.in_atomic_block)
        if len(computed) < times:
            with transaction.atomic():
                locks.bump_version(table)
        return len(computed)

    written = locks.write_unless_changed(table, lambda: compute(3), lambda _locked, value: value)
    assert (3, [False] * 3) == (written, computed)

    computed.clear()
    with pytest.raises(ConcurrentChange):
        locks.write_unless_changed(table, lambda: compute(locks.ATTEMPTS + 1), lambda _locked, value: value)
    assert locks.ATTEMPTS == len(computed)
