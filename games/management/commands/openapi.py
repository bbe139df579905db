"""`manage.py openapi`: prints the API's OpenAPI schema as YAML or in the short form of `docs/api.txt`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from drf_spectacular.renderers import OpenApiYamlRenderer

from games.api.common.listing import listing
from games.api.common.schema import openapi


class Command(BaseCommand):
    help = "Writes the description of the API (OpenAPI) as YAML."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option `--short`."""
        parser.add_argument(
            "--short", action="store_true", help="A line for each operation and field, as in docs/api.txt."
        )

    def handle(self, *args: Any, short: bool = False, **options: Any) -> None:
        """Print the schema."""
        if short:
            self.stdout.write("\n".join(listing(openapi())))
        else:
            written: bytes = OpenApiYamlRenderer().render(openapi(), renderer_context={})  # type: ignore[no-untyped-call]
            self.stdout.write(written.decode(), ending="")
