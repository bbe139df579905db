"""Starting a game that the same people have already started: the user is asked, or lands in it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils.timezone import now

from games.models import Game, Member
from games.money.services import member_merges
from games.play.services import recording
from games.play.services.duplicates import DuplicateGame
from games.scoring.events import GameStarted, GameStopped, Player, Stop
from tests.at_once import at_once
from tests.worlds import a_key, a_round, loba, make_table, make_user, seated, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def begun(table, owner):
    """A game of all four, started a minute ago, without a round."""
    game = recording.start_game(table, loba(table, stake=100), key=a_key(), by=owner)
    Game.objects.filter(pk=game.pk).update(started_at=now() - timedelta(minutes=1))
    return game


@pytest.fixture
def again(table, owner):
    """`again(event)` starts a game with this event as a page does, by default the same game as `begun`."""

    def start_again(event=None, **options):
        event = event or loba(table, stake=100)
        return recording.start_game(table, event, key=a_key(), by=owner, is_asking=True, **options)

    return start_again


def test_a_game_of_the_same_people_is_asked_about_whatever_its_rules_variant_and_seats(begun, again, table):
    turned = seated(table)[::-1]
    for event in (
        loba(table, stake=100),
        loba(table, stake=500),
        GameStarted("chinchon", (), seated(table)),
        GameStarted("loba_menos", (("stake", 100),), turned),
    ):
        with pytest.raises(DuplicateGame) as question:
            again(event)
        assert (begun, 1) == (question.value.game, Game.objects.count())


ROUND = a_round("ana", beto=1, caro=2, dani=3)


@pytest.mark.parametrize(
    "go_on",
    [
        lambda game, write: write(game, ROUND),
        lambda game, write: write(game, GameStopped(Stop.REFUND)),
        lambda game, write: recording.discard_game(game),
    ],
    ids=["round", "stopped", "discarded"],
)
def test_a_game_that_went_on_is_not_asked_about(begun, again, write, go_on):
    go_on(begun, write)

    assert begun != again()


def test_a_game_whose_only_round_was_undone_has_none(begun, again, owner, write):
    write(begun, ROUND)
    recording.undo(begun, after=2, key=a_key(), by=owner)

    with pytest.raises(DuplicateGame):
        again()


def test_somebody_who_was_merged_since_is_the_same_person(begun, again, table, owner):
    beto = table.members.get(slug="beto")
    bebe = Member.objects.create(table=table, slug="bebe", name="Bebe", colour=1)
    member_merges.merge(beto, bebe, by=owner, seen=member_merges.preview(beto, bebe).digest)
    players = (Player("ana", "Ana"), Player("bebe", "Bebe"), Player("caro", "Caro"), Player("dani", "Dani"))

    with pytest.raises(DuplicateGame):
        again(GameStarted("loba_menos", (), players))


def test_a_repeated_key_still_returns_its_game_after_rounds_were_played(begun, table, owner, write):
    game = recording.start_game(table, loba(table), key="k", by=owner)
    write(game, ROUND)

    assert game == recording.start_game(table, loba(table), key="k", by=owner, is_asking=True)


def test_a_moment_after_another_request_the_same_game_is_entered_without_a_question(table, owner, again):
    game = start(table, owner, stake=100)

    assert game == again()


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_requests_with_different_keys_the_later_ones_land_in_the_first_game():
    owner = make_user()
    table = make_table(owner)
    begin = partial(recording.start_game, table, loba(table), by=owner, is_asking=True)
    entered = at_once(*(partial(begin, key=f"key {number}") for number in range(4)))

    assert [Game.objects.get()] * 4 == entered
