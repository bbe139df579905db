"""`manage.py check_books`: replays every game and proves that the records and all derived data agree.

An anchor is a short digest of a table's audit trail (its log of changes) at one moment.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from games.guards import install_record_guards, wrong_guards
from games.management.backups import ANCHORS, SQLITE, refuse_a_changed
from games.management.copies import open_database
from games.management.schema import refuse_an_old_schema
from games.models import ALPHABET, Table, TrailEntry
from games.notebook.books.anchors import (
    NothingToCompare,
    entry_at,
    since_anchors,
    since_backup,
    since_file,
)
from games.notebook.books.audit import Difference, check_table
from games.trail import LETTERS, TOGETHER


class Command(BaseCommand):
    help = (
        "Replay every game and check that no record was altered and that results, nets, pots, balances and plans agree; "
        "print every difference, and exit with 1 if there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="rebuild derived data that differs from the records; never change a record, never use an altered one",
        )
        parser.add_argument(
            "--guards",
            action="store_true",
            help="restore missing triggers that refuse to change a record",
        )
        parser.add_argument(
            "--against",
            metavar="EARLIER",
            help="also compare with an earlier state: an anchor of 24 letters, a backup, or a table's file",
        )

    def handle(self, *, repair: bool, guards: bool, against: str | None = None, **options: object) -> None:
        refuse_an_old_schema()
        earlier = [] if against is None else list(self._compare(against))
        began, games, differences = perf_counter(), 0, self._look_at_the_guards(put_back=guards)
        for table in Table.objects.filter(erased_at=None).order_by("pk"):
            findings = check_table(table, repair=repair)
            games += findings.games
            differences += findings.differences
            for difference in findings.differences:
                self.stdout.write(f"{table.name} ({table.code}), {difference}")
            for unchecked in findings.unchecked:
                self.stdout.write(f"{table.name} ({table.code}), {unchecked}")
        for table, sentence in earlier:
            difference = Difference("earlier", sentence)
            differences.append(difference)
            self.stdout.write(f"{table.name} ({table.code}), {sentence}.")
        took = perf_counter() - began
        self.stdout.write(f"{games} games replayed in {took:.1f} s, {games / max(took, 0.001):.0f} a second.")
        left = sum(not difference.is_repaired for difference in differences)
        if left:
            raise CommandError(
                f"{left} of {len(differences)} differences remain."
                if repair or guards
                else f"{left} differences."
            )
        self.stdout.write(
            f"{len(differences)} differences put right." if differences else "Everything adds up."
        )

    def _compare(self, earlier: str) -> Iterator[tuple[Table, str]]:
        """Yield each table that differs from the state `earlier`, with the first difference as a sentence.

        `earlier` is an anchor, a backup or a table's file. For an anchor, only print the time at which a
        table had it, and yield nothing. Raise CommandError if `earlier` is none of these.
        """
        anchor = earlier.lower().replace("-", "")
        if len(anchor) == LETTERS and set(anchor) <= set(ALPHABET):
            self._find_moment("-".join(anchor[at : at + TOGETHER] for at in range(0, LETTERS, TOGETHER)))
            return
        path = Path(earlier)
        if not path.exists():
            raise CommandError(f"{earlier} is neither an anchor of {LETTERS} letters nor a file or folder.")
        if path.is_dir():
            refuse_a_changed(path)
        try:
            yield from self._since(path)
        except NothingToCompare as problem:
            raise CommandError(f"{earlier}: {problem}") from problem

    def _since(self, path: Path) -> Iterator[tuple[Table, str]]:
        """Yield each table that differs from this backup or file of a table, with a sentence.

        Raise NothingToCompare if it is neither.
        """
        file = path / SQLITE if path.is_dir() else path
        if file.exists() and file.read_bytes().startswith(b"SQLite"):
            with open_database(file, "ro") as backup:
                yield from since_backup(backup)
        elif file.exists():
            yield from since_file(file.read_bytes())
        elif (path / ANCHORS).exists():  # a dump of PostgreSQL, which only PostgreSQL can read
            yield from since_anchors((path / ANCHORS).read_text(encoding="ascii"))
        else:
            raise NothingToCompare("It has no list of anchors: a release without an audit trail made it.")

    def _find_moment(self, anchor: str) -> None:
        """Print when a table had this anchor. Raise CommandError if no table ever had it."""
        entry = entry_at(anchor, TrailEntry.objects.all())
        if entry is None:
            raise CommandError(
                "No table of this site has had this anchor: it is of another site, or history was changed."
            )
        when = f"{entry.at:%Y-%m-%d %H:%M:%S} UTC, entry {entry.number} of {entry.table.trail.count()}"
        self.stdout.write(f"{entry.table.name} ({entry.table.code}) had this anchor at {when}.")

    def _look_at_the_guards(self, *, put_back: bool) -> list[Difference]:
        """Return a Difference for each trigger that guards the records and is missing or altered.

        With `put_back`, install the triggers again. Records that were changed meanwhile break the hash chain.
        """
        wrong = [Difference("guard", what, put_back) for what in wrong_guards(connection)]
        if wrong and put_back:
            with transaction.atomic():
                install_record_guards(connection)
        for difference in wrong:
            self.stdout.write(str(difference))
        return wrong
