"""Undo takes back what was recorded last, all of it; undone again it is back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record, Result
from games.play import recording as services
from games.scoring.events import Corrected, PlayerLeft
from tests.reader import fields, read_page
from tests.tables import a_key, a_round, start

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("undo-last", args=[game.code])


def _payload(game, **changes):
    return fields(**{"after": len(game.log()), "key": a_key(), **changes})


def totals(game):
    return {player.id: player.total for player in game.state().players}


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, a_round("beto", ana=5, caro=20, dani=30))
    return game


def test_the_last_round_is_taken_back_and_the_sheet_says_which(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert (302, f"/g/{game.code}/?done=4") == (response.status_code, response.url)
    assert {"ana": 0, "beto": 23, "caro": 40, "dani": 9} == totals(game)
    assert ["Undone: Round 2: Beto went out"] == read_page(ana.get(response.url)).notices


def test_undone_again_it_goes_one_step_further_back(ana, game):
    ana.post(_address(game), _payload(game))
    response = ana.post(_address(game), _payload(game))

    assert {0} == set(totals(game).values())
    assert ["Undone: Round 1: Ana went out"] == read_page(ana.get(response.url)).notices


def test_a_batch_is_taken_back_as_one(ana, game, write):
    before = totals(game)
    write(game, PlayerLeft("dani"), Corrected(3, a_round("beto", ana=5, caro=20, dani=31)))
    ana.post(_address(game), _payload(game))

    assert before == totals(game)
    assert "in" == game.state().player("dani").seat


def test_the_end_is_taken_back_with_its_results(ana, finished):
    ana.post(_address(finished), _payload(finished))

    assert (0, False) == (Result.objects.count(), finished.state().is_over)


def test_the_same_form_twice_takes_back_once(ana, game):
    payload = _payload(game)
    answers = [ana.post(_address(game), payload).status_code for _ in range(2)]

    assert ([302, 302], 4) == (answers, Record.objects.count())


def test_the_same_key_as_a_round_is_refused(ana, game, owner):
    services.record(game, a_round("ana", beto=1, caro=2, dani=3), after=3, key="used", by=owner)
    response = ana.post(_address(game), _payload(game, key="used"))

    assert 409 == response.status_code
    assert ["This was recorded already, with something else. Look at the sheet."] == read_page(
        response
    ).alerts


def test_who_missed_a_round_takes_back_nothing_and_sees_it(ana, game, write):
    payload = _payload(game)
    write(game, a_round("dani", ana=1, beto=2, caro=3))
    response = ana.post(_address(game), payload)

    assert 409 == response.status_code
    assert ["Meanwhile this was recorded:", "Round 3: Dani went out"] == read_page(response).notices
    assert 4 == Record.objects.count()


@pytest.mark.parametrize("after", ["", "x", "-1", "0", "1", "2", "4", "999", "\x00"])
def test_an_after_that_makes_no_sense_is_stale(ana, game, after):
    assert 409 == ana.post(_address(game), _payload(game, after=after)).status_code
    assert 3 == Record.objects.count()


@pytest.mark.parametrize("key", ["", "x" * 65, "\x00"])
def test_a_key_that_is_none_is_refused(ana, game, key):
    response = ana.post(_address(game), _payload(game, key=key))

    assert 422 == response.status_code
    assert ["A key has from 1 to 64 characters."] == read_page(response).alerts


def test_a_game_just_begun_has_nothing_to_undo(ana, owner, table):
    game = start(table, owner)
    response = ana.post(_address(game), _payload(game))

    assert 422 == response.status_code
    assert ["There is nothing to undo."] == read_page(response).alerts


def test_a_discarded_game_stays_as_it_is(ana, game):
    services.discard_game(game)
    response = ana.post(_address(game), _payload(game))

    assert 422 == response.status_code
    assert "This game was taken away. Bring it back first." in read_page(response).alerts


def test_looking_is_not_undoing(ana, game):
    assert 405 == ana.get(_address(game)).status_code
