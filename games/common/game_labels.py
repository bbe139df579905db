"""The name of a game in lists, the URL of its page, and counts of games, wins and re-entries in words.

A *title* is a stored text (`Variant.title`): the key of a card game, such as `loba`. If the players named the
game themselves, a colon and their name follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, days, event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.models import Game, Table
from games.scoring.game_statistics import pot_won
from games.scoring.ledger import nets, places
from games.scoring.state import GameState, Reason
from games.scoring.variants import get_variant_by_title

STEPS, MOST_STANDING = 3, 4  # the places of a podium, and the people who fit side by side


def podium_steps(places: Sequence[int]) -> int:
    """Return how many of the people with these places, best first, fit on the podium.

    People who share a place are shown together or not at all. Only a shared first place may take more room
    than there is.
    """
    counts = [sum(other <= place for other in places) for place in places if place <= STEPS]
    return max((count for count in counts if count <= MOST_STANDING), default=counts[0] if counts else 0)


def variant_label(title: str) -> str:
    return texts.translate(get_variant_by_title(title).name)


def game_label(game: Game) -> str:
    """Return the translated name of the game's card game, such as `Chinchón`."""
    return variant_label(game.variant)


def game_night_label(game: Game) -> str:
    """Return the card game and the night of a game: `Loba, vie 31 may`."""
    return f"{game_label(game)}, {days.format_day(date.fromordinal(game.night_number))}"


def game_url(game: Game) -> str:
    """Return the URL of a game's result, or of its scoresheet if it is unfinished or discarded."""
    is_settled = game.ended_at is not None and game.discarded_at is None
    return reverse("settlement" if is_settled else "sheet", args=[game.code])


def games_label(count: int) -> str:
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": amounts.points(count)}


def games_so_far_label(finished: int, playing: int) -> str:
    """Return the numbers of finished and unfinished games: `2 games · 1 under way`."""
    parts = []
    if finished or not playing:
        parts.append(games_label(finished))
    if playing:
        text = ngettext("%(count)s in progress", "%(count)s in progress", playing)
        parts.append(text % {"count": amounts.points(playing)})
    return " · ".join(parts)


def wins_label(count: int) -> str:
    return ngettext("%(count)s won", "%(count)s won", count) % {"count": amounts.points(count)}


def reentries_label(count: int) -> str:
    return ngettext("%(count)s comeback", "%(count)s comebacks", count) % {"count": amounts.points(count)}


# --- the winners of a finished game and their lead, for a row of a list ----------------------------------------------

# Reasons for the end of a game that points decided. In other games a lead in points means nothing.
BY_POINTS = (Reason.FIRST_OUT, Reason.TARGET, Reason.CONTRACTS_DONE, Reason.ROUNDS_DONE)


@dataclass(frozen=True)
class WinnerText:
    """The winners of a game or a night as a sentence, which may include their lead, and the pot.

    `single` is the only winner, None if there is not exactly one. `amount` is the money that this winner won
    or lost, and `tone` the CSS class of its color. `pot` and `amount` are "" if there is nothing to show.
    """

    single: Person | None
    sentence: str
    pot: str
    amount: str
    tone: str


def winner_text(state: GameState, people: PersonsById, table: Table) -> WinnerText:
    assert state.outcome is not None
    winners = state.outcome.winners
    pot = pot_won(state)
    collected = nets(state)[winners[0]] if len(winners) == 1 else 0
    return WinnerText(
        single=people[winners[0]] if len(winners) == 1 else None,
        sentence=_winner_sentence(state, [naming.isolate(people[winner].name) for winner in winners]),
        pot=_("Pot of %(amount)s") % {"amount": amounts.money(pot, table)} if pot else "",
        amount=amounts.money(collected, table, signed=True) if collected else "",
        tone=amounts.tone(collected),
    )


def _winner_sentence(state: GameState, winners: Sequence[str]) -> str:
    assert state.outcome is not None
    if state.outcome.agreed:
        return event_sentences.won_by_label((), is_shared=True)
    if margin := _winner_margin(state):
        text = ngettext("%(name)s won by %(count)s point", "%(name)s won by %(count)s points", margin)
        return text % {"name": winners[0], "count": amounts.points(margin)}
    return event_sentences.won_by_label(winners)


def _winner_margin(state: GameState) -> int:
    """Return the only winner's lead over the next player, in points.

    Return 0 if there are several winners, or if points did not decide the game.
    """
    assert state.outcome is not None
    winners, place_by_player = state.outcome.winners, places(state)
    others = [player for player in place_by_player if player not in winners]
    if state.outcome.reason not in BY_POINTS or len(winners) != 1 or not others:
        return 0
    second = min(others, key=lambda player: place_by_player[player])
    return abs(state.player(winners[0]).total - state.player(second).total)
