"""Static files under names that say what is in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from rjsmin import jsmin  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

# In our own styles these signs stand nowhere else.
COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)


def is_ours(name: str) -> bool:
    """Whether a file, hashed or not, stands in one of our own folders; what packages bring is left as they wrote it."""
    folder, slash, _rest = name.partition("/")
    return not slash or Path(settings.BASE_DIR, "static", folder).is_dir()


def without_comments(name: str, content: bytes) -> bytes:
    """What travels of one of our files: comments, and the spaces of scripts, are for who reads the source."""
    if is_ours(name) and name.endswith(".js"):
        slim: bytes = jsmin(content)
        return slim
    return COMMENT.sub(b"", content) if is_ours(name) and name.endswith(".css") else content


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our scripts import each other under those names too."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 12  # more than scripts stand one behind another in a chain of imports

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """What stands in the place of an address found in the file `name`."""
        if not is_ours(name):
            return lambda found: found["matched"]
        converted: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)
        return converted

    def _save(self, name: str, content: Any) -> str:
        saved: str = super()._save(name, ContentFile(without_comments(name, b"".join(content.chunks()))))
        return saved
