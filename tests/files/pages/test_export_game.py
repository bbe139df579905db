"""A game exported as text and as JSON: read again, it is the same game."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.scoring.ledger import nets
from games.scoring.money import pot_of
from games.scoring.replay import replay
from games.scoring.text.codec import from_data
from games.scoring.text.report import summary
from games.scoring.text.script import play_script, read_script
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def test_the_exported_events_replay_to_the_exported_state(ana, finished):
    response = ana.get(reverse("export-game", args=[finished.code]))
    assert "application/json" == response["Content-Type"]
    assert f'attachment; filename="{finished.code}.json"' == response["Content-Disposition"]
    exported = json.loads(response.content)
    state = replay([from_data(event["kind"], event["data"]) for event in exported["events"]])
    assert finished.state() == state
    assert json.loads(json.dumps(summary(state))) == exported["state"]


def test_the_result_page_links_to_the_game_as_text_and_as_json(waldo, finished):
    page = read_page(waldo.get(reverse("settlement", args=[finished.code])))
    for name, form in (("export", "text"), ("export-game", "JSON")):
        assert reverse(name, args=[finished.code]) == page.link(f"The game as {form}")


def test_the_exported_game_does_not_name_its_recorders(ana, finished):
    assert b'"by"' not in ana.get(reverse("export-game", args=[finished.code])).content


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
