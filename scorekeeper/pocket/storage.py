"""Static files under the names the site gave them: the phone was told these names, and holds no file itself."""

from __future__ import annotations

from django.contrib.staticfiles.storage import StaticFilesStorage


class NamedStorage(StaticFilesStorage):
    """Addresses alone."""

    named: dict[str, str] = {}

    def url(self, name: str | None) -> str:
        """The address of a file, under the site's name for it."""
        return super().url(self.named.get(name or "", name))
