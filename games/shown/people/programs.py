"""Access tokens of other programs, in words.

With a token, a program acts for the user who made it. Its role is the most that it may do: watch, record, or
act as an owner.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import Role, Table, Token
from games.nights import local
from games.people.tokens import LIVES
from games.shown.common.days import day_in_words
from games.shown.people.invites import Choice, role_in_words

EVERY_TABLE = "all"  # the choice of all tables for a token; no table's code is as short


@dataclass(frozen=True)
class Program:
    """A valid token, with its name, its rights, its end and its last use as text."""

    token: Token
    name: str
    may: str
    until: str
    used: str


def programs_of(user: User) -> Sequence[Program]:
    """Return the valid tokens of this user, newest first."""
    return [
        Program(
            token=token,
            name=token.name,
            may=" · ".join((role_in_words(Role(token.role)), *_left_out(token), where_in_words(token))),
            until=_("until %(day)s") % {"day": day_in_words(_ends_on(token))},
            used=_used(token),
        )
        for token in user.tokens.standing().select_related("table")
    ]


def _left_out(token: Token) -> Iterator[str]:
    """Yield a label for each thing that the token may not do although its role allows it.

    For example: “without recording”.
    """
    if token.role == Role.WITNESS:
        return
    if not token.reads_money:
        yield _("without the money")
    if not token.records:
        yield _("without recording")


def _ends_on(token: Token) -> date:
    """Return the day on which a token ends, in its table's time zone or, for all tables, in the site's."""
    ends = localtime(token.expires_at) if token.table is None else local(token.expires_at, token.table)
    return ends.date()


def where_in_words(token: Token) -> str:
    """Return the name of the table that a token is for, or a text for all tables of its user."""
    return _("all my tables") if token.table is None else token.table.name


def table_choices(tables: Iterable[Table], chosen: str) -> Sequence[Choice]:
    """Return the choices for the table of a new token: each of these tables, and all tables.

    `chosen` is the value of the selected choice: a table's code, or `EVERY_TABLE`.
    """
    all_of_them = _("Future tables too. Programs that list or open tables need this.")
    return [
        *(Choice(table.code, table.name, "", table.code == chosen) for table in tables),
        Choice(EVERY_TABLE, _("All my tables"), all_of_them, chosen == EVERY_TABLE),
    ]


def may_choices(chosen: str) -> Sequence[Choice]:
    """Return the choices for the role of a new token. `chosen` is the selected role."""
    labels: Mapping[str, tuple[str, str]] = {
        Role.WITNESS: (_("Read"), _("See what a watcher sees. Records nothing.")),
        Role.SCORER: (pgettext("a role", "Record"), _("Record and correct, read the accounts and take payments.")),
        Role.OWNER: (_("Everything an owner can do"), _("No new access: neither invitations nor tokens.")),
    }  # fmt: skip
    return [Choice(role, label, help_, role == chosen) for role, (label, help_) in labels.items()]


def narrowing_choices(sent: Container[str]) -> Sequence[Choice]:
    """Return the choices for what a new token may not do although its role allows it.

    Each is a field of the form to tick; `sent` has the names of the ticked ones.
    """
    labels = {
        "no_money": (_("Without the money"), _("It sees no accounts and no payments.")),
        "no_recording": (_("Without recording"), _("It changes nothing.")),
    }
    return [Choice(field, label, help_, field in sent) for field, (label, help_) in labels.items()]


def life_choices(chosen: str) -> Sequence[Choice]:
    """Return the choices for the lifetime of a new token. `chosen` is the value of the selected one."""
    labels = {"day": _("24 hours"), "month": _("30 days"), "year": _("a year")}
    return [Choice(lasts, labels[lasts], "", lasts == chosen) for lasts in LIVES]


def _used(token: Token) -> str:
    if token.used_on is None:
        return _("never used yet")
    return _("last used %(day)s") % {"day": day_in_words(token.used_on)}
