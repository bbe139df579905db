"""`manage.py unblock`: lets a blocked user in again."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from games.management.naming import add_person, log_act, users_named
from games.management.schema import refuse_an_old_schema
from games.tables.operating import is_blocked, unblock


class Command(BaseCommand):
    help = "Unblock a user, or a member's phones with --table and --member: they have their places at tables again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_person(parser)

    def handle(self, *, name: str | None, table: str | None, member: str | None, **options: object) -> None:
        refuse_an_old_schema()
        users = [user for user in users_named(name, table, member) if is_blocked(user)]
        if not users:
            raise CommandError(f"{name or member} is not blocked.")
        for user in users:
            unblock(user)
        log_act("unblock", users=users)
        self.stdout.write(
            f"{name or member} is no longer blocked, and signs in again; a guest by a link of `manage.py let_in "
            "--table CODE --member NAME`."
        )
