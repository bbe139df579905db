"""The name of a game in lists, the URL of its page, and numbers of games, wins and re-entries in words.

A *title* is a stored text (`Variant.title`): the key of a card game, such as `loba`. If the players gave the
game a name of their own, a colon and that name follow the key.
"""

from __future__ import annotations

from datetime import date

from django.urls import reverse
from django.utils.translation import ngettext

from games.common.amounts import points
from games.common.days import day_in_words
from games.common.sentences import translate
from games.models import Game
from games.scoring.variants import find_titled


def title_in_words(title: str) -> str:
    """Return the translated name of the card game with this title."""
    return translate(find_titled(title).name)


def game_name(game: Game) -> str:
    """Return the translated name of the card game that was played, such as `Chinchón`."""
    return title_in_words(game.variant)


def game_in_words(game: Game) -> str:
    """Return the name of a game's card game, and the night on which it was played: `Loba, vie 31 may`."""
    return f"{game_name(game)}, {day_in_words(date.fromordinal(game.night_number))}"


def game_page(game: Game) -> str:
    """Return the URL of a game's result, or of its scoresheet if the game is unfinished or discarded."""
    is_settled = game.ended_at is not None and game.discarded_at is None
    return reverse("settlement" if is_settled else "sheet", args=[game.code])


def games_in_words(count: int) -> str:
    """Return a number of games with its word: `3 games`."""
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": points(count)}


def wins_in_words(count: int) -> str:
    """Return a number of games won with its word: `3 won`."""
    return ngettext("%(count)s won", "%(count)s won", count) % {"count": points(count)}


def reentries_in_words(count: int) -> str:
    """Return a number of re-entries with its word: `3 re-entries`."""
    return ngettext("%(count)s re-entry", "%(count)s re-entries", count) % {"count": points(count)}
