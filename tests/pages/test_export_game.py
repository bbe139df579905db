"""A game as JSON: every event, and how it stands."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.scoring.codec import from_data
from games.scoring.replay import replay
from games.scoring.report import summary

pytestmark = pytest.mark.django_db


def test_the_events_replay_to_the_state_beside_them(ana, finished):
    response = ana.get(reverse("export-game", args=[finished.code]))
    assert "application/json" == response["Content-Type"]
    assert f'attachment; filename="{finished.code}.json"' == response["Content-Disposition"]
    told = json.loads(response.content)
    state = replay([from_data(event["kind"], event["data"]) for event in told["events"]])
    assert finished.state() == state
    assert json.loads(json.dumps(summary(state))) == told["state"]


def test_who_recorded_it_is_nobodys_business(ana, finished):
    assert b'"by"' not in ana.get(reverse("export-game", args=[finished.code])).content
