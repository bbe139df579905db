"""Starting a game that the same people have already started: the user is asked, or redirected to it."""

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
from tests.concurrency import run_concurrently
from tests.factories import build_round, loba_start, make_table, make_user, new_key, start, table_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def started_game(table, owner):
    """A game of all four, started a minute ago, without a round."""
    game = recording.start_game(table, loba_start(table, stake=100), key=new_key(), by=owner)
    Game.objects.filter(pk=game.pk).update(started_at=now() - timedelta(minutes=1))
    return game


@pytest.fixture
def start_again(table, owner):
    """`start_again(event)` starts a game from a page, by default the same game as `started_game`."""

    def start_same_game(event=None, **options):
        event = event or loba_start(table, stake=100)
        return recording.start_game(table, event, key=new_key(), by=owner, is_asking=True, **options)

    return start_same_game


def test_a_game_of_the_same_people_is_asked_about_whatever_its_rules_variant_and_seats(
    started_game, start_again, table
):
    turned = table_players(table)[::-1]
    for event in (
        loba_start(table, stake=100),
        loba_start(table, stake=500),
        GameStarted("chinchon", (), table_players(table)),
        GameStarted("loba_menos", (("stake", 100),), turned),
    ):
        with pytest.raises(DuplicateGame) as question:
            start_again(event)
        assert (started_game, 1) == (question.value.game, Game.objects.count())


ROUND = build_round("ana", beto=1, caro=2, dani=3)


@pytest.mark.parametrize(
    "go_on",
    [
        lambda game, write: write(game, ROUND),
        lambda game, write: write(game, GameStopped(Stop.REFUND)),
        lambda game, write: recording.discard_game(game),
    ],
    ids=["round", "stopped", "discarded"],
)
def test_a_game_that_went_on_is_not_asked_about(started_game, start_again, write, go_on):
    go_on(started_game, write)

    assert started_game != start_again()


def test_a_game_whose_only_round_was_undone_has_none(started_game, start_again, owner, write):
    write(started_game, ROUND)
    recording.undo(started_game, after=2, key=new_key(), by=owner)

    with pytest.raises(DuplicateGame):
        start_again()


def test_somebody_who_was_merged_since_is_the_same_person(started_game, start_again, table, owner):
    beto = table.members.get(slug="beto")
    bebe = Member.objects.create(table=table, slug="bebe", name="Bebe", colour=1)
    member_merges.merge(beto, bebe, by=owner, seen=member_merges.preview(beto, bebe).digest)
    players = (Player("ana", "Ana"), Player("bebe", "Bebe"), Player("caro", "Caro"), Player("dani", "Dani"))

    with pytest.raises(DuplicateGame):
        start_again(GameStarted("loba_menos", (), players))


def test_a_repeated_key_still_returns_its_game_after_rounds_were_played(started_game, table, owner, write):
    game = recording.start_game(table, loba_start(table), key="k", by=owner)
    write(game, ROUND)

    assert game == recording.start_game(table, loba_start(table), key="k", by=owner, is_asking=True)


def test_a_moment_after_another_request_the_same_game_is_entered_without_a_question(
    table, owner, start_again
):
    game = start(table, owner, stake=100)

    assert game == start_again()


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_requests_with_different_keys_the_later_ones_land_in_the_first_game():
    owner = make_user()
    table = make_table(owner)
    begin = partial(recording.start_game, table, loba_start(table), by=owner, is_asking=True)
    results = run_concurrently(*(partial(begin, key=f"key {number}") for number in range(4)))

    assert [Game.objects.get()] * 4 == results
