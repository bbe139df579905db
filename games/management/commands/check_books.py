"""`manage.py check_books`: replays every game and proves that records and derived data agree."""

from __future__ import annotations

from argparse import ArgumentParser
from time import perf_counter

from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction

from games.common import triggers
from games.files.services import audit
from games.files.services.audit import Difference
from games.management.schema import SiteCommand
from games.models import Table


class Command(SiteCommand):
    help = (
        "Replay every game and check that results, nets, pots, entries and debts agree and that every reference leads to a row; "
        "print every difference, and exit with 1 if there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="rebuild derived data that differs from the records, and the triggers that refuse to change a record",
        )

    def handle(self, *, repair: bool, **options: object) -> None:
        began, games, differences = perf_counter(), 0, self._check_triggers(put_back=repair)
        _check_references()
        for table in Table.objects.filter(erased_at=None).order_by("pk"):
            findings = audit.check_table(table, repair=repair)
            games += findings.games
            differences += findings.differences
            for difference in findings.differences:
                self.stdout.write(f"{table.name} ({table.code}), {difference}")
        took = perf_counter() - began
        self.stdout.write(f"{games} games replayed in {took:.1f} s, {games / max(took, 0.001):.0f} a second.")
        remaining = sum(not difference.is_repaired for difference in differences)
        if remaining:
            raise CommandError(
                f"{remaining} of {len(differences)} differences remain."
                if repair
                else f"{remaining} differences."
            )
        self.stdout.write(
            f"{len(differences)} differences put right." if differences else "Everything adds up."
        )

    def _check_triggers(self, *, put_back: bool) -> list[Difference]:
        """Return a Difference for each trigger that guards the records and is missing or altered.

        With `put_back`, install the triggers again.
        """
        wrong = [Difference("guard", what, put_back) for what in triggers.wrong_guards(connection)]
        if wrong and put_back:
            with transaction.atomic():
                triggers.install_record_guards(connection)
        for difference in wrong:
            self.stdout.write(str(difference))
        return wrong


def _check_references() -> None:
    """Raise CommandError if a row refers to a missing one: balances and results cannot be computed then."""
    try:
        connection.check_constraints()
    except IntegrityError as dangling:
        raise CommandError(f"{dangling} Nothing else was checked.") from dangling
