"""Dues: the payments still to be made for a finished game, or the accounts' plan that applies instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.book import Book
from games.models import UNPAID, Game, Member, Payment, PaymentQuerySet
from games.money.balances import Accounts, Line, People, read_accounts
from games.scoring.events import Corrected, Inserted, Log, Struck
from games.scoring.ledger import Transfer, nets
from games.scoring.owed import Owed, owed_after
from games.scoring.replay import extend, replay
from games.scoring.state import GameState

MOST_REPLAYED = 4000  # events replayed to find the effect of corrections: takes less than half a second


@dataclass(frozen=True)
class Due:
    """One payment still to be made for a game.

    `since` are the methods of payments that the payer made in the accounts after the game. If there are any,
    one of them may have paid this due, so the due cannot be ticked off on the spot.
    `claimed` is the part of `amount` that the payer claims to have paid.
    """

    payer: Member
    payee: Member
    amount: int
    since: frozenset[str] = frozenset()
    claimed: int = 0

    @property
    def unsaid(self) -> int:
        """The amount less the payments that the payer claims and nobody has confirmed yet."""
        return max(0, self.amount - self.claimed)

    @property
    def may_be_paid(self) -> bool:
        """True if the due can be ticked off on the spot."""
        return not self.since and self.unsaid > 0


@dataclass(frozen=True)
class AccountsPlan:
    """The lines of the accounts' plan, which covers all games, among the players of one game.

    `paid` are the payments among these players since the game ended. `has_more` is True if the plan also has
    a payment between one of these players and another member of the table.
    """

    accounts: Accounts
    lines: tuple[Line, ...]
    paid: tuple[Payment, ...]
    has_more: bool


@dataclass(frozen=True)
class Dues:
    """The payments still to be made for one game, and the payments already made for it.

    `replaced` are the lines before the last correction that differ from the present lines. `plan` is the
    accounts' plan if that applies instead of the game's own lines. `claimed` are unconfirmed payments between
    players of the game, made in the accounts.
    """

    lines: tuple[Due, ...] = ()
    paid: tuple[Payment, ...] = ()
    is_corrected: bool = False
    replaced: tuple[Due, ...] = ()
    plan: AccountsPlan | None = None
    claimed: tuple[Payment, ...] = ()

    @property
    def open(self) -> tuple[Due, ...]:
        """The lines that may be paid on the spot."""
        return tuple(line for line in self.lines if line.may_be_paid)

    @property
    def to_tick(self) -> tuple[Due, ...]:
        """The lines that may be ticked off one by one. If the accounts' plan applies, there are none."""
        return () if self.plan else self.open


def dues_of(game: Game, state: GameState) -> Dues:
    """Return the dues of a game. A game that is unfinished or discarded has no lines to pay."""
    people = People.of(game.table)
    paid = tuple(game.payments.counting().select_related("payer", "payee").order_by("made_at", "pk"))
    if not _is_due(game, state):
        return Dues(paid=paid)
    owed = _owed(game, state, people, paid)
    elsewhere: dict[str, set[str]] = {}
    for payer, method in _paid_since(game).values_list("payer", "method"):
        elsewhere.setdefault(people.by_pk[payer].slug, set()).add(method)
    net = nets_now(state, people)
    claimed = tuple(_claimed_payments(game, people, net))
    claimed_amounts = Counter[tuple[str, str]]()
    for payment in claimed:
        claimed_amounts[people.slugs_of(payment)] += payment.amount
    return Dues(
        lines=tuple(
            _due(line, people, elsewhere.get(line.payer, ()), claimed=claimed_amounts[line.payer, line.payee])
            for line in owed.lines
        ),
        paid=paid,
        is_corrected=owed.before != owed.after,
        replaced=_replaced(owed, people),
        plan=_plan_of(game, people, net, owed, elsewhere),
        claimed=claimed,
    )


def dues_alone(game: Game, state: GameState) -> Dues:
    """Return the dues of a game as if no payment had been made."""
    if not _is_due(game, state):
        return Dues()
    people = People.of(game.table)
    owed = _owed(game, state, people, ())
    return Dues(
        lines=tuple(_due(line, people) for line in owed.lines),
        is_corrected=owed.before != owed.after,
        replaced=_replaced(owed, people),
    )


def nets_now(state: GameState, people: People) -> dict[str, int]:
    """Return the amount that each player won or lost, in seat order, by the present member's slug."""
    return {people.by_slug[player].slug: net for player, net in nets(state).items()}


def _is_due(game: Game, state: GameState) -> bool:
    # `ended_at` is None if the row was read before the event that ended the game was recorded.
    return state.is_over and game.ended_at is not None and game.discarded_at is None


def _due(line: Transfer, people: People, since: Iterable[str] = (), *, claimed: int = 0) -> Due:
    ends = people.by_slug[line.payer], people.by_slug[line.payee]
    return Due(*ends, line.amount, frozenset(since), claimed)


def _claimed_payments(game: Game, people: People, net: Collection[str]) -> Iterator[Payment]:
    """Yield the unconfirmed payments between players of the game that were made in the accounts."""
    for payment in game.table.payments.claimed().filter(game=None).order_by("made_at", "pk"):
        payer, payee = people.slugs_of(payment)
        if payer in net and payee in net and payer != payee:
            yield payment


def _replaced(owed: Owed, people: People) -> tuple[Due, ...]:
    return tuple(_due(line, people) for line in owed.before if line not in owed.after)


def _paid_since(game: Game) -> PaymentQuerySet:
    """Return the payments made in the accounts since the game ended."""
    return game.table.payments.counting().filter(game=None, made_at__gt=game.ended_at)


# --- after payments and corrections -----------------------------------------------------------------------------------


def _owed(game: Game, state: GameState, people: People, paid: Iterable[Payment]) -> Owed:
    """Return the debts after all outcomes of the game and all payments for it, applied in order of time."""
    came: list[tuple[datetime, Mapping[str, int] | Transfer]] = list(_outcomes(game, state, people))
    came += [
        (
            payment.made_at,
            Transfer(
                people.by_pk[payment.payer_id].slug, people.by_pk[payment.payee_id].slug, payment.amount
            ),
        )
        for payment in paid
    ]
    return owed_after(step for _moment, step in sorted(came, key=lambda one: one[0]))


def _outcomes(game: Game, state: GameState, people: People) -> Iterator[tuple[datetime, Mapping[str, int]]]:
    """Yield each outcome of the game with its moment.

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
    """Return the number of newest batches that can be replayed one by one within the step budget.

    Older batches are replayed at once. This changes no amount, but possibly who pays whom.
    """
    played = 0
    for count, batch in enumerate(reversed(batches)):
        played += batch[-1]
        if played > MOST_REPLAYED:
            return count
    return len(batches)


def _first_change(log: Log) -> int | None:
    """Return the number of the first event that changes an earlier event, or None.

    Before that event, a game ends at most once.
    """
    changes = (
        number
        for number, event in enumerate(log, start=1)
        if isinstance(event, Corrected | Inserted | Struck)
    )
    return next(changes, None)


# --- where the accounts apply -----------------------------------------------------------------------------------------


def _plan_of(
    game: Game, people: People, net: Mapping[str, int], owed: Owed, elsewhere: Collection[str]
) -> AccountsPlan | None:
    """Return the accounts' plan among the players of a game if it applies instead of the game's own lines.

    It applies if one of the players has paid in the accounts since the game, or has a balance from other
    games.
    """
    accounts = read_accounts(game.table, people)
    besides = dict(accounts.balances)
    for line in owed.lines:
        besides[line.payer] += line.amount
        besides[line.payee] -= line.amount
    if not any(slug in elsewhere or besides[slug] for slug in net):
        return None
    among = [(line.payer.slug in net, line.payee.slug in net) for line in accounts.to_pay]
    paid = _paid_since(game).exclude(method__in=UNPAID).select_related("payer", "payee")
    return AccountsPlan(
        accounts=accounts,
        lines=tuple(line for line, ends in zip(accounts.to_pay, among, strict=True) if all(ends)),
        paid=tuple(
            payment
            for payment in paid.order_by("made_at", "pk")
            if people.by_pk[payment.payer_id].slug in net and people.by_pk[payment.payee_id].slug in net
        ),
        has_more=any(any(ends) and not all(ends) for ends in among),
    )
