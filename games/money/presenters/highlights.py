"""Highlights of a game for its picture: the best moment as a sentence, and the totals round by round."""

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
    """Return a sentence on the best moment of a finished game, "" if it had none.

    It is a bust from one point short of the limit, the winner's comeback, or the table's longest game of this
    variant, in this order.
    """
    return (
        _narrow_bust_sentence(state, people)
        or _comeback_sentence(state, people)
        or _longest_game_sentence(game, state)
    )


def totals_by_round(state: GameState, people: PersonsById) -> list[dict[str, object]]:
    """Return each player's totals for a chart, 0 and then one per round; nothing for a single round.

    The totals end where a player goes out, and are None before a player joins.
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
