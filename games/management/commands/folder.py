"""`manage.py folder`: writes the whole app into a folder for any static host, without a server."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management import static_site
from games.management.bundle import MissingPackage
from games.management.static_site import FolderNotEmpty


class Command(BaseCommand):
    help = "Write the whole app into a folder, for any static host. npm fetches the engine once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "place",
            type=Path,
            nargs="?",
            default=settings.FOLDER,
            help="an empty folder, or one that this command wrote; without it, the one that the site may serve",
        )

        parser.add_argument(
            "--project", default="", metavar="URL", help="where the source is, to which the first page leads"
        )

    def handle(self, *, place: Path, project: str, **options: Any) -> None:
        try:
            size = static_site.write_folder(place, project=project)
        except (MissingPackage, FolderNotEmpty) as refused:
            raise CommandError(str(refused)) from refused
        except OSError as error:
            raise CommandError(
                f"{error.filename or place} cannot be read or written: {error.strerror}."
            ) from error
        self.stdout.write(f"{size / 10**6:.1f} MB in {place}. Serve it over https, or on localhost.")
