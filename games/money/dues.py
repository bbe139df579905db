"""Dues: the payments still to be made for a finished game.

A *line* is one payment of a game's result, from a player to another. Players may settle a night as a whole:
they pay for all its games at once. That covers the dues of each game. A payment *in the accounts* names no
game; one made on the spot names the game. A *present* member is one who was not merged into another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from games.book import Book
from games.models import Game, Member, Payment
from games.money.balances import People
from games.money.settling import PlayedNight, uncovered
from games.scoring.events import Corrected, Inserted, Log, Struck
from games.scoring.ledger import Transfer, nets
from games.scoring.owed import Owed, owed_after
from games.scoring.replay import extend, replay
from games.scoring.state import GameState

MOST_REPLAYED = 4000  # events replayed to find the effect of corrections: takes less than half a second


@dataclass(frozen=True)
class Due:
    """One line of a game's dues: a payer, a payee and the amount still to be paid.

    `whole` is the amount before later payments in the accounts, or the settling of the night, covered a part.
    `claimed` is what the payer claims to have paid and nobody has confirmed yet.
    """

    payer: Member
    payee: Member
    amount: int
    whole: int
    claimed: int = 0

    @property
    def unsaid(self) -> int:
        """The amount less the payments that the payer claims and nobody has confirmed yet."""
        return max(0, self.amount - self.claimed)


@dataclass(frozen=True)
class Dues:
    """The payments still to be made for one game, and the payments already made for it.

    `settled` are the lines with nothing left to pay, because payments in the accounts or the settling of the
    night cover them. `is_corrected` is true if a correction changed the lines; `replaced` are the lines from
    before the correction that no longer apply.
    `claimed` are unconfirmed payments between players of the game, made for it or in the accounts.
    """

    lines: tuple[Due, ...] = ()
    settled: tuple[Due, ...] = ()
    paid: tuple[Payment, ...] = ()
    is_corrected: bool = False
    replaced: tuple[Due, ...] = ()
    claimed: tuple[Payment, ...] = ()

    @property
    def to_tick(self) -> tuple[Due, ...]:
        """The lines that may be ticked off as paid on the spot: those not claimed as paid in full."""
        return tuple(line for line in self.lines if line.unsaid)


def dues_of(game: Game, state: GameState, played: PlayedNight | None = None) -> Dues:
    """Return the dues of a game. A game that is unfinished or discarded has no lines to pay.

    `played` is the game's night, if the caller has read it.
    """
    played = played or PlayedNight.read(
        date.fromordinal(game.night_number), game.table, People.of(game.table)
    )
    people = played.people
    paid = tuple(game.payments.counting().select_related("payer", "payee").order_by("made_at", "pk"))
    if not _is_due(game, state):
        return Dues(paid=paid)
    owed = _owed(game, state, people, paid)
    claimed = tuple(_claimed_payments(game, people, nets_now(state, people)))
    claimed_amounts = Counter[tuple[str, str]]()
    for payment in claimed:
        claimed_amounts[people.slugs_of(payment)] += payment.amount
    lines = [
        _due(line, people, amount, claimed=claimed_amounts[line.payer, line.payee])
        for line, amount in zip(owed.lines, uncovered(game, owed.lines, played), strict=True)
    ]
    return Dues(
        lines=tuple(line for line in lines if line.amount),
        settled=tuple(line for line in lines if not line.amount),
        paid=paid,
        is_corrected=owed.before != owed.after,
        replaced=_replaced(owed, people),
        claimed=claimed,
    )


def dues_alone(game: Game, state: GameState) -> Dues:
    """Return the dues of a game as if no payment had been made."""
    if not _is_due(game, state):
        return Dues()
    people = People.of(game.table)
    owed = _owed(game, state, people, ())
    return Dues(
        lines=tuple(_due(line, people, line.amount) for line in owed.lines),
        is_corrected=owed.before != owed.after,
        replaced=_replaced(owed, people),
    )


def nets_now(state: GameState, people: People) -> dict[str, int]:
    """Return the amount that each player won or lost, in seat order, by the present member's slug."""
    return {people.by_slug[player].slug: net for player, net in nets(state).items()}


def _is_due(game: Game, state: GameState) -> bool:
    # `ended_at` is None if the row was read before the event that ended the game was recorded.
    return state.is_over and game.ended_at is not None and game.discarded_at is None


def _due(line: Transfer, people: People, amount: int, *, claimed: int = 0) -> Due:
    return Due(people.by_slug[line.payer], people.by_slug[line.payee], amount, line.amount, claimed)


def _claimed_payments(game: Game, people: People, players: Collection[str]) -> Iterator[Payment]:
    """Yield the claims, made for this game or in the accounts, between two of these players (slugs)."""
    of_game = Q(game=None) | Q(game=game)
    for payment in game.table.payments.claimed().filter(of_game).order_by("made_at", "pk"):
        payer, payee = people.slugs_of(payment)
        if payer in players and payee in players and payer != payee:
            yield payment


def _replaced(owed: Owed, people: People) -> tuple[Due, ...]:
    return tuple(_due(line, people, line.amount) for line in owed.before if line not in owed.after)


# --- after payments and corrections -----------------------------------------------------------------------------------


def _owed(game: Game, state: GameState, people: People, paid: Iterable[Payment]) -> Owed:
    """Return the debts left after all outcomes of the game and the payments `paid`, taken in order of time.

    An outcome is the amount that each player won or lost. A corrected game has had several. The answer also
    has the debts before and after the last correction that changed them.
    """
    came: list[tuple[datetime, Mapping[str, int] | Transfer]] = list(_outcomes(game, state, people))
    came += [(payment.made_at, Transfer(*people.slugs_of(payment), payment.amount)) for payment in paid]
    return owed_after(step for _moment, step in sorted(came, key=lambda one: one[0]))


def _outcomes(game: Game, state: GameState, people: People) -> Iterator[tuple[datetime, Mapping[str, int]]]:
    """Yield each outcome of the game: its moment, and the amount that each player won or lost, by slug.

    A game that was over has a new outcome after each correction, and after an undo once it ends again.
    """
    rows = list(game.records.values_list("kind", "data", "key", "recorded_at"))
    book = Book.of(row[:3] for row in rows)
    log, batches = book.log, book.batches()
    first = _first_change(log)
    if first is None:
        yield rows[-1][3], nets_now(state, people)
        return
    straight = [batch for batch in batches if batch[-1] < first]
    straight = batches[: max(len(straight), len(batches) - _batches_to_replay(batches))]
    length = straight[-1][-1]
    state, moment = replay(log[:length]), rows[0][3]
    for batch in batches[len(straight) - 1 :]:
        if batch[-1] > length:
            state = extend(state, log[: batch[0] - 1], log[batch[0] - 1 : batch[-1]])
        moment = max(moment, rows[batch[-1] - 1][3])  # moments never go back, even if the server's clock did
        if state.is_over:
            yield moment, nets_now(state, people)


def _batches_to_replay(batches: Sequence[tuple[int, ...]]) -> int:
    """Return the number of newest batches (events recorded at once) that are replayed one by one.

    More would exceed the limit MOST_REPLAYED, so older batches are replayed together. This changes no amount,
    but possibly who pays whom.
    """
    played = 0
    for count, batch in enumerate(reversed(batches)):
        played += batch[-1]
        if played > MOST_REPLAYED:
            return count
    return len(batches)


def _first_change(log: Log) -> int | None:
    """Return the number of the first event that changes earlier ones (a correction or an undo), or None.

    Before that event, a game ends at most once.
    """
    changes = (
        number
        for number, event in enumerate(log, start=1)
        if isinstance(event, Corrected | Inserted | Struck)
    )
    return next(changes, None)
