"""The holders of accounts: set a member's payment details, retire a member or bring them back.

A *write-off* is a forgiven debt, stored as a payment.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.book import logs_of
from games.changes import tell
from games.keys import check_key
from games.locks import lock, newest_change
from games.models import ACCOUNT_LENGTH, Change, ChangeKind, Member, Method, Table
from games.money.balances import People, StaleAccounts, read_accounts, to_settle
from games.money.booking import PaymentFact, record_payments
from games.room import check_seat
from games.scoring.errors import RuleError
from games.scoring.events import seated_in
from games.scoring.one_line import one_line
from games.scoring.words import _


@transaction.atomic
def set_account(member: Member, text: str) -> Member:
    """Set the text that tells others how to send this member money, such as a bank alias.

    An empty text removes it.
    """
    lock(member.table)
    member.refresh_from_db()
    account = one_line(text, longest=ACCOUNT_LENGTH, field="account")
    if member.account != account:
        member.account = account
        member.save(update_fields=["account"])
        tell(member.table, Change(what=ChangeKind.ACCOUNT_CHANGED, member=member))
    return member


def retire(
    member: Member,
    *,
    written_off: int = 0,
    key: str,
    by: User,
    at: datetime | None = None,
) -> Member:
    """Retire a member and write off their balance.

    Each line of the plan (who pays whom) with this member becomes a write-off. `written_off` is the balance
    that the user saw: raise StaleAccounts if it has changed.
    """
    check_key(key)
    newest, seated = newest_change(member.table), _seated(member.table)
    with transaction.atomic():
        if lock(member.table).newest_change != newest:
            seated = _seated(member.table)
        return _retire(member, seated, written_off=written_off, key=key, by=by, at=at)


def _retire(
    member: Member,
    seated: Collection[str],
    *,
    written_off: int,
    key: str,
    by: User,
    at: datetime | None,
) -> Member:
    table = member.table
    member.refresh_from_db()
    if member.retired_at is not None:
        return member
    if member.merged_into_id is not None:
        raise RuleError(_("{name} was merged with another member of this table.", name=member.name))
    people = People.of(table)
    if member in {people.by_slug[player] for player in seated}:
        raise RuleError(_("{name} is playing in a game under way. End it first.", name=member.name))
    if _has_unanswered_payment(member, table, people):
        raise RuleError(
            _(
                "A payment from or to {name} is still unconfirmed: confirm or dispute it first.",
                name=member.name,
            ),
            field="retire",
        )
    accounts = read_accounts(table, people)
    balance = accounts.accounts[member.slug].balance
    if balance != written_off:
        raise StaleAccounts
    retired_at = at or now()
    if balance:
        lines = [
            (line.payer, line.payee, line.left)
            for line in accounts.to_pay
            if member in (line.payer, line.payee)
        ]
        if any(payer.is_of(by) for payer, _payee, _amount in lines):
            raise RuleError(_("You can't forgive your own debt."), field="retire")
        paid = [PaymentFact(*line, Method.FORGIVEN) for line in lines]
        record_payments(table, paid, people=people, key=key, by=by, at=retired_at)
    member.retired_at = retired_at
    member.save(update_fields=["retired_at"])
    tell(table, Change(what=ChangeKind.MEMBER_CHANGED, member=member))
    return member


@transaction.atomic
def bring_back(member: Member) -> Member:
    """Let a retired member play again. Raise RuleError if the table has too many active members."""
    lock(member.table)
    member.refresh_from_db()
    if member.retired_at is not None:
        check_seat(member.table, field="")
        member.retired_at = None
        member.save(update_fields=["retired_at"])
        tell(member.table, Change(what=ChangeKind.MEMBER_CHANGED, member=member))
    return member


def _has_unanswered_payment(member: Member, table: Table, people: People) -> bool:
    """Return whether a payment from or to this member is claimed or disputed and not decided yet.

    The decision may change the member's balance.
    """
    rows = people.rows_of(member)
    return to_settle(table).filter(Q(payer__in=rows) | Q(payee__in=rows)).exists()


def _seated(table: Table) -> Collection[str]:
    """Return the slugs of everybody who plays in an unfinished game."""
    running = table.games.filter(ended_at=None, discarded_at=None)
    logs = logs_of(running.values_list("pk", flat=True))
    return {player for log in logs.values() for player in seated_in(log)}
