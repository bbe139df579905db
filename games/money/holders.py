"""The holders of accounts: set a member's payment details, retire a member or bring them back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.timezone import now

from games.common.book import logs_of
from games.common.locks import lock, raise_version, version_of
from games.models import ACCOUNT_LENGTH, Member, Table
from games.scoring.errors import RuleError
from games.scoring.events import seated_in
from games.scoring.one_line import one_line
from games.scoring.words import _
from games.tables.people import People


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
        raise_version(member.table)
    return member


def retire(member: Member, *, at: datetime | None = None) -> Member:
    """Let a member play no more. What they owe and are owed stays in the accounts until it is paid.

    Raise RuleError if they play in a game under way, or were merged into another member.
    """
    version, seated = version_of(member.table), _seated(member.table)
    with transaction.atomic():
        table = member.table
        if lock(table).version != version:
            seated = _seated(table)
        member.refresh_from_db()
        if member.retired_at is not None:
            return member
        if member.merged_into_id is not None:
            raise RuleError(_("{name} was merged with another member of this table.", name=member.name))
        people = People.of(table)
        if member in {people.by_slug[player] for player in seated}:
            raise RuleError(_("{name} is playing in a game under way. End it first.", name=member.name))
        member.retired_at = at or now()
        member.save(update_fields=["retired_at"])
        raise_version(table)
    return member


def _seated(table: Table) -> Collection[str]:
    """Return the slugs of everybody who plays in an unfinished game."""
    running = table.games.filter(ended_at=None, discarded_at=None)
    logs = logs_of(running.values_list("pk", flat=True))
    return {player for log in logs.values() for player in seated_in(log)}
