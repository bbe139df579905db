"""The sentences that screen readers say after an entry: what was recorded, who went bust, and who is ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, event_sentences, naming
from games.common.event_sentences import PersonsById
from games.play.presenters.open_game import OpenGame
from games.scoring.events import (
    DealPassed,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    SeatHandedOver,
)
from games.scoring.ledger import places
from games.scoring.state import GameState, PlayerState, Seat

# Events without points: who is ahead was said after the round before them.
UNSCORED = (DealPassed, PlayerJoined, PlayerLeft, PlayerReentered, PlayerStayedOut, SeatHandedOver)
BUST_SEATS = (Seat.PENDING, Seat.OUT)


def build(game_page: OpenGame, *, has_question: bool = True) -> str:
    """Return the sentences as one text; without `has_question` for a page whose heading is the question."""
    state, people = game_page.state, game_page.people
    sentences = [f"{sentence}." for sentence in _sentences(game_page)]
    if has_question and state.pending:
        sentences.append(event_sentences.reentry_question(people[state.pending[0].id].name))
    return " ".join(sentences)


def _sentences(game_page: OpenGame) -> Iterator[str]:
    state, people = game_page.state, game_page.people
    if game_page.latest:
        yield game_page.latest
    if state.is_over:
        yield event_sentences.winners_sentence(state, people)
        return
    yield from _bust_sentences(_newly_bust(game_page), state, people)
    if not isinstance(game_page.log[-1], UNSCORED):
        yield from _leader_sentences(state, people)


def _newly_bust(game_page: OpenGame) -> Sequence[PlayerState]:
    """Return the players who went bust by the newest event. After a correction or an undo, return who has to be asked."""
    state = game_page.state
    if len(state.steps) < 2 or state.steps[-1].number != len(game_page.log):
        return state.pending
    before = state.steps[-2].seats
    return [
        player
        for player in state.players
        if player.seat in BUST_SEATS and before.get(player.id) not in BUST_SEATS
    ]


def _bust_sentences(players: Sequence[PlayerState], state: GameState, people: PersonsById) -> Iterator[str]:
    if players:
        names = naming.join_names([_with_total(player, state, people) for player in players])
        yield ngettext("Bust: %(names)s", "Bust: %(names)s", len(players)) % {"names": names}


def _leader_sentences(state: GameState, people: PersonsById) -> Iterator[str]:
    place = places(state)
    leaders = [player for player in state.playing if place[player.id] == 1]
    if state.rounds and leaders:
        names = naming.join_names([_with_total(player, state, people) for player in leaders])
        yield ngettext("%(names)s is ahead", "%(names)s are ahead", len(leaders)) % {"names": names}


def _with_total(player: PlayerState, state: GameState, people: PersonsById) -> str:
    return _("%(name)s with %(total)s") % {
        "name": naming.isolate(people[player.id].name),
        "total": amounts.points(state.rules.displayed_total(player.total)),
    }
