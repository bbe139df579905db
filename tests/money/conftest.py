"""Fixtures for money tests: a game of one round on a Thursday night, a pizza, and stories of several nights."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from games.models import Role
from games.play.services import recording
from tests.factories import loba_start, new_key, table_players, winning_round
from tests.money.story import Story

THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # 10 p.m. on the 19th in Buenos Aires
ALL_FOUR = {"ana": 1, "beto": 1, "caro": 1, "dani": 1}
ROAST = {"beto": 6000, "dani": 4001}


@pytest.fixture
def win_game(table, owner):
    """`win_game("ana", 100, "beto", "caro")` returns a game in which Ana won 100 from each of the others."""

    def play_one(winner, stake, *losers, at=THURSDAY):
        players = tuple(player for player in table_players(table) if player.id in (winner, *losers))
        start_event = replace(loba_start(table, stake=stake), players=players)
        game = recording.start_game(table, start_event, key=new_key(), by=owner, at=at)
        recording.record(game, winning_round(winner, *losers), after=1, key=new_key(), by=owner, at=at)
        game.refresh_from_db()
        return game

    return play_one


@pytest.fixture
def pizza(play, share):
    """Ana won 300 from three others; then Beto paid 10,001 for Ana, Beto and Caro."""
    play("ana", "beto", "caro", "dani")
    return share("beto", 10001, "ana", "beto", "caro")


@pytest.fixture
def story(owner, time_machine):
    """`story("Ana", "Beto")` returns a table of these friends on Thursday, the 5th of March."""
    return lambda *names: Story(owner, time_machine, *names)


@pytest.fixture
def roast(story):
    """Beto and Dani pay a roast for four on the 5th."""
    roast = story("Ana", "Beto", "Caro", "Dani")
    roast.cost = roast.share(ROAST, **ALL_FOUR)
    return roast


@pytest.fixture
def petrol(story):
    """Ana must pay Caro, who never paid anything for her."""
    story = story("Ana", "Beto", "Caro")
    story.game("Loba", ana=-1000, beto=1000, caro=0)
    story.go_to_day(12)
    story.expense("caro", 2000, "beto", note="comida")
    story.go_to_day(13)
    story.petrol = story.expense("beto", 1800, "ana", "caro", note="nafta")
    return story


@pytest.fixture
def six(story):
    """Six friends and four nights, with the setting off: seven payments where four suffice."""
    story = story("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")
    story.go_to_day(1)
    story.game("Loba", ana=0, beto=0, caro=0, dani=0, eva=0, fede=0)
    story.go_to_day(5)
    story.game("Loba", ana=300, beto=-100, caro=-100, dani=-100)
    story.go_to_day(12)
    story.game("Chinchón", eva=400, beto=-200, fede=-200)
    story.go_to_day(19)
    story.game("Carioca", caro=200, eva=-100, fede=-100)
    story.go_to_day(26)
    story.game("Loba", ana=-300, dani=150, eva=150)
    story.go_to_day(27)
    return story


@pytest.fixture
def claimed(story):
    """With the setting on, Ana claimed to have paid Beto. Then Beto lost as much to Caro. Ana and Beto have phones."""
    story = story("Ana", "Beto", "Caro", "Dani")
    story.turn(is_on=True)
    story.go_to_day(1)
    story.game("Loba", ana=0, beto=0, caro=0, dani=0)
    story.give_phones("ana", "beto")
    story.go_to_day(5)
    story.game("Loba", ana=-400, beto=400)
    story.claim = story.tick("beto", by=story.users["ana"], role=Role.WITNESS)
    story.go_to_day(12)
    story.game("Loba", beto=-400, caro=400)
    return story
