"""The result of a game: places (ranks), net amounts with their causes, and how the money was split.

A net amount is what a player won less what the player lost. Amounts are texts in the table's money. Payments
never change a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.amounts import money, points_in_words, tone_of
from games.common.names import Person, isolated
from games.common.words import People, reason_in_words, translate, winners_in_words
from games.models import Table
from games.money.pages.causes import Books, CauseShown, Split, split_of
from games.scoring.kinds import AfterContracts
from games.scoring.ledger import nets, places
from games.scoring.money import Cause, movements
from games.scoring.state import GameState, PlayerState, Reason, Seat


@dataclass(frozen=True)
class Standing:
    """A player's result: place, points and net amount, and the causes that add up to the amount.

    `place` is None if the game was stopped without a winner.
    """

    person: Person
    place: int | None
    won: bool
    points: str
    details: tuple[str, ...]
    net: str
    tone: str
    causes: tuple[CauseShown, ...]


@dataclass(frozen=True)
class Moment:
    """The winners of a game and what they won.

    `prize` is a single winner's net amount, or the whole pot that several winners share; `shares` then says
    what each of them gets. Without such an amount, `prize` is the points that each of them has, or "" if
    these differ. `closing` is the closing (a way to end a round) that won the game at once; "" for any other
    end.
    """

    winners: tuple[Person, ...]
    closing: str
    prize: str
    shares: str


@dataclass(frozen=True)
class PotStory:
    """Two texts on the pot: its size (`title`), and the stakes and re-entries paid into it (`grown`)."""

    title: str
    grown: str


@dataclass(frozen=True)
class Settlement:
    """The result of a game, ready for its page; `facts` are its rounds, re-entries and pot as short texts."""

    title: str
    reason: str
    facts: tuple[str, ...]
    has_money: bool
    moment: Moment | None
    pot: PotStory | None
    standings: tuple[Standing, ...]
    split: Split | None


def books_of(state: GameState, people: People, table: Table) -> Books:
    """Return the movements of a game's money, ready to be explained."""
    return Books(state, movements(state), people, table)


def money_so_far(
    state: GameState, people: People, table: Table
) -> list[tuple[Person, str, tuple[CauseShown, ...]]]:
    """Return everybody's net amount so far with its causes, in seat order."""
    books = books_of(state, people, table)
    return [
        (people[player], money(amount, table, signed=True), books.causes_of(player))
        for player, amount in nets(state).items()
    ]


def settlement_of(state: GameState, people: People, table: Table) -> Settlement:
    """Return the result of a finished game."""
    assert state.outcome is not None, "a running game has no result"
    books = books_of(state, people, table)
    place, net = places(state), nets(state)
    order = sorted(state.players, key=lambda player: place[player.id])
    pot = _pot(books)
    return Settlement(
        title=winners_in_words(state, people),
        reason=reason_in_words(state.outcome.reason),
        facts=tuple(_facts(state, pot)),
        has_money=bool(state.rules.money),
        moment=_moment(books, net),
        pot=pot,
        standings=tuple(_standing(books, player, place[player.id], net[player.id]) for player in order),
        split=split_of(books),
    )


def _facts(state: GameState, pot: PotStory | None) -> Iterator[str]:
    rounds, reentries = len(state.rounds), sum(player.reentries for player in state.players)
    yield ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    if reentries:
        yield ngettext("%(count)s re-entry", "%(count)s re-entries", reentries) % {"count": reentries}
    if pot is not None:
        yield pot.title


def _standing(books: Books, player: PlayerState, place: int, net: int) -> Standing:
    outcome = books.state.outcome
    assert outcome is not None
    return Standing(
        person=books.people[player.id],
        place=None if outcome.refunded else place,
        won=player.id in outcome.winners,
        points=points_in_words(player.total),
        details=tuple(_details(books.state, player)),
        net=money(net, books.table, signed=True),
        tone=tone_of(net),
        causes=books.causes_of(player.id),
    )


def _details(state: GameState, player: PlayerState) -> Iterator[str]:
    """Yield texts on a player's result besides the points, such as “eliminated” or `2 re-ents.`."""
    if player.seat is Seat.OUT:
        yield _("eliminated")
    elif player.seat is Seat.LEFT:
        yield _("went home")
    if isinstance(state.rules.ending, AfterContracts):
        yield (
            ngettext("%(count)s round won", "%(count)s rounds won", player.rounds_won)
            % {"count": player.rounds_won}
        )
    if player.reentries:
        yield (
            ngettext("%(count)s re-ent.", "%(count)s re-ents.", player.reentries)
            % {"count": player.reentries}
        )


def _moment(books: Books, net: Mapping[str, int]) -> Moment | None:
    """Return the winners and what they won; None if nobody won."""
    state, outcome = books.state, books.state.outcome
    assert outcome is not None
    if not outcome.winners:
        return None
    closing = ""
    if outcome.reason is Reason.INSTANT_WIN:
        won = state.rules.closing(state.rounds[-1].closing)
        assert won is not None
        closing = translate(won.name)
    winners = tuple(books.people[winner] for winner in outcome.winners)
    return Moment(winners, closing, _prize(books, net), _shares(books))


def _shares(books: Books) -> str:
    """Return a text on the amount that each of several winners gets from the pot: `$ 20 each`.

    Return "" if no pot is shared.
    """
    paid = {move.payee: money(move.amount, books.table) for move in books.moved if move.cause is Cause.POT}
    if len(paid) < 2:
        return ""
    if len(set(paid.values())) == 1:
        return _("%(amount)s each") % {"amount": next(iter(paid.values()))}
    seated = [player.id for player in books.state.players if player.id in paid]
    return " · ".join(f"{isolated(books.people[winner].name)} {paid[winner]}" for winner in seated)


def _prize(books: Books, net: Mapping[str, int]) -> str:
    """Return the winners' prize as text: the net amount of a single winner, or the pot that several share.

    If no such amount was won, it is the number of points that each winner has, or "" if these differ. `net`
    has the net amount of each player.
    """
    assert books.state.outcome is not None
    winners = books.state.outcome.winners
    if len(winners) == 1 and net[winners[0]] > 0:
        return money(net[winners[0]], books.table, signed=True)
    shared = sum(movement.amount for movement in books.moved if movement.cause is Cause.POT)
    if len(winners) > 1 and shared:
        return money(shared, books.table)
    totals = {books.state.player(winner).total for winner in winners}
    return points_in_words(totals.pop()) if len(totals) == 1 else ""


def _pot(books: Books) -> PotStory | None:
    """Return the size of the pot and the sums that add up to it; None if nothing was paid in."""
    stakes = [movement.amount for movement in books.moved if movement.cause is Cause.STAKE]
    fees = [movement.amount for movement in books.moved if movement.cause is Cause.REENTRY]
    parts = []
    if stakes:
        parts.append(
            ngettext("%(count)s stake (%(amount)s)", "%(count)s stakes (%(amount)s)", len(stakes))
            % {"count": len(stakes), "amount": money(sum(stakes), books.table)}
        )
    if fees:
        parts.append(
            ngettext("%(count)s re-entry (%(amount)s)", "%(count)s re-entries (%(amount)s)", len(fees))
            % {"count": len(fees), "amount": money(sum(fees), books.table)}
        )
    if not parts:
        return None
    return PotStory(
        _("Pot of %(amount)s") % {"amount": money(sum(stakes + fees), books.table)}, " + ".join(parts)
    )
