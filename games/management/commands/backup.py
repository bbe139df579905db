"""`manage.py backup`: copies everything that a site needs into a new folder, even while people play."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management import backups, site_folder


class Command(BaseCommand):
    help = (
        "Copy the database and the secret key into a new folder while people play; keep the newest folders."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            type=Path,
            help="the folder for the backups (default: backups/ in DATA_DIR)",
            metavar="FOLDER",
        )
        parser.add_argument(
            "--keep", type=int, default=7, help="number of backups to keep (default: 7)", metavar="N"
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="restore the backup into a scratch place and run check_books there; delete no older backup if that fails",
        )

    def handle(self, *, to: Path | None, keep: int, verify: bool, **options: object) -> None:
        if keep < 1:
            raise CommandError("--keep 1 is the least: the backup that is made now stays.")
        if not site_folder.database_exists():
            raise CommandError(site_folder.lost_database_message() or site_folder.missing_database_message())
        try:
            folder = to or Path(settings.DATA_DIR) / "backups"
            backup = backups.create(folder, keep=keep, verified=verify)
        except OSError as error:
            raise CommandError(f"The backup could not be written: {error}.") from error
        size = sum(file.stat().st_size for file in backup.iterdir())
        if verify:
            self.stdout.write("It was restored into a scratch place, where everything adds up.")
        self.stdout.write(
            f"{backup} ({site_folder.format_size(size)}), named by its time in UTC. It lets in whoever reads it: keep it, and not here alone."
        )
