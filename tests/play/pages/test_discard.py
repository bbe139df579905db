"""Discarding a game that was started by mistake; the home page offers to restore it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, Record, Result
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("discard", args=[game.code])


def test_it_is_taken_away_and_can_be_brought_back(ana, finished):
    response = ana.post(_address(finished))
    page = read_page(ana.get(response.url))

    assert Game.objects.get().discarded_at is not None
    assert (0, 6) == (Result.objects.count(), Record.objects.count())
    form, _button = page.form_with("Undo")
    ana.post(form.attrs["action"], form.fields)
    assert (None, 4) == (Game.objects.get().discarded_at, Result.objects.count())


def test_it_is_offered_beside_the_rest(ana, game):
    form, _button = read_page(ana.get(reverse("more", args=[game.code]))).form_with(
        "Opened by mistake: take the game away"
    )

    assert _address(game) == form.attrs["action"]
