"""Undo removes the last entry with all its events; redo restores it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import fields, read_page
from tests.worlds import a_key, a_round, totals

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


def test_undo_removes_the_last_round_and_the_sheet_names_it(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert (302, f"/g/{game.code}/") == (response.status_code, response.url)
    assert {"ana": 0, "beto": 23, "caro": 40, "dani": 9} == totals(game)
    assert ["Undone: Round 2: Beto went out"] == read_page(ana.get(response.url)).last
