"""A game exported as text: parsed again, it is the same game."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.people.members import add_member
from games.scoring.events import (
    Corrected,
    GameStopped,
    Inserted,
    Player,
    PlayerLeft,
    PointsAdjusted,
    RoundPlayed,
    SeatHandedOver,
    Stop,
    Struck,
)
from games.scoring.ledger import nets
from games.scoring.money import pot_of
from games.scoring.rounds import RoundEntry
from games.scoring.text.notation import read_hand
from games.scoring.text.script import play_script, read_script
from tests.tables import a_round, make_table, make_user, start

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


def test_a_game_with_every_kind_of_event_is_the_same_after_export_and_import(ana, game, write):
    add_member(game.table, 'Eva #1; "loca"'.replace('"', "'"))
    eva = game.table.members.last()
    hands = (("beto", read_hand("[KH 7 *]")), ("caro", read_hand("[]")), ("dani", read_hand("12")))
    write(game, RoundPlayed(RoundEntry("ana", "in_one_go", hands)))
    write(game, a_round("beto", ana=5, caro=20, dani=30))
    write(game, PointsAdjusted("dani", -5, "regalo; # de cumpleaños"))
    write(game, Corrected(3, a_round("beto", ana=6, caro=20, dani=30)))
    write(game, Inserted(3, a_round("dani", ana=1, beto=2, caro=3)))
    write(game, SeatHandedOver("caro", Player(eva.slug, eva.name)))
    write(game, PlayerLeft("beto"))
    write(game, Struck(4))
    assert essence(game.state()) == essence(again(exported(ana, game)))
    write(game, GameStopped(Stop.SPLIT_POT))

    assert essence(game.state()) == essence(again(exported(ana, game)))


@pytest.mark.parametrize("name", ["<b>", "O'Brien", "a;b#c", "👨‍👩‍👧", "{x}", "[K 7]", "x=1"])
def test_any_name_survives_export_and_import(phone_of, db, name):
    owner = make_user("olga")
    game = start(make_table(owner, people=(name, "Beto")), owner)

    assert name == again(exported(phone_of(owner), game)).players[0].name


def test_a_witness_may_export_a_game(waldo, game):
    assert exported(waldo, game)
