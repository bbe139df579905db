"""`manage.py block`: ends a user's sessions and tokens and shuts the user out of the site."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError

from games.management import lookup
from games.management.schema import SiteCommand
from games.tables.services import operators


class Command(SiteCommand):
    help = (
        "Block a user, or a member's phones with --table and --member: their sessions, tokens and links end. Their "
        "places at tables stay for `unblock`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        lookup.add_user_arguments(parser)

    def handle(self, *, name: str | None, table: str | None, member: str | None, **options: object) -> None:
        matches = lookup.get_users(name, table, member)
        users = [user for user in matches if user.is_active]
        if not users:
            state = "erased" if any(map(operators.find_erasure, matches)) else "blocked"
            raise CommandError(f"{name or member} is {state} already.")
        for user in users:
            operators.block(user)
        lookup.log_action("block", users=users)
        self.stdout.write(
            f"{name or member} is blocked: their sessions, tokens and links have ended, and tonight's codes of their "
            "tables. A stranger's phone can still come in by an invitation."
        )
