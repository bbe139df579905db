"""The pot while the game runs: what everybody put in, and why."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.events import PlayerReentered
from tests.reader import read_page
from tests.tables import a_round

pytestmark = pytest.mark.django_db


def test_what_everybody_put_in_opens_to_its_causes(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    response = ana.get(reverse("money", args=[game.code]))
    text = read_page(response).only("main").text

    assert 200 == response.status_code
    for part in ("$ 500", "Beto −$ 200", "Re-entry 1, after round 1 −$ 100", "Stake −$ 100"):
        assert part in text
