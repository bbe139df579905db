"""Which game that was, and where it is looked at."""

from __future__ import annotations

from datetime import date

from django.urls import reverse

from games.models import Game
from games.scoring.variants import find_titled
from games.shown.common.days import day_in_words
from games.shown.common.sentences import translate


def variant_in_words(game: Game) -> str:
    """What was played."""
    return translate(find_titled(game.variant).name)


def game_in_words(game: Game) -> str:
    """Which game that was: what, and in which night."""
    return f"{variant_in_words(game)}, {day_in_words(date.fromordinal(game.night_number))}"


def game_page(game: Game) -> str:
    """Where a game's money is explained."""
    is_settled = game.ended_at is not None and game.discarded_at is None
    return reverse("settlement" if is_settled else "sheet", args=[game.code])
