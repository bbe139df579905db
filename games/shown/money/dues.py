"""The dues of one game (the payments it calls for), as pages, texts and pictures show them.

A *line* is one of these payments: payer, payee and amount. In the functions, `people` are the members of the
table, and `persons` are the same people as pages show them, keyed by player id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Member, Payment, Table
from games.money.balances import People
from games.money.dues import Due, Dues, nets_now
from games.money.payments import is_free
from games.names import isolated
from games.scoring.ledger import payments
from games.scoring.money import movements
from games.scoring.state import GameState
from games.shown.common.amounts import money
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.typed import typed_amount
from games.shown.common.words import People as Persons
from games.shown.money.accounts import claimed_in_words, method_in_words, paid_in_words
from games.shown.money.causes import Books, CauseShown


@dataclass(frozen=True)
class DueLine:
    """One payment still to be made, with its causes and the data of the control that ticks it off.

    Ticking it off records the payment. `ticked` is the amount to record, without the part that the payer
    claims to have paid already. `typed` is that amount as the HTML form sends it.
    """

    payer: Person
    payee: Person
    amount: str
    ticked: str
    typed: str
    causes: tuple[CauseShown, ...]
    detail: str = ""
    may_be_ticked: bool = False
    is_settled: bool = False

    @property
    def mark(self) -> str:
        """The HTML id of the control that ticks the line off.

        The id stays the same once the line is paid, so that the keyboard focus stays on the control.
        """
        return f"{self.payer.id}-{self.payee.id}"


@dataclass(frozen=True)
class PaidLine:
    """One payment that was made, with a link to its page.

    `may_be_taken_back` is True if a tap can take the payment back.
    """

    pk: int
    payer: Person
    payee: Person
    amount: str
    detail: str
    may_be_taken_back: bool
    href: str
    mark: str


@dataclass(frozen=True)
class DuesShown:
    """The dues of a game, ready for templates.

    `lines` are the payments still to be made, `paid` those that were made. `settled` are lines of which
    nothing is left to pay, because the settling of the night or later payments cover them. `notes` are
    sentences shown wherever the dues are shown. `nothing` is the sentence for a game that leaves nothing to
    be paid. `open` is the number, and `sum` the total amount, of the lines that may be ticked off. `order`
    has every pair of payer and payee in the order in which `rows` lists their payments.
    """

    lines: tuple[DueLine, ...]
    paid: tuple[PaidLine, ...]
    settled: tuple[DueLine, ...]
    notes: tuple[str, ...]
    nothing: str
    open: int
    sum: str
    order: tuple[tuple[str, str], ...]

    @property
    def has_any(self) -> bool:
        """True if anything was owed or paid at all."""
        return bool(self.lines or self.paid or self.settled)

    @property
    def rows(self) -> tuple[DueLine | PaidLine, ...]:
        """Owed and paid lines as one list, in which a line keeps its place when it is ticked off."""
        rows: list[DueLine | PaidLine] = [*self.lines, *self.settled, *self.paid]
        places = {pair: place for place, pair in reversed(list(enumerate(self.order)))}
        return tuple(sorted(rows, key=lambda row: places[row.payer.id, row.payee.id]))


def dues_shown(
    dues: Dues, state: GameState, persons: Persons, people: People, table: Table, by: User
) -> DuesShown:
    """Return the dues of a game and the payments made for it, for this user, who may read the accounts."""
    lines = _due_lines(dues.lines, dues, state, persons, people, table)
    settled = _due_lines(dues.settled, dues, state, persons, people, table)
    return DuesShown(
        lines=lines,
        settled=settled,
        paid=tuple(_paid_lines(dues.paid, (*lines, *settled), people, table, by)),
        notes=tuple(notes_of(dues, people, table)),
        nothing=nothing_owed(dues),
        open=len(dues.to_tick),
        sum=money(sum(line.unsaid for line in dues.to_tick), table),
        order=_order(state, people),
    )


def dues_shown_alone(
    dues: Dues, state: GameState, persons: Persons, people: People, table: Table
) -> DuesShown:
    """Return the dues of a game without the payments made for it, for a user who may not read the accounts.

    Such a user cannot tick off a line.
    """
    lines = _due_lines(dues.lines, dues, state, persons, people, table)
    return DuesShown(
        lines=lines,
        settled=(),
        paid=(),
        notes=tuple(notes_alone(dues, table)),
        nothing=nothing_owed(dues),
        open=0,
        sum="",
        order=_order(state, people),
    )


def _order(state: GameState, people: People) -> tuple[tuple[str, str], ...]:
    """Return pairs (payer's slug, payee's slug) in the order in which a page lists their payments.

    First come the pairs whose payments settle the result of the game. Then all pairs of members follow, in
    the members' order. So a pair may be there twice, and its first place counts.
    """
    lines = people.read_lines([(line.payer, line.payee, line.amount) for line in payments(state)])
    own = [member.slug for member in people.own]
    return (*((line.payer, line.payee) for line in lines), *product(own, own))


def notes_of(dues: Dues, people: People, table: Table) -> Iterator[str]:
    """Yield the sentences beside the dues, for a user who may read the accounts.

    There is one for each payment that the payer only claims to have made, and one if a correction of the game
    changed the dues.
    """
    for payment in dues.claimed:
        payer, payee = (people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
        yield _("%(payer)s reported paying %(payee)s %(amount)s. It counts when confirmed.") % {
            "payer": isolated(payer.name),
            "payee": isolated(payee.name),
            "amount": money(payment.amount, table),
        }
    yield from _correction(dues, table)


def notes_alone(dues: Dues, table: Table) -> Iterator[str]:
    """Yield the sentences beside the dues for a user who may not read the accounts.

    One says that later payments are not shown here, and one is added if a correction changed the dues.
    """
    if dues.lines:
        yield _("For this game only. Later payments and other debts are in the accounts.")
    yield from _correction(dues, table)


def _correction(dues: Dues, table: Table) -> Iterator[str]:
    """Yield a sentence on the dues before the correction, if a correction of the game changed them."""
    if not dues.is_corrected:
        return
    before = ", ".join(
        f"{isolated(line.payer.name)} → {isolated(line.payee.name)} {money(line.amount, table)}"
        for line in dues.replaced
    )
    if before:
        yield _("A correction changed this game's payments. Previously: %(lines)s.") % {"lines": before}
    else:
        yield _("A correction added these payments. Previously nothing was owed.")


def nothing_owed(dues: Dues) -> str:
    """Return the sentence for a game with nothing left to pay: all is paid, or nobody ever owed anything."""
    if dues.paid or dues.settled:
        return _("This game has nothing left to pay.")
    return _("Nobody owes anything.")


# --- lines ------------------------------------------------------------------------------------------------------------


def _due_lines(
    lines: Sequence[Due], dues: Dues, state: GameState, persons: Persons, people: People, table: Table
) -> tuple[DueLine, ...]:
    """Return the given lines, which are some of the game's dues, ready for templates.

    The causes of each line are what its payer and payee won or lost, and the payments they made since.
    """
    causes = _Causes(Books(state, movements(state), persons, table), people, dues.paid)
    return tuple(
        DueLine(
            person_of(line.payer),
            person_of(line.payee),
            money(line.amount or line.whole, table),
            money(line.unsaid, table),
            typed_amount(line.unsaid, table),
            causes.of(line),
            _covered_in_words(line, table),
            may_be_ticked=line in dues.to_tick,
            is_settled=not line.amount,
        )
        for line in lines
    )


def _covered_in_words(line: Due, table: Table) -> str:
    """Return a text on how a line or a part of it is covered, for example by a claimed payment.

    Return "" if all of the line is still to be paid.
    """
    if not line.amount:
        return _("settled with the night")
    parts = [claimed_in_words(line, table)]
    if line.amount < line.whole:
        parts.append(_("still open, of %(amount)s") % {"amount": money(line.whole, table)})
    return " · ".join(filter(None, parts))


def _paid_lines(
    paid: Sequence[Payment], lines: Sequence[DueLine], people: People, table: Table, by: User
) -> Iterator[PaidLine]:
    marks = {line.mark for line in lines}
    for payment in paid:
        payer, payee = person_of(people.by_pk[payment.payer_id]), person_of(people.by_pk[payment.payee_id])
        details = [method_in_words(payment.method), paid_in_words(payment, table), payment.note]
        mark = f"{payer.id}-{payee.id}"
        yield PaidLine(
            pk=payment.pk,
            payer=payer,
            payee=payee,
            amount=money(payment.amount, table),
            detail=" · ".join(filter(None, details)),
            may_be_taken_back=is_free(payment, by),
            href=reverse("payment", args=[table.code, payment.pk]),
            mark=f"{mark}-{payment.pk}" if mark in marks else mark,
        )
        marks.add(mark)


@dataclass(frozen=True)
class _Causes:
    """The data needed to explain the dues of a game."""

    books: Books
    people: People
    paid: Sequence[Payment]

    def of(self, line: Due) -> tuple[CauseShown, ...]:
        """Return the causes of a line: first the causes of the payer's net amount in the game.

        Then come the net amounts of the payer and of the payee, and last the payments for this game that
        either of them made or received.
        """
        table, net = self.books.table, nets_now(self.books.state, self.people)
        lost, won = -net.get(line.payer.slug, 0), net.get(line.payee.slug, 0)
        return (
            *(cause for player in self._ids_of(line.payer) for cause in self.books.causes_of(player)),
            *_result_in_words(line.payer, -lost, table),
            *_result_in_words(line.payee, won, table),
            *(
                CauseShown(self._paid_in_words(payment), money(payment.amount, table))
                for payment in self.paid
                if {line.payer, line.payee}
                & {self.people.by_pk[payment.payer_id], self.people.by_pk[payment.payee_id]}
            ),
        )

    def _ids_of(self, member: Member) -> list[str]:
        players = (player.id for player in self.books.state.players)
        return [player for player in players if self.people.by_slug[player] == member]

    def _paid_in_words(self, payment: Payment) -> str:
        payer, payee = (self.people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
        return _("Paid: %(payer)s → %(payee)s") % {
            "payer": isolated(payer.name),
            "payee": isolated(payee.name),
        }


def _result_in_words(member: Member, net: int, table: Table) -> tuple[CauseShown, ...]:
    """Return a tuple with one cause, the amount `net` that a member won or lost; an empty tuple for 0."""
    if net == 0:
        return ()
    template = _("%(name)s won") if net > 0 else _("%(name)s lost")
    return (CauseShown(template % {"name": isolated(member.name)}, money(abs(net), table)),)
