"""`manage.py import_table`: imports a table's file of any size; the page for imports limits the size."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from games.common import locks
from games.common.json_reader import InvalidFile
from games.files.services import file_reader, table_import
from games.files.services.table_import import AlreadyImported
from games.management.schema import SiteCommand
from games.play.services import archive
from games.scoring.errors import RuleError


class Command(SiteCommand):
    help = "Import a table from the file that another installation exported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the table's JSON file")
        parser.add_argument("--owner", required=True, help="the name of the user who will own the table")
        parser.add_argument(
            "--again",
            action="store_true",
            help="import it as another table even if the owner has a copy of this one",
        )

    def handle(self, *, file: Path, owner: str, again: bool, **options: object) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"There is no user called {owner}.")
        try:
            contents = file_reader.read_table(file.read_bytes())
            table = table_import.create_table(contents, key=locks.new_form_key(), by=user, again=again)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except InvalidFile as unreadable:
            raise CommandError("\n".join(map(str, unreadable.problems))) from unreadable
        except RuleError as refusal:
            raise CommandError(str(refusal.text)) from refusal
        except AlreadyImported as here:
            raise CommandError(
                f"{owner} has this table already: {here.table.name} ({here.table.code}). With --again it comes in "
                "all the same."
            ) from here
        count = archive.filter_by_status(table).count()
        self.stdout.write(f"{table.name} ({table.code}) is here, with {count} games.")
