"""The name of a game in lists, and the URL of its page."""

from __future__ import annotations

from datetime import date

from django.urls import reverse

from games.models import Game
from games.scoring.variants import find_titled
from games.shown.common.days import day_in_words
from games.shown.common.sentences import translate


def game_name(game: Game) -> str:
    """Return the name of the card game that was played."""
    return translate(find_titled(game.variant).name)


def game_in_words(game: Game) -> str:
    """Return the name and the night of a game."""
    return f"{game_name(game)}, {day_in_words(date.fromordinal(game.night_number))}"


def game_page(game: Game) -> str:
    """Return the URL of the page that explains the money of a game."""
    is_settled = game.ended_at is not None and game.discarded_at is None
    return reverse("settlement" if is_settled else "sheet", args=[game.code])
