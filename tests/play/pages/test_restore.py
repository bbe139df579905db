"""A discarded game is restored with its results."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, Result
from games.play import recording as services

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("restore", args=[game.code])


def test_a_restored_game_has_its_results_again(ana, finished):
    services.discard_game(finished)
    response = ana.post(_address(finished))

    assert f"/g/{finished.code}/" == response.url
    assert (None, 4) == (Game.objects.get().discarded_at, Result.objects.count())
