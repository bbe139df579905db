"""The result of a game: places, and net amounts with their causes. Payments never change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, event_sentences, game_labels, texts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.models import Table
from games.money.presenters.breakdown import CauseItem, GameBooks
from games.scoring.ledger import nets, places
from games.scoring.money import Cause
from games.scoring.rule_types import AfterContracts
from games.scoring.state import GameState, PlayerState, Reason, Seat


@dataclass(frozen=True)
class PlayerResult:
    """A player's result: place, points and net amount, and the causes that add up to the amount.

    `place` is None if the game was stopped without a winner. `share` is what the player takes of a pot that
    was shared by agreement, "" for anybody else. `details` are texts such as “went home”.
    """

    person: Person
    place: int | None
    won: bool
    share: str
    points: str
    details: tuple[str, ...]
    net: str
    tone: str
    causes: tuple[CauseItem, ...]

    @property
    def place_label(self) -> str:
        return "" if self.place is None else _("%(rank)s place") % {"rank": amounts.ordinal(self.place)}


@dataclass(frozen=True)
class GameResult:
    """The result of a game for its page. `facts` are short texts: rounds, re-entries, pot.

    `winnings` is a single winner's net amount or the pot that several players share, "" without either.
    `prize` is the same or the points of each winner, "" if their points differ. `pot` has two texts, its size
    and the stakes and re-entries paid into it, or none without a pot. The podium is empty if nobody won or
    too many people won to fit on it. If the players shared the pot by agreement (`is_shared`), nobody has won
    or has a place, and those who share it stand on one step.
    """

    title: str
    reason: str
    facts: tuple[str, ...]
    has_money: bool
    is_shared: bool
    winners: tuple[Person, ...]
    winnings: str
    prize: str
    pot: tuple[str, ...]
    player_results: tuple[PlayerResult, ...]

    @property
    def podium(self) -> tuple[PlayerResult, ...]:
        if self.is_shared:
            steps = len(self.sharing)
        else:
            placed = (player_result.place for player_result in self.player_results)
            steps = game_labels.podium_steps([place for place in placed if place is not None])
        return self.player_results[:steps] if steps <= game_labels.MOST_STANDING else ()

    @property
    def sharing(self) -> tuple[PlayerResult, ...]:
        """Those who shared the pot by agreement; they come first in `player_results`."""
        return tuple(player_result for player_result in self.player_results if player_result.share)

    @property
    def has_places(self) -> bool:
        return any(player_result.place for player_result in self.player_results)

    @property
    def rows(self) -> Iterator[tuple[PlayerResult, str]]:
        """Everybody with the text below their name, which leaves out place and points on the podium."""
        for player_result in self.player_results:
            place = () if player_result in self.podium else (player_result.place_label, player_result.points)
            yield player_result, " · ".join(filter(None, (*place, *player_result.details)))


def current_nets(
    state: GameState, people: PersonsById, table: Table
) -> list[tuple[Person, str, tuple[CauseItem, ...]]]:
    """Return everybody's net amount so far with its causes, in seat order."""
    books = GameBooks(state, people, table)
    return [
        (people[player], amounts.money(amount, table, signed=True), books.cause_items(player))
        for player, amount in nets(state).items()
    ]


def build(state: GameState, people: PersonsById, table: Table) -> GameResult:
    books = GameBooks(state, people, table)
    place, net = places(state), nets(state)
    order = sorted(state.players, key=lambda player: place[player.id])
    pot, won, shared = _pot_labels(books), _winnings_label(books, net), books.outcome.agreed
    return GameResult(
        title=event_sentences.winners_sentence(state, people),
        reason=event_sentences.reason_label(books.outcome.reason),
        facts=tuple(_fact_labels(books, pot)),
        has_money=bool(state.rules.money),
        is_shared=shared,
        winners=() if shared else tuple(books.people[winner] for winner in books.outcome.winners),
        winnings=won,
        prize=won or _winners_points_label(books),
        pot=pot,
        player_results=tuple(
            _player_result(books, player, place[player.id], net[player.id]) for player in order
        ),
    )


def _fact_labels(books: GameBooks, pot: Sequence[str]) -> Iterator[str]:
    state = books.state
    if closing := _closing_label(books):
        yield closing
    rounds, reentries = len(state.rounds), sum(player.reentries for player in state.players)
    yield ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    if reentries:
        yield game_labels.reentries_label(reentries)
    if not books.outcome.agreed:  # a shared pot is the largest number of the page
        yield from pot[:1]


def _player_result(books: GameBooks, player: PlayerState, place: int, net: int) -> PlayerResult:
    outcome = books.outcome
    return PlayerResult(
        person=books.people[player.id],
        place=None if outcome.refunded or outcome.agreed else place,
        won=player.id in outcome.winners and not outcome.agreed,
        share=_share_label(books, player) if outcome.agreed else "",
        points=amounts.points_label(books.state.rules.displayed_total(player.total)),
        details=tuple(_detail_labels(books.state, player)),
        net=amounts.money(net, books.table, signed=True),
        tone=amounts.tone(net),
        causes=books.cause_items(player.id),
    )


def _share_label(books: GameBooks, player: PlayerState) -> str:
    """Return what the player takes of a pot that was shared by agreement, "" if the player has no part of it."""
    if player.id not in books.outcome.winners:
        return ""
    taken = (
        movement.amount
        for movement in books.movements
        if movement.cause is Cause.POT and movement.payee == player.id
    )
    return amounts.money(sum(taken), books.table)


def _detail_labels(state: GameState, player: PlayerState) -> Iterator[str]:
    if player.seat is Seat.LEFT:
        yield _("went home")
    if isinstance(state.rules.ending, AfterContracts):
        yield (
            ngettext("%(count)s round won", "%(count)s rounds won", player.rounds_won)
            % {"count": player.rounds_won}
        )
    if player.reentries:
        yield game_labels.reentries_label(player.reentries)


def _closing_label(books: GameBooks) -> str:
    """Return the name of the closing that won the game at once, "" for any other end."""
    if books.outcome.reason is not Reason.INSTANT_WIN:
        return ""
    won = books.state.rules.closing(books.state.rounds[-1].closing)
    assert won is not None
    return texts.translate(won.name)


def _winnings_label(books: GameBooks, net: Mapping[str, int]) -> str:
    """Return `GameResult.winnings`. `net` has each player's net amount."""
    winners = books.outcome.winners
    if len(winners) == 1 and net[winners[0]] > 0:
        return amounts.money(net[winners[0]], books.table, signed=True)
    shared = sum(movement.amount for movement in books.movements if movement.cause is Cause.POT)
    return amounts.money(shared, books.table) if len(winners) > 1 and shared else ""


def _winners_points_label(books: GameBooks) -> str:
    """Return the points of each winner, "" if they differ."""
    winners = books.outcome.winners
    totals = {books.state.rules.displayed_total(books.state.player(winner).total) for winner in winners}
    return amounts.points_label(totals.pop()) if len(totals) == 1 else ""


def _pot_labels(books: GameBooks) -> tuple[str, ...]:
    stakes = [movement.amount for movement in books.movements if movement.cause is Cause.STAKE]
    fees = [movement.amount for movement in books.movements if movement.cause is Cause.REENTRY]
    if not stakes + fees:
        return ()
    sums = {
        ngettext("%(count)s stake (%(amount)s)", "%(count)s stakes (%(amount)s)", len(stakes)): stakes,
        ngettext("%(count)s re-entry (%(amount)s)", "%(count)s re-entries (%(amount)s)", len(fees)): fees,
    }
    grown = (
        text % {"count": len(paid), "amount": amounts.money(sum(paid), books.table)}
        for text, paid in sums.items()
        if paid
    )
    size = _("Pot of %(amount)s") % {"amount": amounts.money(sum(stakes + fees), books.table)}
    return size, " + ".join(grown)
