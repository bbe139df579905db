"""What one game that is over still owes, less what was paid for it on the spot (plata en la mesa)."""

from __future__ import annotations

from dataclasses import dataclass

from games.accounts import People
from games.models import Game, Member, Payment
from games.scoring.ledger import nets, payments
from games.scoring.plan import kept_plan
from games.scoring.state import GameState


@dataclass(frozen=True)
class Due:
    """One payment still to be made for a game; not to be ticked off where the payer has paid in the accounts since,
    which may have been this."""

    payer: Member
    payee: Member
    amount: int
    may_be_paid: bool


@dataclass(frozen=True)
class Dues:
    """What is still to be paid for a game alone, and what was paid for it."""

    lines: tuple[Due, ...]
    paid: tuple[Payment, ...]

    @property
    def open(self) -> tuple[Due, ...]:
        """The lines that may be paid on the spot."""
        return tuple(line for line in self.lines if line.may_be_paid)


def dues_of(game: Game, state: GameState) -> Dues:
    """The dues of a game; of one that is not over, or was discarded, nothing is due."""
    people = People.of(game.table)
    paid = tuple(game.payments.counting().select_related("payer", "payee").order_by("pk"))
    if not state.is_over or game.discarded_at is not None:
        return Dues((), paid)
    left = {people.by_slug[player].slug: net for player, net in nets(state).items()}
    for payment in paid:
        payer, payee = people.by_pk[payment.payer_id].slug, people.by_pk[payment.payee_id].slug
        left[payer] = left.get(payer, 0) + payment.amount
        left[payee] = left.get(payee, 0) - payment.amount
    planned = people.read_lines([(line.payer, line.payee, line.amount) for line in payments(state)])
    elsewhere = {
        people.by_pk[payer].slug
        for payer in game.table.payments.counting()
        .filter(game=None, made_at__gt=game.ended_at)
        .values_list("payer", flat=True)
    }
    lines = (
        Due(people.by_slug[line.payer], people.by_slug[line.payee], line.amount, line.payer not in elsewhere)
        for line in kept_plan(planned, left)
    )
    return Dues(tuple(lines), paid)
