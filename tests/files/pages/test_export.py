"""A game exported as text: parsed again, it is the same game."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.ledger import nets
from games.scoring.money import pot_of
from games.scoring.text.script import play_script, read_script

pytestmark = pytest.mark.django_db


def essence(state):
    """Return the part of a state that must survive export and import."""
    players = [
        (player.id, player.name, player.total, player.seat, player.reentries) for player in state.players
    ]
    return players, state.outcome, pot_of(state), nets(state)


def test_a_finished_game_has_the_same_totals_pot_and_nets_after_export_and_import(ana, table, finished):
    response = ana.get(reverse("export", args=[finished.code]))
    played = play_script(read_script(response.content.decode()))

    assert "text/plain; charset=utf-8" == response["Content-Type"]
    assert f'attachment; filename="{finished.code}.game"' == response["Content-Disposition"]
    assert ([], essence(finished.state())) == (played.problems, essence(played.state))
