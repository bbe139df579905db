"""The name of a game in lists, the URL of its page, and numbers of games, wins and re-entries in words.

A *title* is a stored text (`Variant.title`): the key of a card game, such as `loba`. If the players gave the
game a name of their own, a colon and that name follow the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.amounts import money, points, tone_of
from games.common.days import day_in_words
from games.common.names import Person, isolated
from games.common.texts import translate
from games.common.words import People, won_by
from games.models import Game, Table
from games.scoring.figures import pot_won
from games.scoring.ledger import nets, places
from games.scoring.state import GameState, Reason
from games.scoring.variants import find_titled

STEPS, MOST_STANDING = 3, 4  # the places of a podium, and the people who have room beside each other


def steps_of(places: Sequence[int]) -> int:
    """Return how many people of these places, the best first, stand on a podium: all of a place, or nobody of it.

    More than have room beside each other stand there only if they share the first place.
    """
    counts = [sum(other <= place for other in places) for place in places if place <= STEPS]
    return max((count for count in counts if count <= MOST_STANDING), default=counts[0] if counts else 0)


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


def games_so_far(over: int, playing: int) -> str:
    """Return the numbers of finished and unfinished games: `2 games · 1 under way`; only finished ones count."""
    parts = []
    if over or not playing:
        parts.append(games_in_words(over))
    if playing:
        text = ngettext("%(count)s under way", "%(count)s under way", playing)
        parts.append(text % {"count": points(playing)})
    return " · ".join(parts)


def wins_in_words(count: int) -> str:
    """Return a number of games won with its word: `3 won`."""
    return ngettext("%(count)s won", "%(count)s won", count) % {"count": points(count)}


def reentries_in_words(count: int) -> str:
    """Return a number of re-entries with its word: `3 re-entries`."""
    return ngettext("%(count)s re-entry", "%(count)s re-entries", count) % {"count": points(count)}


# --- the winners of a finished game and their lead, as a row of a list shows them -------------------------------------

# The reasons for the end of a game that points decided. In other games a lead in points says nothing.
BY_POINTS = (Reason.FIRST_OUT, Reason.TARGET, Reason.CONTRACTS_DONE, Reason.ROUNDS_DONE)


@dataclass(frozen=True)
class Win:
    """The winners of a game or a night: a sentence, which may name their lead, and the pot.

    `single` is the only winner, None if there is not exactly one. `amount` is the money that this winner won
    or lost, and `tone` its colour as a CSS class. `pot` and `amount` are "" if there is nothing to show.
    """

    single: Person | None
    sentence: str
    pot: str
    amount: str
    tone: str


def win_of(state: GameState, people: People, table: Table) -> Win:
    """Return the winners of a finished game, with their lead and the pot."""
    assert state.outcome is not None
    winners = state.outcome.winners
    pot = pot_won(state)
    collected = nets(state)[winners[0]] if len(winners) == 1 else 0
    return Win(
        single=people[winners[0]] if len(winners) == 1 else None,
        sentence=_sentence(state, [isolated(people[winner].name) for winner in winners]),
        pot=_("Pot of %(amount)s") % {"amount": money(pot, table)} if pot else "",
        amount=money(collected, table, signed=True) if collected else "",
        tone=tone_of(collected),
    )


def _sentence(state: GameState, winners: Sequence[str]) -> str:
    assert state.outcome is not None
    if state.outcome.agreed:
        return _("They share the pot")
    if margin := _margin(state):
        text = ngettext("%(name)s won by %(count)s point", "%(name)s won by %(count)s points", margin)
        return text % {"name": winners[0], "count": points(margin)}
    return won_by(winners)


def _margin(state: GameState) -> int:
    """Return the lead of a finished game's only winner over the next player, in points.

    Return 0 if there is more than one winner, or if points did not decide the game.
    """
    assert state.outcome is not None
    winners, place_by_player = state.outcome.winners, places(state)
    others = [player for player in place_by_player if player not in winners]
    if state.outcome.reason not in BY_POINTS or len(winners) != 1 or not others:
        return 0
    second = min(others, key=lambda player: place_by_player[player])
    return abs(state.player(winners[0]).total - state.player(second).total)
