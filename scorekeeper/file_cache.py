"""A cache of files that makes its folder when it stores something, not when a command checks the settings."""

from __future__ import annotations

import os
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.filebased import FileBasedCache


class FileCache(FileBasedCache):
    def __init__(self, dir: str, params: dict[str, Any]) -> None:
        BaseCache.__init__(self, params)
        self._dir = os.path.abspath(dir)
