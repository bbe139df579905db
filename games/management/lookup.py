"""The users, members and tables that an operator's command names, and the command's line in the log."""

from __future__ import annotations

import logging
import shlex
from argparse import ArgumentParser
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from games.common import naming, program
from games.models import Member, Table
from games.tables.services import lobby, operators, users

LOG = logging.getLogger(__name__)


def get_table(code: str, *, is_erased: bool = False) -> Table:
    """Return the table with this code. Raise CommandError if there is none.

    An erased table is returned only with `is_erased`, which also finds others.
    """
    tables = Table.objects.filter(code=code)
    table = tables.first() if is_erased else tables.filter(erased_at=None).first()
    if table is None and (erased := tables.first()):
        raise CommandError(
            f"{erased.name} is erased: `{program.NAME} erase --table {code} --undo` brings it back first."
        )
    if table is None:
        raise CommandError(f"There is no table with the code {code}.")
    return table


def get_member(table: Table, name: str) -> Member:
    """Return the active member with this name. Raise CommandError if there is none."""
    members = list(table.members.active())
    member = next(
        (candidate for candidate in members if naming.names_match(candidate.name, name.strip())), None
    )
    if member is None:
        names = ", ".join(candidate.name for candidate in members)
        phones = ", ".join(
            candidate.user.username
            for candidate in lobby.valid_accesses(table)
            if candidate.name and naming.names_match(candidate.name, name.strip())
        )
        says = f". Who says to be {name}, unconfirmed: {phones}." if phones else ""
        raise CommandError(f"Nobody is called {name} at {table.name}, but: {names}{says}")
    return member


def get_user(name: str) -> User:
    """Return the user with this user name, as `tables CODE` prints it, including blocked users and guests.

    Raise CommandError if there is none, or more than one.
    """
    matches = [user for user in users.with_username(name) if not users.is_deleted(user)]
    matches = [user for user in matches if user.username == name] or matches
    if not matches:
        raise CommandError(
            f"There is no user {name}. `{program.NAME} tables CODE` lists the users of a table, guests too."
        )
    return _get_only(matches)


def get_registered_user(name: str, about_guests: str) -> User:
    """Return the user who signs in with this name. Raise CommandError if there is none, or more than one.

    If there is none, the error ends with `about_guests`, a sentence on what the command cannot do for guests.
    """
    matches = users.registered_users(name)
    if not matches:
        others = users.with_username(name)
        if any(map(operators.find_erasure, others)):
            raise CommandError(f"{name} is erased: {undo_line(name, None, None)} first.")
        if any(map(operators.is_blocked, others)):
            raise CommandError(f"{name} is blocked: `{program.NAME} unblock {shlex.quote(name)}` first.")
        raise CommandError(f"Nobody signs in here under the name {name}. {about_guests}")
    return _get_only(matches)


def _get_only(matches: Sequence[User]) -> User:
    """Return the only user. Raise CommandError if there are several, whose names differ in capitals."""
    if len(matches) > 1:
        names = ", ".join(sorted(user.username for user in matches))
        raise CommandError(f"Several users have this name: {names}. Write it with their capitals.")
    return matches[0]


def _get_member_users(table: Table, name: str, *, advice: str) -> Sequence[User]:
    """Return the users confirmed to be the member with this name, one for each of their phones, erased ones too.

    If there is none, raise CommandError with `advice` and where to look.
    """
    member = get_member(table, name)
    erased = lobby.suspended_accesses(table).exclude(confirmed_at=None)
    phones = [*lobby.member_phones(table, member), *(access for access in erased if access.person == member)]
    matches = [access.user for access in phones]
    if not matches:
        raise CommandError(
            f"No phone is confirmed to be {name}'s.{advice} `{program.NAME} tables {table.code}` lists who is there."
        )
    return matches


def add_user_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that name a user, or the phones of a table's member, to a command."""
    parser.add_argument("name", nargs="?", help="a user's name, or a guest's as `tables CODE` prints it")
    parser.add_argument("--table", metavar="CODE", help="the code in the address of a table")
    parser.add_argument("--member", metavar="NAME", help="the name of a member of that table")


def get_users(name: str | None, table: str | None, member: str | None, *, advice: str = "") -> Sequence[User]:
    """Return the users that these arguments name. Raise CommandError, with `advice`, if they name nobody."""
    if name and not table and not member:
        return [get_user(name)]
    if table and member and not name:
        return _get_member_users(get_table(table), member, advice=advice)
    raise CommandError("Give the name of a user, or --table and --member.")


def undo_line(name: str | None, table: str | None, member: str | None) -> str:
    """Return the command that brings erased users back, as it is written."""
    who = f"--user {shlex.quote(name)}" if name else f"--table {table} --member {shlex.quote(member or '')}"
    return f"`{program.NAME} erase {who} --undo`"


def log_action(action: str, *, users: Sequence[User] = (), table: Table | None = None) -> None:
    """Log an operator's action: users by their numbers, without names."""
    about = [*(f"user {user.pk}" for user in users), *([f"table {table.code}"] if table else [])]
    LOG.info("%s: %s", action, ", ".join(about))
