"""`manage.py new_table`: creates a table and prints the link that makes its first user the owner."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse

from games.common import amounts
from games.management import lookup
from games.management.commands.let_in import site_address
from games.management.schema import SiteCommand
from games.scoring.errors import RuleError
from games.tables.services import operators, setup


class Command(SiteCommand):
    help = (
        "Open a table, also on a site that is closed, and print a link, valid once, for seven days: who opens it "
        "owns the table."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the table")
        parser.add_argument("--unit", default="$", help="the sign of its money (default: %(default)s)")

    def handle(self, *, name: str, unit: str, **options: object) -> None:
        try:
            parts = setup.clean_fields(
                name,
                unit=unit,
                decimals=amounts.default_decimals(unit),
                language=settings.LANGUAGE_CODE,
                timezone=settings.TIME_ZONE,
            )
        except RuleError as refusal:
            raise CommandError(str(refusal.text)) from refusal
        table, token = operators.create_table_for_owner(parts)
        lookup.log_action("new_table", table=table)
        self.stdout.write(f"{site_address()}{reverse('invitation', args=[token])}")
        self.stdout.write(
            f"Who opens this link owns {table.name} ({table.code}), once, within seven days: send it to nobody else. "
            "Nobody can open the table before."
        )
