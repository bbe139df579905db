"""A network that delays, reorders and repeats requests: two phones' entries are recorded once, in order."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play.services import recording
from tests.factories import new_key
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import fields

pytestmark = pytest.mark.django_db


HANDS = {"closer": "ana", "closing": "out", "hand_ana": "", "hand_beto": 9, "hand_caro": 9, "hand_dani": 9}


@pytest.fixture
def send(ana, game):
    """`send(after=2)` sends a round closed by Ana from the outbox, and returns the answer."""

    def post(**changes):
        (answer,) = entry_answers(
            send_entries(ana, build_entry("round", game=game.code, **{**HANDS, **changes}))
        )
        return answer

    return post


def record_keys(game):
    return list(game.records.filter(number__gt=1).order_by("number").values_list("key", flat=True))


@pytest.mark.parametrize("order", [(2, 1, 0), (1, 2, 0)])
def test_queued_rounds_are_recorded_once_and_in_order_however_their_requests_arrive(send, game, order):
    waiting = [{"after": 1 + number, "key": f"k{number}", "hand_beto": number} for number in range(3)]
    arriving = [waiting[number] for number in order]
    # Each round is sent until it gets a response, and some are sent once more after later ones.
    statuses = {send(**entry)["status"] for entry in (*arriving, *arriving, *arriving, *reversed(arriving))}

    assert ["k0", "k1", "k2"] == record_keys(game)
    assert {"done", "refused"} >= statuses
    assert "done" == send(**waiting[0])["status"]


def test_a_repeated_request_does_not_bring_back_a_round_that_was_undone(send, ana, game, owner):
    entry = {"after": 1, "key": "late"}
    assert "done" == send(**entry)["status"]
    recording.undo(game, after=2, key=new_key(), by=owner)

    page = reverse("play-round", args=[game.code])
    for again in (lambda: send(**entry), lambda: ana.post(page, fields(**HANDS, **entry))):
        again()
        assert ("late", 3, ()) == (record_keys(game)[0], game.records.count(), game.state().rounds)
