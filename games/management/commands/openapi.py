"""`manage.py openapi > docs/openapi.yaml`: the API described, as it is committed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from drf_spectacular.renderers import OpenApiYamlRenderer

from games.api.common.schema import openapi


class Command(BaseCommand):
    help = "Writes the description of the API (OpenAPI) as YAML."

    def handle(self, *args: Any, **options: Any) -> None:
        written: bytes = OpenApiYamlRenderer().render(openapi(), renderer_context={})  # type: ignore[no-untyped-call]
        self.stdout.write(written.decode(), ending="")
