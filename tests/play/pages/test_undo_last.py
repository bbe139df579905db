"""Undo takes back the last entry with all its events; redo restores it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Result
from games.scoring.events import Corrected, PlayerLeft
from tests.reader import fields, read_page
from tests.tables import a_key, a_round, start, totals

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("undo-last", args=[game.code])


def _payload(game, **changes):
    return fields(**{"after": len(game.log()), "key": a_key(), **changes})


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


def test_a_game_just_begun_has_nothing_to_undo(ana, owner, table):
    game = start(table, owner)
    response = ana.post(_address(game), _payload(game))

    assert 422 == response.status_code
    assert ["There is nothing to undo."] == read_page(response).alerts
