"""The course of a game, for its picture: the best moment in one line, and the totals round by round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.models import Game
from games.scoring.events import RoundPlayed
from games.scoring.state import GameState, Seat


def best_moment(game: Game, state: GameState, people: PersonsById) -> str:
    """Return the best moment of a finished game as its log has it; "" if it had none.

    That is a bust at one point from it, else the comeback of the winner, else the longest game of its kind here.
    """
    return (
        _narrow_bust_sentence(state, people)
        or _comeback_sentence(state, people)
        or _longest_game_sentence(game, state)
    )


def totals_by_round(state: GameState, people: PersonsById) -> list[dict[str, object]]:
    """Return each player's totals, 0 and then after each round, for a picture; nothing of a single round.

    The totals of who is out end there, and those of who joined later are None before.
    """
    if len(state.rounds) < 2:
        return []
    return [
        {"colour": people[player.id].colour, "totals": [*_totals(state, player.id)]}
        for player in state.players
    ]


def _totals(state: GameState, player: str) -> Iterator[int | None]:
    yield 0 if player in state.steps[0].totals else None
    for before, step in pairwise(state.steps):
        if before.seats.get(player) in (Seat.OUT, Seat.LEFT):
            return
        if isinstance(step.event, RoundPlayed):
            total = step.totals.get(player)
            yield None if total is None else state.rules.displayed_total(total)


def _narrow_bust_sentence(state: GameState, people: PersonsById) -> str:
    out_at, text = state.rules.out_at, ""
    if out_at is None:
        return text
    for before, step in pairwise(state.steps):
        if isinstance(step.event, RoundPlayed):
            for player in step.moved:
                if before.totals[player] == out_at - 1 and step.totals[player] >= out_at:
                    about = {
                        "name": naming.isolate(people[player].name),
                        "round": event_sentences.round_number(state, step.number),
                    }
                    text = _("%(name)s was 1 point from bust, then went bust in round %(round)s") % about
    return text


def _comeback_sentence(state: GameState, people: PersonsById) -> str:
    winners = state.outcome.winners if state.outcome else ()
    returned = state.player(winners[0]).reentries if len(winners) == 1 else 0
    if not returned:
        return ""
    text = ngettext("%(name)s came back once and won", "%(name)s came back %(count)s times and won", returned)
    return text % {"name": naming.isolate(people[winners[0]].name), "count": returned}


def _longest_game_sentence(game: Game, state: GameState) -> str:
    others = Game.objects.filter(table=game.table_id, variant=game.variant, discarded_at=None).exclude(
        pk=game.pk
    )
    rounds = [known for known in others.values_list("decided_in", flat=True) if known]
    if not rounds or (game.decided_in or 0) <= max(rounds):
        return ""
    about = {"game": texts.translate(state.variant.name), "count": game.decided_in}
    return _("The longest %(game)s at this table: %(count)s rounds") % about
