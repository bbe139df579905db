"""Static files under the site's hashed names: the phone knows the names and stores no files of its own."""

from __future__ import annotations

from django.contrib.staticfiles.storage import StaticFilesStorage


class NamedStorage(StaticFilesStorage):
    """A storage that only builds addresses."""

    named: dict[str, str] = {}

    def url(self, name: str | None) -> str:
        """Return the address of a file under its hashed name."""
        return super().url(self.named.get(name or "", name))
