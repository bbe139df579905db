"""`manage.py unblock`: lets a blocked user in again."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from games.common import program
from games.management import lookup
from games.management.schema import SiteCommand
from games.models import Access
from games.tables.services import operators


class Command(SiteCommand):
    help = "Unblock a user, or a member's phones with --table and --member: they have their places at tables again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        lookup.add_user_arguments(parser)

    def handle(self, *, name: str | None, table: str | None, member: str | None, **options: object) -> None:
        matches = lookup.get_users(name, table, member)
        users = [user for user in matches if operators.is_blocked(user)]
        if any(operators.find_erasure(user) for user in matches):
            raise CommandError(
                f"{name or member} is erased: {lookup.undo_line(name, table, member)} brings them back."
            )
        if not users:
            raise CommandError(f"{name or member} is not blocked.")
        for user in users:
            operators.unblock(user)
        lookup.log_action("unblock", users=users)
        for way in dict.fromkeys(map(sign_in_hint, users)):
            self.stdout.write(f"{name or member} is no longer blocked{way}")


def sign_in_hint(user: User) -> str:
    """Return how the user gets in again: with the password, or as a guest by a link for their member."""
    if user.has_usable_password():
        return ", and signs in again with the password."
    accesses = Access.objects.valid().confirmed().filter(user=user, table__erased_at=None)
    for access in accesses.select_related("table", "member"):
        if access.person and not access.person.retired_at:
            return (
                f": `{program.NAME} let_in --table {access.table.code} --member {shlex.quote(access.person.name)}` makes a "
                "link by which they come in again."
            )
    return ". An owner adds them on the page of the table's people, or gives them a new invitation."
