"""`manage.py make_owner`: makes a user an owner of a table, for example of one whose owner is gone."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import transaction

from games.common import program
from games.management import lookup
from games.management.schema import SiteCommand
from games.tables.services import operators


class Command(SiteCommand):
    help = (
        "Make a user, or with --member a member's phones, an owner of a table: for one whose owner is gone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        lookup.add_user_arguments(parser)

    @transaction.atomic
    def handle(self, *, name: str | None, table: str | None, member: str | None, **options: object) -> None:
        if not table:
            raise CommandError("Give the --table, and the name of a user or of a --member.")
        there, display_name = lookup.get_table(table), name or member
        link = f" `{program.NAME} let_in --table {table} --member {shlex.quote(member or '')}` makes a link for one."
        users = lookup.get_users(name, None if name else table, member, advice=link)
        if any(operators.find_erasure(user) for user in users):
            raise CommandError(
                f"{display_name} is erased: `{program.NAME} erase --undo` brings them back first."
            )
        if any(operators.is_blocked(user) for user in users):
            raise CommandError(f"{display_name} is blocked: unblock them first.")
        users = [user for user in users if not operators.is_owner(user, there)]
        if not users:
            raise CommandError(f"{display_name} is an owner of {there.name} already.")
        for user in users:
            operators.grant_ownership(there, user)
        lookup.log_action("make_owner", users=users, table=there)
        self.stdout.write(
            f"{display_name} is an owner of {there.name} now, and no other owner can remove them."
        )
