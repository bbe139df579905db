"""`manage.py let_in`: prints a link that signs in a user who lost their password."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from games.management.registered import registered_user
from games.management.schema import refuse_an_old_schema
from games.management.serving import served_address
from games.network import THIS_MACHINE
from games.people.sign_in_links import make_link


class Command(BaseCommand):
    help = (
        "Print a link, valid once and for an hour, with which a registered user gets in on any phone and can "
        "set a new password."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name with which the user signs in")
        parser.add_argument(
            "--site",
            type=_origin,
            help="the address of the site, such as https://cards.example.org (default: by the settings, else where "
            "it was served last)",
        )

    def handle(self, *, name: str, site: str | None, **options: object) -> None:
        refuse_an_old_schema()
        user = registered_user(
            name,
            "Guests have no name to sign in with: an owner of their table makes a link for their new phone, on the "
            "page of the member.",
        )
        address = site or site_address()
        self.stdout.write(f"{address}{reverse('sign-in-link', args=[make_link(user, is_operators=True)])}")
        self.stdout.write(
            f"This link signs {user.username} in, once, within an hour, on whatever phone opens it: send it to "
            "nobody else. It ends every earlier one."
        )
        if site is None:
            self.stdout.write("If phones reach the site at another address, run this with --site.")


def site_address() -> str:
    """Return the address at which phones probably reach the site: by the settings, else where it was served last.

    Raise CommandError if neither is known.
    """
    if settings.SITE_URL:
        return settings.SITE_URL
    names = [host for host in settings.ALLOWED_HOSTS if host not in {*THIS_MACHINE, "[::1]", "*"}]
    names = [host for host in names if not host.startswith(".")]
    if settings.SESSION_COOKIE_SECURE and names:
        return f"https://{names[0]}"
    address = served_address()
    if address is None:
        raise CommandError(
            "Nothing was served from here yet, so its address is unknown: give it with --site, such as "
            "--site http://192.168.1.5:8000"
        )
    return address


def _origin(written: str) -> str:
    """Return the address without its last slash; raise ArgumentTypeError unless it is a site's address."""
    parts = urlsplit(written)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
        raise ArgumentTypeError(f"{written!r} is not an address like https://cards.example.org")
    return f"{parts.scheme}://{parts.netloc}"
