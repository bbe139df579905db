"""`manage.py let_in`: prints a link for a user who lost their password, or for a member who lost their phone."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse

from games.common import network
from games.management import lookup
from games.management.schema import SiteCommand
from games.models import Member, Role
from games.tables.services import links

ROLE_VERBS = {Role.WITNESS: "watch", Role.SCORER: "score", Role.OWNER: "manage the table"}


class Command(SiteCommand):
    help = (
        "Print a link, valid once: for an hour, with which a registered user gets in on any phone and can set a "
        "new password; or, with --table and --member, for seven days, by which a phone comes in as that member."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the name with which the user signs in")
        parser.add_argument("--table", metavar="CODE", help="the code in the address of a member's table")
        parser.add_argument("--member", metavar="NAME", help="the name of a member of that table")

    def handle(self, *, name: str | None, table: str | None, member: str | None, **options: object) -> None:
        if name is not None and not table and not member:
            self._print_sign_in_link(name)
        elif table and member and name is None:
            self._print_member_link(lookup.get_member(lookup.get_table(table), member))
        else:
            raise CommandError("Give the name of a user, or --table and --member.")
        if not settings.SITE_URL:
            self.stdout.write(
                f"If phones reach the site at another address, or at another port than {settings.PORT}, open the part from "
                "/ on there, or set SITE_URL to that address."
            )

    def _print_sign_in_link(self, name: str) -> None:
        user = lookup.get_registered_user(
            name, "Guests have no name to sign in with: give the --table and the name of the --member."
        )
        address = site_address()
        self.stdout.write(
            f"{address}{reverse('sign-in-link', args=[links.create_sign_in(user, is_operators=True)])}"
        )
        self.stdout.write(
            f"This link signs {user.username} in, once, within an hour, on whatever phone opens it: send it to "
            "nobody else. It ends every earlier one."
        )

    def _print_member_link(self, member: Member) -> None:
        address = site_address()
        link, token = links.create_for_member(member)
        self.stdout.write(f"{address}{reverse('invitation', args=[token])}")
        self.stdout.write(
            f"By this link a phone comes in at {member.table.name} as {member.name}, who then may "
            f"{ROLE_VERBS[Role(link.role)]} there, once, within seven days: send it to nobody else. An earlier phone of "
            "theirs loses its access."
        )


def site_address() -> str:
    """Return the URL for phones: SITE_URL, or where `serve` listens by default."""
    return settings.SITE_URL or f"http://{next(iter(network.lan_addresses()), 'localhost')}:{settings.PORT}"
