"""`manage.py check_books`: replays every game and proves that all else says the same."""

from __future__ import annotations

from argparse import ArgumentParser
from time import perf_counter

from django.core.management.base import BaseCommand, CommandError

from games.management.schema import refuse_an_old_schema
from games.models import Table
from games.notebook.books.audit import check_table


class Command(BaseCommand):
    help = "Replays every game and proves results, nets, pots, balances and plans; says what differs, and ends with 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair", action="store_true", help="make anew from the records whatever differs from them"
        )

    def handle(self, *, repair: bool, **options: object) -> None:
        refuse_an_old_schema()
        began, games, differences = perf_counter(), 0, []
        for table in Table.objects.filter(erased_at=None).order_by("pk"):
            findings = check_table(table, repair=repair)
            games += findings.games
            differences += findings.differences
            for difference in findings.differences:
                self.stdout.write(f"{table.name} ({table.code}), {difference}")
        took = perf_counter() - began
        self.stdout.write(f"{games} games replayed in {took:.1f} s, {games / max(took, 0.001):.0f} a second.")
        left = sum(not difference.is_repaired for difference in differences)
        if left:
            raise CommandError(
                f"{left} of {len(differences)} differences remain." if repair else f"{left} differences."
            )
        self.stdout.write(
            f"{len(differences)} differences put right." if differences else "Everything adds up."
        )
