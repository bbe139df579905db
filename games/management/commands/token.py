"""`manage.py token`: creates a token for a program without a browser, and prints it."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError

from games.management import lookup
from games.management.schema import SiteCommand
from games.scoring.errors import RuleError
from games.tables.services import guests, tokens


class Command(SiteCommand):
    help = "Make a token with which a program acts as a registered user, and print it. It lasts a year and is shown only now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name with which the user signs in")
        parser.add_argument("--table", metavar="CODE", help="the only table of the token (default: all)")
        parser.add_argument("--read-only", action="store_true", help="it cannot record anything")

    def handle(self, *, name: str, table: str | None, read_only: bool, **options: object) -> None:
        user = lookup.get_registered_user(name, "Guests make their tokens at /you/.")
        at = guests.accessible_tables(user).filter(code=table).first() if table else None
        if table and at is None:
            raise CommandError(f"{user.username} has no table with the code {table}.")
        try:
            _token, secret = tokens.create(user, "manage.py", table=at, reads_only=read_only)
        except RuleError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(secret)
