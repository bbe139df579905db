"""Redo restores the most recently undone entry; a bar on the page offers it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import fields, read_page
from tests.worlds import a_key, a_round, totals

pytestmark = pytest.mark.django_db


@pytest.fixture
def undone(ana, game, write):
    write(game, a_round("ana", beto=23, caro=60, dani=39))
    before = totals(game)
    shown = ana.post(reverse("undo-last", args=[game.code]), fields(after=2, key=a_key())).url
    return before, read_page(ana.get(shown))


def _address(game):
    return reverse("redo-last", args=[game.code])


def _payload(**changes):
    return fields(**{"after": 3, "key": a_key(), **changes})


def test_redo_restores_the_undone_round(ana, game, undone):
    before, page = undone
    form, _button = page.form_with("Redo")
    assert _address(game) == form.attrs["action"]
    response = ana.post(_address(game), _payload())

    assert before == totals(game)
    page = read_page(ana.get(response.url))
    assert ["Redone: Round 1: Ana went out"] == page.last
    assert page.form_with("Undo")
