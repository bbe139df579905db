"""The URLs of static files under the site's hashed names.

The phone's app knows the names but has no files.
"""

from __future__ import annotations

from django.contrib.staticfiles.storage import StaticFilesStorage


class NamedStorage(StaticFilesStorage):
    """A storage that only builds URLs."""

    named: dict[str, str] = {}

    def url(self, name: str | None) -> str:
        """Return the URL of a file under its hashed name."""
        return super().url(self.named.get(name or "", name))
