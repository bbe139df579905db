"""Every form that records an event: it records once for each key, never on a stale state, and only by POST."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Member, Record
from games.play.services import recording
from tests.factories import build_round, new_key, start
from tests.reader import fields, read_page

pytestmark = pytest.mark.django_db

CORRECTION = "correct 2 round ana out beto=24 caro=40 dani=9"
HANDS = {"hand_ana": "", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9"}
FORMS = {
    "play-round": {"closer": "ana", "closing": "out", **HANDS},
    "adjust": {"penalty_player": "dani", "points": "10", "reason": "se paró"},
    "leave": {"leave_player": "dani"},
    "deal": {"deal_player": "caro"},
    "replace": {"seat_player": "dani", "to_name": "Eva"},
    "join": {"newcomer_name": "Eva", "after_player": "ana"},
    "changes": {"change": CORRECTION, "seen": CORRECTION, "confirm": "yes"},
    "undo-last": {},
    "redo-last": {},
    "reentry": {"player": "beto", "answer": "reenter"},
}
AFTER_A_ROUND = [name for name in FORMS if name not in ("redo-last", "reentry")]
POST_ONLY = ["undo-last", "redo-last", "discard", "restore", "rematch"]


@pytest.fixture
def game_for(table, owner, write):
    """`game_for("reentry")` returns a game with a round, at a stage where that form can record."""

    def game_at(name):
        game = start(table, owner, stake=100, late_entry="on")
        write(game, build_round("ana", beto=101 if name == "reentry" else 23, caro=40, dani=9))
        if name == "redo-last":
            recording.undo(game, after=2, key=new_key(), by=owner)
        return game

    return game_at


def form_address(name, game):
    return reverse(name, args=[game.code])


def form_payload(name, game, **changes):
    return fields(**{"after": len(game.log()), "key": new_key(), **FORMS[name], **changes})


def row_counts():
    """Return the numbers of rows that a refused form must not increase."""
    return Record.objects.count(), Member.objects.count()


@pytest.mark.parametrize("name", FORMS)
def test_a_form_sent_twice_records_once(ana, game_for, name):
    game = game_for(name)
    payload = form_payload(name, game)
    first = ana.post(form_address(name, game), payload)
    recorded = row_counts()
    second = ana.post(form_address(name, game), payload)

    assert (302, 302, first.url) == (first.status_code, second.status_code, second.url)
    assert recorded == row_counts()


@pytest.mark.parametrize("name", FORMS)
def test_the_key_that_began_the_game_records_nothing_else(ana, game_for, name):
    game = game_for(name)
    before = row_counts()
    response = ana.post(form_address(name, game), form_payload(name, game, key=game.key))

    assert (409, before) == (response.status_code, row_counts())
    assert ["This form already recorded another entry. Check the sheet."] == read_page(response).alerts


WRONG_KEYS = ["", "x" * 65, "a\x00b"]
WRONG_POSITIONS = ["", "x", "-1", "0", "99999999999999999999", "\u0661", "\x00"]


def each_form_with_one(*wrong):
    """Return pairs of a form and a wrong value: the last value with every form, the others with one form."""
    return [*((name, wrong[-1]) for name in FORMS), *(("play-round", value) for value in wrong[:-1])]


@pytest.mark.parametrize(("name", "key"), each_form_with_one(*WRONG_KEYS))
def test_an_invalid_idempotency_key_is_refused_and_replaced(ana, game_for, name, key):
    game = game_for(name)
    before = row_counts()
    response = ana.post(form_address(name, game), form_payload(name, game, key=key))
    page = read_page(response)

    assert (422, before) == (response.status_code, row_counts())
    assert "A key must have 1 to 64 characters." in page.alerts
    assert key not in [node.attrs["value"] for node in page.every("input", name="key")]


@pytest.mark.parametrize(("name", "after"), each_form_with_one(*WRONG_POSITIONS))
def test_an_invalid_log_position_is_stale(ana, game_for, name, after):
    game = game_for(name)
    before = row_counts()
    response = ana.post(form_address(name, game), form_payload(name, game, after=after))

    assert (409, before) == (response.status_code, row_counts())


@pytest.mark.parametrize("name", AFTER_A_ROUND)
def test_a_stale_form_shows_the_missed_round_and_keeps_its_fields(ana, game_for, write, name):
    game = game_for(name)
    payload = form_payload(name, game)
    write(game, build_round("dani", ana=1, beto=2, caro=3))
    before = row_counts()
    response = ana.post(form_address(name, game), payload)
    page = read_page(response)

    assert (409, before) == (response.status_code, row_counts())
    assert "Round 2: Dani went out" in page.notices
    if name in ("undo-last", "changes"):
        return
    assert payload | {"after": "3", "key": ""} == {
        **{field_name: page.typed(field_name) for field_name in payload},
        "key": "",
    }


@pytest.mark.parametrize("name", FORMS)
def test_a_discarded_game_refuses_every_form(ana, game_for, name):
    game = game_for(name)
    recording.discard_game(game)
    before = row_counts()
    response = ana.post(form_address(name, game), form_payload(name, game))

    assert (422, before) == (response.status_code, row_counts())
    assert "This game was deleted. Restore it first." in read_page(response).alerts


def test_a_finished_game_refuses_every_form(subtests, ana, finished):
    before = row_counts()
    for name in ["play-round", "adjust", "leave", "deal", "replace", "reentry"]:
        with subtests.test(name=name):
            response = ana.post(form_address(name, finished), form_payload(name, finished))

            assert (422, before) == (response.status_code, row_counts())
            assert ["The game is over."] == read_page(response).alerts


def test_a_get_request_to_a_recording_form_gets_405(subtests, ana, game):
    for name in POST_ONLY:
        with subtests.test(name=name):
            assert 405 == ana.get(form_address(name, game)).status_code
