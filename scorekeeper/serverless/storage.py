"""URLs of static files in a serverless folder, where the app has the hashed names but not the files."""

from __future__ import annotations

from django.contrib.staticfiles.storage import StaticFilesStorage


class ManifestUrlStorage(StaticFilesStorage):
    """A storage without files that only builds URLs. `hashed_names` maps names to hashed names."""

    hashed_names: dict[str, str] = {}

    def url(self, name: str | None) -> str:
        return super().url(self.hashed_names.get(name or "", name))
