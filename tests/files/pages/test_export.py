"""A game exported as text: parsed again, it is the same game."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.ledger import nets
from games.scoring.money import pot_of
from games.scoring.text.script import play_script, read_script
from tests.worlds import make_table, make_user, start

pytestmark = pytest.mark.django_db


def essence(state):
    """Return the part of a state that must survive export and import."""
    return (
        [(player.id, player.name, player.total, player.seat, player.reentries) for player in state.players],
        state.outcome,
        pot_of(state),
        nets(state),
    )


def exported(client, game):
    response = client.get(reverse("export", args=[game.code]))
    assert 200 == response.status_code
    assert "text/plain; charset=utf-8" == response["Content-Type"]
    assert f'attachment; filename="{game.code}.game"' == response["Content-Disposition"]
    return response.content.decode()


def again(text):
    played = play_script(read_script(text))
    assert [] == played.problems
    return played.state


def test_a_finished_game_has_the_same_totals_pot_and_nets_after_export_and_import(ana, finished):
    assert essence(finished.state()) == essence(again(exported(ana, finished)))


@pytest.mark.parametrize("name", ["<b>", "O'Brien", "a;b#c", "👨‍👩‍👧", "{x}", "[K 7]", "x=1"])
def test_any_name_survives_export_and_import(phone_of, db, name):
    owner = make_user("olga")
    game = start(make_table(owner, people=(name, "Beto")), owner)

    assert name == again(exported(phone_of(owner), game)).players[0].name
