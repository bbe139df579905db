"""Access tokens of other programs, in words. With a token, a program acts for the user who made it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.common.days import day_in_words
from games.common.nights import local
from games.models import Table, Token
from games.tables.tokens import ACT, LIVES, READ

EVERY_TABLE = "all"  # the choice of all tables for a token; no table's code is as short


@dataclass(frozen=True)
class Choice:
    """A choice in the HTML form of a new token."""

    value: str
    label: str
    help: str
    chosen: bool


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
            may=" · ".join((_("reads") if token.reads_only else _("acts as you"), where_in_words(token))),
            until=_("until %(day)s") % {"day": day_in_words(_ends_on(token))},
            used=_used(token),
        )
        for token in user.tokens.standing().select_related("table")
    ]


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
    """Return the choices for what a new token may do. `chosen` is the value of the selected one."""
    labels = {
        READ: (_("Read"), _("See what you see. Records nothing.")),
        ACT: (_("Act as you"), _("All that you may do, but no new access: neither links nor tokens.")),
    }
    return [Choice(may, label, help_, may == chosen) for may, (label, help_) in labels.items()]


def life_choices(chosen: str) -> Sequence[Choice]:
    """Return the choices for the lifetime of a new token. `chosen` is the value of the selected one."""
    labels = {"day": _("24 hours"), "month": _("30 days"), "year": _("a year")}
    return [Choice(lasts, labels[lasts], "", lasts == chosen) for lasts in LIVES]


def _used(token: Token) -> str:
    if token.used_on is None:
        return _("never used yet")
    return _("last used %(day)s") % {"day": day_in_words(token.used_on)}
