"""A network that delays, reorders and repeats requests: entries of two phones are recorded once, in order."""

from __future__ import annotations

from itertools import permutations

import pytest
from django.urls import reverse

from games.play.recording import undo
from tests.reader import fields, read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db
TOO_EARLY = "The entry before this one is missing here: check the sheet."


@pytest.fixture
def send(ana, game):
    """`send(to="queued", after=2)` sends a round that Ana closed, from the outbox or from its own page."""
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]

    def post(*, to="queued", **changes):
        hands = {"hand_ana": "", "hand_beto": "9", "hand_caro": "9", "hand_dani": "9"}
        sent = {"key": a_key(), "person": mark, "closer": "ana", "closing": "out", **hands, **changes}
        return ana.post(reverse(to, args=[game.code]), fields(**sent))

    return post


def keys(game):
    return list(game.records.filter(number__gt=1).order_by("number").values_list("key", flat=True))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_in_whatever_order_they_arrive_rounds_that_waited_stand_once_as_they_were_entered(send, game, order):
    waiting = [{"after": 1 + number, "key": f"k{number}", "hand_beto": number} for number in range(3)]
    arriving = [waiting[number] for number in order]
    # Each is sent until it gets a response, and some are sent once more after later ones.
    statuses = {send(**entry).status_code for entry in (*arriving, *arriving, *arriving, *reversed(arriving))}

    assert ["k0", "k1", "k2"] == keys(game)
    assert {200, 409} >= statuses
    assert 200 == send(**waiting[0]).status_code


@pytest.mark.parametrize("first", ["beto", "caro"])
def test_whichever_of_two_phones_gets_through_first_the_other_is_told_and_nothing_is_recorded_twice(
    send, game, first
):
    second = {"beto": "caro", "caro": "beto"}[first]
    rounds = {
        closer: {"after": 1, "key": closer, "closer": closer, "hand_ana": 9, f"hand_{closer}": ""}
        for closer in (first, second)
    }

    answers = [send(**rounds[closer]) for closer in (first, second, first)]
    assert [200, 409, 200] == [answer.status_code for answer in answers]
    assert [first] == keys(game)
    news = ["Recorded meanwhile:", f"Round 1: {first.capitalize()} went out"]
    assert news == answers[1].json()["sentences"]


def test_a_round_whose_first_sending_arrives_after_it_was_undone_stays_undone(send, game, owner):
    entry = {"after": 1, "key": "late"}
    assert 200 == send(**entry).status_code
    undo(game, after=2, key=a_key(), by=owner)

    for to in ("queued", "play-round"):
        assert send(to=to, **entry).status_code in {200, 302, 409}
        assert ("late", 3, ()) == (keys(game)[0], game.records.count(), game.state().rounds)


def test_what_arrives_before_what_it_follows_waits_and_says_so(send, game):
    answer = send(after=2, key="early")

    assert (409, [TOO_EARLY], []) == (answer.status_code, answer.json()["sentences"], keys(game))
