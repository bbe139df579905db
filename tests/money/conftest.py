"""Fixtures for money tests: a game of one round on a Thursday night, and a pizza."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from games.play.services import recording
from tests.factories import loba_start, new_key, table_players, winning_round
from tests.money.story import Story

THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # 10 p.m. on the 19th in Buenos Aires


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
