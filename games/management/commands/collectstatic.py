"""`manage.py collectstatic`: Django's command, which first makes the site's folder, where the files may belong."""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.management.commands import collectstatic

from games.management import site_folder


class Command(collectstatic.Command):
    def handle(self, **options: Any) -> str | None:
        site_folder.create_folder()  # which others may not read, unlike a folder that Django makes
        return super().handle(**options)
