"""`manage.py erase`: erases a table, which the operator can restore for some days, or a user's account."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.db import transaction

from games.management import lookup
from games.management.schema import SiteCommand
from games.models import ERASING_DAYS, Table
from games.tables.services import authorization, erasure
from games.tables.services.erasure import CannotRestore, SoleOwner


class Command(SiteCommand):
    help = (
        "Erase a table (--table), or bring it back (--undo); or delete the account of a user (--user), or of a "
        "member's phones (--table and --member), as they can themselves."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--table", metavar="CODE", help="the code in the address of the table")
        parser.add_argument("--member", metavar="NAME", help="the name of a member of that table")
        parser.add_argument(
            "--user", metavar="NAME", help="a user's name, or a guest's as `tables CODE` prints it"
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--now", action="store_true", help="delete the table at once, for good")
        how.add_argument("--undo", action="store_true", help="bring an erased table back")

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
        elif now or undo:
            raise CommandError("--now and --undo are for a table: give --table alone with them.")
        else:
            self._delete(lookup.get_users(user, table, member), user or member)

    def _erase(self, table: Table, *, at_once: bool) -> None:
        erasure.erase_as_operator(table, at_once=at_once)
        lookup.log_action("erase --now" if at_once else "erase", table=table)
        if at_once:
            erasure.purge()
            self.stdout.write(f"{table.name} is deleted for good. Backups still have it.")
            return
        self.stdout.write(
            f"{table.name} is erased: nobody can open it. For {ERASING_DAYS} days `manage.py erase --table {table.code} "
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

    @transaction.atomic
    def _delete(self, users: Sequence[User], name: str | None) -> None:
        for user in users:
            try:
                erasure.delete_account(user)
            except SoleOwner as alone:
                names = ", ".join(
                    f"{table.name} ({table.code})" for table in authorization.solely_owned_tables(user)
                )
                raise CommandError(
                    f"{name} is the only owner of {names}: make another one with `manage.py make_owner`, or erase it."
                ) from alone
        lookup.log_action("erase", users=users)
        self.stdout.write(
            f"The account of {name} is deleted: name, password, devices and access. Recorded games stay."
        )
