"""The finder of the apps' static files, which leaves out what no page loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder

# Of the package with the API's viewer only its script and its styles are loaded: a fifth of it.
UNUSED_FILES = ("redoc", "*.map", "*-preset.*")


class UsedFilesFinder(AppDirectoriesFinder):
    """Finds the static files of the apps, without those that no page loads."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        """Yield each file's path and storage."""
        return iter(super().list([*(ignore_patterns or ()), *UNUSED_FILES]))
