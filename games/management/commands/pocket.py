"""`manage.py pocket --build`: builds the bundle that phones download to open tables without a network."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.bundling import Missing, build
from games.pocket import bundle


class Command(BaseCommand):
    help = "Build the bundle that phones may download to open their tables without a network."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--build", action="store_true", help="build it; npm fetches the engine once")

    def handle(self, *args: Any, **options: Any) -> None:
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


def _standing() -> str:
    if bundle.is_there():
        return f"There is a bundle of this release: {bundle.travels() / 10**6:.1f} MB for each phone."
    return "There is no bundle of this release, so none is offered: manage.py pocket --build makes one."
