"""`manage.py erase`: erases a table or a user's account, which the operator can restore for some days."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.db import transaction

from games.common import program
from games.management import lookup
from games.management.commands.unblock import sign_in_hint
from games.management.schema import SiteCommand
from games.models import ERASING_DAYS, AccountErasure, Table
from games.tables.services import authorization, erasure, operators
from games.tables.services.erasure import CannotRestore, SoleOwner

YES = frozenset({"y", "yes"})


class Command(SiteCommand):
    help = (
        "Erase a table (--table), the account of a user (--user), or those of a member's phones (--table and --member). "
        "For some days --undo brings them back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--table", metavar="CODE", help="the code in the address of the table")
        parser.add_argument("--member", metavar="NAME", help="the name of a member of that table")
        parser.add_argument(
            "--user", metavar="NAME", help="a user's name, or a guest's as `tables CODE` prints it"
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--now", action="store_true", help="delete it at once, for good")
        how.add_argument("--undo", action="store_true", help="bring back what was erased")

    def handle(
        self,
        *,
        table: str | None,
        member: str | None,
        user: str | None,
        now: bool,
        undo: bool,
        **options: object,
    ) -> None:
        if table and not member and not user:
            there = lookup.get_table(table, is_erased=now or undo)
            self._restore(there) if undo else self._erase(there, at_once=now)
            return
        users, name = lookup.get_users(user, table, member), user or member or ""
        if undo:
            self._restore_accounts(users, name)
        else:
            self._erase_accounts(users, name, at_once=now, undo=lookup.undo_line(user, table, member))

    def _erase(self, table: Table, *, at_once: bool) -> None:
        erasure.erase_as_operator(table, at_once=at_once)
        lookup.log_action("erase --now" if at_once else "erase", table=table)
        if at_once:
            erasure.purge()
            self.stdout.write(f"{table.name} is deleted for good. Backups still have it.")
            return
        self.stdout.write(
            f"{table.name} is erased: nobody can open it. For {ERASING_DAYS} days `{program.NAME} erase --table {table.code} "
            "--undo` brings it back; its owners cannot."
        )

    def _restore(self, table: Table) -> None:
        if table.erased_at is None:
            raise CommandError(f"{table.name} is not erased.")
        try:
            erasure.restore(table, by=None)
        except CannotRestore as gone:
            raise CommandError(
                f"{table.name} was erased more than {ERASING_DAYS} days ago: only a backup or its file has it."
            ) from gone
        lookup.log_action("erase --undo", table=table)
        self.stdout.write(f"{table.name} is back, with everybody's access.")

    def _erase_accounts(self, users: Sequence[User], name: str, *, at_once: bool, undo: str) -> None:
        if not at_once and all(map(operators.find_erasure, users)):
            raise CommandError(f"{name} is erased already.")
        question = f"Delete the account of {name} for good?" if at_once else f"Erase the account of {name}?"
        if sys.stdin.isatty() and not _is_confirmed(question):
            raise CommandError("Nothing was erased.")
        with transaction.atomic():
            for user in users:
                try:
                    if at_once:
                        operators.delete_account(user)
                    elif operators.find_erasure(user) is None:
                        operators.erase_account(user)
                except SoleOwner as alone:
                    raise CommandError(_sole_owner_message(user, name)) from alone
        lookup.log_action("erase --now" if at_once else "erase", users=users)
        self.stdout.write(
            f"The account of {name} is deleted: name, password, devices and access. Recorded games stay."
            if at_once
            else f"The account of {name} is erased: nobody can sign in with it, and it owns and confirms nothing. For "
            f"{ERASING_DAYS} days {undo} brings it back. Recorded games stay."
        )

    def _restore_accounts(self, users: Sequence[User], name: str) -> None:
        erased = [user for user in users if operators.find_erasure(user)]
        if not erased:
            raise CommandError(f"{name} is not erased.")
        for user in erased:
            try:
                operators.restore_account(user)
            except AccountErasure.DoesNotExist as gone:
                raise CommandError(f"The account of {name} was deleted meanwhile.") from gone
        lookup.log_action("erase --undo", users=erased)
        for user in erased:
            state = f"{name} is back" if user.is_active else f"{name} is back, and still blocked"
            self.stdout.write(f"{state}{sign_in_hint(user) if user.is_active else '.'}")


def _is_confirmed(question: str) -> bool:
    """Return whether the operator answers yes; the end of the input is a no."""
    try:
        return input(f"{question} [y/N] ").strip().lower() in YES
    except EOFError:
        return False


def _sole_owner_message(user: User, name: str) -> str:
    tables = authorization.solely_owned_tables(user)
    names = ", ".join(f"{table.name} ({table.code})" for table in tables)
    return f"{name} is the only owner of {names}: make another one with `{program.NAME} make_owner`, or erase it."
