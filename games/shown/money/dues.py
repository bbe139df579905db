"""The dues of one game (the payments it calls for), as pages, texts and pictures show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Member, Method, Payment, Table
from games.money.balances import Line, People
from games.money.dues import AccountsPlan, Due, Dues, nets_now
from games.scoring.ledger import payments
from games.scoring.money import movements
from games.scoring.state import GameState
from games.shown.common.amounts import money
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.typed import typed_amount
from games.shown.common.words import People as Persons
from games.shown.money.accounts import Cause, claimed_in_words, method_in_words, paid_in_words
from games.shown.money.causes import Books, Reasoned
from games.shown.money.plans import causes_of


@dataclass(frozen=True)
class DueLine:
    """One payment still to be made, with its causes and the data of the control that ticks it off.

    `ticked` is the amount without the part that the payer claims to have paid; `typed` is the same amount as
    the HTML form sends it.
    """

    payer: Person
    payee: Person
    amount: str
    ticked: str
    typed: str
    causes: tuple[Reasoned | Cause, ...]
    detail: str = ""
    may_be_ticked: bool = False
    in_accounts: bool = False

    @property
    def mark(self) -> str:
        """The HTML id of the control that ticks the line off.

        The id stays the same once the line is paid, so that the keyboard focus stays on the control.
        """
        return f"{self.payer.id}-{self.payee.id}"


@dataclass(frozen=True)
class PaidLine:
    """One payment that was made, with a link to its page.

    It also tells whether a tap can cancel the payment.
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

    If the plan of the accounts applies, `lines` are those of the plan and `own` those of the game alone.
    `notes` are sentences shown wherever the dues are shown. `open` is the number, and `sum` the amount, of
    the lines that may be paid on the spot. `order` has every pair of payer and payee in the order of the
    combined list.
    """

    lines: tuple[DueLine, ...]
    paid: tuple[PaidLine, ...]
    own: tuple[DueLine, ...]
    notes: tuple[str, ...]
    nothing: str
    by_plan: bool
    open: int
    sum: str
    order: tuple[tuple[str, str], ...]

    @property
    def has_any(self) -> bool:
        """True if anything was owed or paid at all."""
        return bool(self.lines or self.paid or self.own)

    @property
    def rows(self) -> tuple[DueLine | PaidLine, ...]:
        """Owed and paid lines as one list, in which a line keeps its place when it is ticked off."""
        rows: list[DueLine | PaidLine] = [*self.lines, *self.paid]
        places = {pair: place for place, pair in reversed(list(enumerate(self.order)))}
        return tuple(sorted(rows, key=lambda row: places[row.payer.id, row.payee.id]))


def dues_shown(dues: Dues, state: GameState, persons: Persons, table: Table) -> DuesShown:
    """Return the dues of a game in words, for a user who may read the accounts."""
    people, plan = People.of(table), dues.plan
    own = _own_lines(dues, state, persons, people, table)
    lines = tuple(_plan_line(line, plan, table) for line in plan.lines) if plan else own
    paid = (*dues.paid, *(plan.paid if plan else ()))
    return DuesShown(
        lines=lines,
        paid=tuple(_paid_lines(paid, lines, people, table)),
        own=own if plan else (),
        notes=tuple(_notes(dues, people, table)),
        nothing=_nothing(dues, has_paid=bool(paid)),
        by_plan=plan is not None,
        open=len(dues.open),
        sum=money(sum(line.unsaid for line in dues.open), table),
        order=_order(None if plan else state, people),
    )


def dues_shown_alone(dues: Dues, state: GameState, persons: Persons, table: Table) -> DuesShown:
    """Return the dues of the game alone, without payments.

    This is for a user who may not read the accounts.
    """
    people = People.of(table)
    lines = _own_lines(dues, state, persons, people, table)
    notice = [_("For this game alone: what was paid since, and other debts, stand in the accounts.")]
    return DuesShown(
        lines=lines,
        paid=(),
        own=(),
        notes=(*(notice if lines else ()), *_correction(dues, table)),
        nothing=_("Nobody owes anything."),
        by_plan=False,
        open=0,
        sum="",
        order=_order(state, people),
    )


def _order(state: GameState | None, people: People) -> tuple[tuple[str, str], ...]:
    """Return every pair of payer and payee.

    Pairs whose payments settle the result come first, then the others in the order of the people.
    """
    lines = people.read_lines(
        [(line.payer, line.payee, line.amount) for line in payments(state)] if state else []
    )
    own = [member.slug for member in people.own]
    return (*((line.payer, line.payee) for line in lines), *product(own, own))


def _notes(dues: Dues, people: People, table: Table) -> Iterator[str]:
    if dues.plan:
        yield _plan_in_words(dues.plan)
    for payment in dues.claimed:
        payer, payee = (people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
        yield _(
            "%(payer)s says that %(amount)s were paid to %(payee)s: it counts once that is confirmed."
        ) % {"payer": payer.name, "payee": payee.name, "amount": money(payment.amount, table)}
    yield from _correction(dues, table)


def _plan_in_words(plan: AccountsPlan) -> str:
    """Return a sentence on why the plan of the accounts applies, and whether it has further lines."""
    if plan.has_more:
        return _(
            "Somebody here has paid in the accounts since, or owes or is owed from other games, so this is the plan of "
            "the accounts, only the payments among these people: with others of the table there are more."
        )
    return _(
        "Somebody here has paid in the accounts since, or owes or is owed from other games, so this is the plan of the "
        "accounts, among these people."
    )


def _correction(dues: Dues, table: Table) -> Iterator[str]:
    """Yield a sentence on the dues before the last correction, if it changed them."""
    if not dues.is_corrected:
        return
    before = ", ".join(
        f"{line.payer.name} → {line.payee.name} {money(line.amount, table)}" for line in dues.replaced
    )
    if before:
        yield _("A correction changed what this game owes. Before it: %(lines)s.") % {"lines": before}
    else:
        yield _("A correction changed what this game owes. Before it nothing of this was owed.")


def _nothing(dues: Dues, *, has_paid: bool) -> str:
    if dues.plan:
        return _("Among these people nobody owes anything in the accounts.")
    return _("Nothing is left to be paid for this game.") if has_paid else _("Nobody owes anything.")


# --- lines ------------------------------------------------------------------------------------------------------------


def _own_lines(
    dues: Dues, state: GameState, persons: Persons, people: People, table: Table
) -> tuple[DueLine, ...]:
    """Return the lines of the game alone.

    Their causes tell what the two people won, lost, paid and received.
    """
    causes = _Causes(Books(state, movements(state), persons, table), people, dues.paid)
    return tuple(
        DueLine(
            person_of(line.payer),
            person_of(line.payee),
            money(line.amount, table),
            money(line.unsaid, table),
            typed_amount(line.unsaid, table),
            causes.of(line),
            _since_in_words(line, table),
            may_be_ticked=line in dues.to_tick,
        )
        for line in dues.lines
    )


def _since_in_words(line: Due, table: Table) -> str:
    """Return the reason why a line, or a part of it, cannot be paid on the spot.

    Return "" if all of the line can be paid.
    """
    if not line.since:
        return claimed_in_words(line, table)
    if line.since == {Method.WRITE_OFF}:
        return _("What %(name)s owed was written off since") % {"name": line.payer.name}
    if line.since == {Method.OPENING}:
        return _("What %(name)s owed went to another table since") % {"name": line.payer.name}
    return _("%(name)s has paid in the accounts since") % {"name": line.payer.name}


def _plan_line(line: Line, plan: AccountsPlan, table: Table) -> DueLine:
    return DueLine(
        person_of(line.payer),
        person_of(line.payee),
        money(line.left, table),
        money(line.unsaid, table),
        typed_amount(line.unsaid, table),
        causes_of(line, plan.accounts, table),
        claimed_in_words(line, table),
        may_be_ticked=line.unsaid > 0,
        in_accounts=True,
    )


def _paid_lines(
    paid: Sequence[Payment], lines: Sequence[DueLine], people: People, table: Table
) -> Iterator[PaidLine]:
    marks = {line.mark for line in lines}
    for payment in paid:
        payer, payee = person_of(people.by_pk[payment.payer_id]), person_of(people.by_pk[payment.payee_id])
        details = [method_in_words(payment.method), paid_in_words(payment, table), payment.note]
        if payment.game_id is None:
            details.insert(0, _("in the accounts"))
        mark = f"{payer.id}-{payee.id}"
        yield PaidLine(
            pk=payment.pk,
            payer=payer,
            payee=payee,
            amount=money(payment.amount, table),
            detail=" · ".join(filter(None, details)),
            may_be_taken_back=payment.confirmed_at is None,
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

    def of(self, line: Due) -> tuple[Reasoned, ...]:
        """Return the causes of a line: the payer's money, both people's results, and the payments since."""
        table, net = self.books.table, nets_now(self.books.state, self.people)
        lost, won = -net.get(line.payer.slug, 0), net.get(line.payee.slug, 0)
        return (
            *(cause for player in self._ids_of(line.payer) for cause in self.books.causes_of(player)),
            *_result_in_words(line.payer, -lost, table),
            *_result_in_words(line.payee, won, table),
            *(
                Reasoned(self._paid_in_words(payment), money(payment.amount, table))
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
        return _("Paid: %(payer)s → %(payee)s") % {"payer": payer.name, "payee": payee.name}


def _result_in_words(member: Member, net: int, table: Table) -> tuple[Reasoned, ...]:
    """Return a sentence on the amount a member won or lost; an empty tuple for zero."""
    if net == 0:
        return ()
    template = _("%(name)s won") if net > 0 else _("%(name)s lost")
    return (Reasoned(template % {"name": member.name}, money(abs(net), table)),)
