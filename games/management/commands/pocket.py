"""`manage.py pocket`: builds the bundle for phones (`--build`), or the app for a static host (`--site`)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.bundling import Missing, build
from games.management.folder import NotEmpty, write_folder
from games.pocket import bundle


class Command(BaseCommand):
    help = "Build the bundle that phones may download to open their tables without a network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        way = parser.add_mutually_exclusive_group()
        way.add_argument("--build", action="store_true", help="build it; npm fetches the engine once")
        way.add_argument(
            "--site", type=Path, metavar="FOLDER", help="write the whole app into FOLDER, for any static host"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["site"]:
            self.stdout.write(_written(options["site"]))
            return
        if not options["build"]:
            self.stdout.write(_standing())
            return
        try:
            travels = build(bundle.folder())
        except Missing as missing:
            raise CommandError(str(missing)) from missing
        self.stdout.write(
            f"{travels / 10**6:.1f} MB for each phone, in {bundle.folder()}. Start the server anew."
        )


def _written(folder: Path) -> str:
    try:
        size = write_folder(folder)
    except (Missing, NotEmpty) as refused:
        raise CommandError(str(refused)) from refused
    return f"{size / 10**6:.1f} MB in {folder}. Serve it over https, or on localhost."


def _standing() -> str:
    if bundle.is_there():
        return f"There is a bundle of this release: {bundle.travels() / 10**6:.1f} MB for each phone."
    return "There is no bundle of this release, so none is offered: manage.py pocket --build makes one."
